#include "cli/look/everybody_traffic.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cli/look/flow_builder.h"
#include "reduction/api/amounts.h"
#include "reduction/api/contract.h"
#include "reduction/api/rank_table.h"

namespace ranksight::cli {
namespace {

using reduction::AmountOf;
using reduction::Call;
using reduction::Node;
using reduction::Param;
using reduction::Plus;
using reduction::RankTable;
using reduction::Section;
using reduction::SectionCursor;
using reduction::Times;

bool IsAlltoall(Call call) {
  return call == Call::MPI_Alltoall_ || call == Call::MPI_Ialltoall_;
}
// With a count for each peer, and a type for each in the w form.
bool IsAlltoallv(Call call) {
  return call == Call::MPI_Alltoallv_ || call == Call::MPI_Ialltoallv_ ||
         call == Call::MPI_Alltoallw_ || call == Call::MPI_Ialltoallw_;
}

// What a rank gives the others in all its calls: a count for each peer, or one
// for all, and the size of an element, which the w form has by peer.
struct Shares {
  Section counts, sizes;
};

// What every peer gets of one rank, over all calls, if it is the same. Each
// call has counts for so many peers; that for itself, at `own`, may be any.
std::optional<uint64_t> OfEachPeer(const Section& counts, size_t peers,
                                   size_t own) {
  uint64_t sum = 0, filled = 0, run = 0;
  int64_t of_call = 0;
  bool known = false;  // what this call gives
  for (SectionCursor at(&counts); !at.done();) {
    const int64_t value = at.NextRun(&run);
    while (run > 0) {
      if (filled == 0 && run >= peers) {
        sum = Plus(sum, Times(AmountOf(value), run / peers));
        run %= peers;
        continue;
      }
      const bool as_before = known && of_call == value;
      const bool is_own = filled == own && !as_before;
      if (!is_own) {
        if (known && !as_before) return std::nullopt;
        of_call = value;
        known = true;
      }
      const uint64_t step = is_own ? 1 : std::min(run, peers - filled);
      run -= step;
      filled += step;
      if (filled < peers) continue;
      sum = Plus(sum, known ? AmountOf(of_call) : 0);
      filled = 0;
      known = false;
    }
  }
  return filled == 0 ? std::optional(sum) : std::nullopt;
}

size_t PlaceOf(int64_t rank, const std::vector<int64_t>& members) {
  const auto as_in_world = static_cast<size_t>(rank);
  if (as_in_world < members.size() && members[as_in_world] == rank) {
    return as_in_world;
  }
  return static_cast<size_t>(std::ranges::find(members, rank) -
                             members.begin());
}

// All-to-all calls of one node of the tree, by communicator.
class Alltoalls {
 public:
  Alltoalls(const Node& node, int64_t ranks, const GroupOf& group_of)
      : node_(node),
        ranks_(ranks),
        group_of_(group_of),
        comms_(*FindParameter(node, Param::kComm), ranks),
        in_place_(*FindParameter(node, Param::kInPlace), ranks) {}

  // False, and nothing added, when communicators or sizes are not regular
  // enough to know who gives what to whom.
  bool AddTo(SiteTraffic* site) const {
    SiteTraffic with = *site;
    bool added = AddExchanges(&with);
    if (!added && IsAlltoallv(node_.call)) {
      with = *site;
      added = AddPairs(&with);
    }
    if (added) *site = std::move(with);
    return added;
  }

 private:
  const CommGroup* GroupAt(int64_t rank) const {
    const auto comm = comms_.Constant(rank);
    return comm ? group_of_(rank, *comm) : nullptr;
  }

  void Count(int64_t rank, const CommGroup& group, SiteTraffic* site) const {
    site->messages = Plus(site->messages,
                          Times(comms_.Count(rank), group.members.size() - 1));
  }

  struct Exchanging {
    const CommGroup* group;
    size_t members;  // that call it
    uint64_t of_pair;
  };
  // Where everybody gives everybody the same.
  bool AddExchanges(SiteTraffic* site) const {
    // In the order of their first ranks.
    std::vector<Exchanging> exchanges;
    std::unordered_map<const CommGroup*, size_t> index;
    for (int64_t rank = 0; rank < ranks_; ++rank) {
      if (comms_.Count(rank) == 0) continue;
      const CommGroup* const group = GroupAt(rank);
      const auto bytes =
          group == nullptr ? std::nullopt : BytesOfPair(rank, *group);
      if (!bytes) return false;
      const auto [at, is_new] = index.try_emplace(group, exchanges.size());
      if (is_new) exchanges.push_back({group, 0, *bytes});
      Exchanging& exchange = exchanges[at->second];
      ++exchange.members;
      if (exchange.of_pair != *bytes) return false;
      Count(rank, *group, site);
    }
    for (const auto& [group, members, of_pair] : exchanges) {
      if (members != group->members.size()) return false;
      site->traffic.exchanges.push_back({group->members, of_pair});
    }
    return true;
  }

  // None where calls now and then are in place.
  std::optional<Shares> SharesOf(int64_t rank) const {
    const auto in_place = in_place_.Constant(rank);
    if (!in_place) return std::nullopt;
    const auto sequence = [&](Param one, Param each) {
      const auto* of_each = FindParameter(node_, each);
      return (of_each ? of_each : FindParameter(node_, one))->At(rank);
    };
    // What comes goes as well.
    if (*in_place == 1) {
      return Shares{sequence(Param::kRecvCount, Param::kRecvCounts),
                    sequence(Param::kRecvTypeSize, Param::kRecvTypeSizes)};
    }
    return Shares{sequence(Param::kCount, Param::kCounts),
                  sequence(Param::kTypeSize, Param::kTypeSizes)};
  }

  std::optional<uint64_t> BytesOfPair(int64_t rank,
                                      const CommGroup& group) const {
    const auto shares = SharesOf(rank);
    if (!shares || !shares->sizes.IsConstant()) return std::nullopt;
    if (shares->sizes.empty()) return 0;
    const auto count = IsAlltoallv(node_.call)
                           ? OfEachPeer(shares->counts, group.members.size(),
                                        PlaceOf(rank, group.members))
                           : SumOf(shares->counts);
    if (!count) return std::nullopt;
    return Times(*count, AmountOf(shares->sizes.At(0)));
  }

  // Pair by pair.
  bool AddPairs(SiteTraffic* site) const {
    FlowBuilder flows(&site->traffic.flows);
    uint64_t pairs = 0;
    for (int64_t rank = 0; rank < ranks_; ++rank) {
      if (comms_.Count(rank) == 0) continue;
      const CommGroup* const group = GroupAt(rank);
      if (group == nullptr) return false;
      pairs += group->members.size();
      if (pairs > kMostPairs) return false;
      const auto shares = SharesOf(rank);
      if (!shares || shares->counts.size() % group->members.size() != 0 ||
          (shares->sizes.size() != shares->counts.size() &&
           !shares->sizes.IsConstant())) {
        return false;
      }
      AddRow(rank, *group, *shares, &flows);
      Count(rank, *group, site);
    }
    return true;
  }

  static void AddRow(int64_t rank, const CommGroup& group, const Shares& shares,
                     FlowBuilder* flows) {
    std::vector<uint64_t> sums(group.members.size(), 0);
    const bool one_size = shares.sizes.IsConstant();
    SectionCursor count(&shares.counts), size(&shares.sizes);
    for (size_t to = 0; !count.done(); to = (to + 1) % sums.size()) {
      const int64_t each = one_size ? shares.sizes.At(0) : size.Next();
      sums[to] = Plus(sums[to], Times(AmountOf(count.Next()), AmountOf(each)));
    }
    for (size_t to = 0; to < sums.size(); ++to) {
      if (group.members[to] == rank || sums[to] == 0) continue;
      flows->Add(rank, group.members[to], sums[to]);
    }
  }

  const Node& node_;
  const int64_t ranks_;
  const GroupOf& group_of_;
  const RankTable comms_, in_place_;
};

}  // namespace

bool IsEverybody(Call call) { return IsAlltoall(call) || IsAlltoallv(call); }

bool AddEverybody(const Node& node, int64_t ranks, const GroupOf& group_of,
                  SiteTraffic* site) {
  RANKSIGHT_REQUIRE(IsEverybody(node.call));
  return Alltoalls(node, ranks, group_of).AddTo(site);
}

}  // namespace ranksight::cli
