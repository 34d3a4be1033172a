#include "cli/look/everybody_traffic.h"

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cli/look/amounts.h"
#include "cli/look/flow_builder.h"
#include "cli/look/rank_table.h"

namespace ranksight::cli {
namespace {

using reduction::Call;
using reduction::Node;
using reduction::Param;
using reduction::Section;
using reduction::SectionCursor;

bool IsAlltoall(Call call) {
  return call == Call::MPI_Alltoall_ || call == Call::MPI_Ialltoall_;
}
// With a count for each peer, and a type for each in the w form.
bool IsAlltoallv(Call call) {
  return call == Call::MPI_Alltoallv_ || call == Call::MPI_Ialltoallv_ ||
         call == Call::MPI_Alltoallw_ || call == Call::MPI_Ialltoallw_;
}

// Bytes that a rank gives each other one in all its calls of an
// MPI_Alltoall, if its types stay the same and all are in place or none.
class BytesOfPair {
 public:
  BytesOfPair(const Node& node, int64_t ranks)
      : counts_(*FindParameter(node, Param::kCount), ranks),
        sizes_(*FindParameter(node, Param::kTypeSize), ranks),
        recv_counts_(*FindParameter(node, Param::kRecvCount), ranks),
        recv_sizes_(*FindParameter(node, Param::kRecvTypeSize), ranks),
        in_place_(*FindParameter(node, Param::kInPlace), ranks) {}

  std::optional<uint64_t> operator()(int64_t rank) const {
    const auto in_place = in_place_.Constant(rank);
    if (!in_place) return std::nullopt;
    // In place, the receive side says how much.
    return *in_place == 1 ? Product(recv_counts_, recv_sizes_, rank)
                          : Product(counts_, sizes_, rank);
  }

 private:
  static std::optional<uint64_t> Product(const RankTable& counts,
                                         const RankTable& sizes, int64_t rank) {
    const auto size = sizes.Constant(rank);
    if (!size) return std::nullopt;
    return Times(counts.Sum(rank), Amount(*size));
  }
  const RankTable counts_, sizes_, recv_counts_, recv_sizes_, in_place_;
};

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
    const bool added =
        IsAlltoallv(node_.call) ? AddVector(&with) : AddUniform(&with);
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
  bool AddUniform(SiteTraffic* site) const {
    const BytesOfPair bytes_of(node_, ranks_);
    // In the order of their first ranks.
    std::vector<Exchanging> exchanges;
    std::unordered_map<const CommGroup*, size_t> index;
    for (int64_t rank = 0; rank < ranks_; ++rank) {
      if (comms_.Count(rank) == 0) continue;
      const CommGroup* const group = GroupAt(rank);
      const auto bytes = bytes_of(rank);
      if (group == nullptr || !bytes) return false;
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

  // Counts by peer and the size of an element, which the w form has by peer.
  struct Shares {
    Section counts, sizes;
    std::optional<int64_t> size;
  };
  std::optional<Shares> SharesOf(int64_t rank) const {
    const bool each = FindParameter(node_, Param::kTypeSizes) != nullptr;
    const auto sequence = [&](Param p) {
      return FindParameter(node_, p)->At(rank);
    };
    if (!in_place_.Constant(rank)) return std::nullopt;
    const bool in_place = in_place_.Constant(rank) == 1;  // what comes goes
    Shares s = {sequence(in_place ? Param::kRecvCounts : Param::kCounts),
                {},
                std::nullopt};
    if (each) {
      s.sizes = sequence(in_place ? Param::kRecvTypeSizes : Param::kTypeSizes);
      return s.sizes.size() == s.counts.size() ? std::optional(s)
                                               : std::nullopt;
    }
    const RankTable sizes(*FindParameter(node_, in_place ? Param::kRecvTypeSize
                                                         : Param::kTypeSize),
                          ranks_);
    s.size = sizes.Constant(rank);
    return s.size ? std::optional(s) : std::nullopt;
  }

  bool AddVector(SiteTraffic* site) const {
    FlowBuilder flows(&site->traffic.flows);
    uint64_t pairs = 0;
    for (int64_t rank = 0; rank < ranks_; ++rank) {
      if (comms_.Count(rank) == 0) continue;
      const CommGroup* const group = GroupAt(rank);
      if (group == nullptr) return false;
      pairs += group->members.size();
      if (pairs > kMostPairs) return false;
      const auto shares = SharesOf(rank);
      if (!shares || shares->counts.size() % group->members.size() != 0) {
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
    SectionCursor count(&shares.counts), size(&shares.sizes);
    for (size_t to = 0; !count.done(); to = (to + 1) % sums.size()) {
      const int64_t each = shares.size ? *shares.size : size.Next();
      sums[to] = Plus(sums[to], Times(Amount(count.Next()), Amount(each)));
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
  return Alltoalls(node, ranks, group_of).AddTo(site);
}

}  // namespace ranksight::cli
