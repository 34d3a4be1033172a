#include "cli/look/collective_traffic.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cli/look/collective_flows.h"
#include "reduction/api/amounts.h"
#include "reduction/api/event.h"
#include "reduction/api/rank_table.h"

namespace ranksight::cli {
namespace {

using reduction::AmountOf;
using reduction::Call;
using reduction::Node;
using reduction::Param;
using reduction::Plus;
using reduction::RankTable;
using reduction::SectionCursor;
using reduction::Times;
using Way = CollectiveFlows::Way;

class Collectives {
 public:
  Collectives(const Node& node, int64_t ranks) : node_(node), ranks_(ranks) {}

  // The messages of all calls on one communicator; false where not known.
  bool Add(const CommGroup& group, SiteTraffic* site) {
    group_ = &group;
    of_call_ = 0;
    CollectiveFlows flows(group.members, &site->traffic);
    const bool known = AddTo(&flows);
    const uint64_t of_one = of_call_ > 0 ? of_call_ : flows.messages();
    site->messages = Plus(site->messages, Times(times_, of_one));
    return known;
  }

 private:
  bool AddTo(CollectiveFlows* flows) {
    times_ = Table(Param::kComm).Count(First());
    switch (reduction::BlockingForm(node_.call)) {
      case Call::MPI_Bcast_:
        return ByRoot(&CollectiveFlows::Tree, Way::kFromRoot, flows);
      case Call::MPI_Reduce_:
        return ByRoot(&CollectiveFlows::Tree, Way::kToRoot, flows);
      case Call::MPI_Gather_:
        return ByRoot(&CollectiveFlows::TreeOfBlocks, Way::kToRoot, flows);
      case Call::MPI_Scatter_:
        return ByRoot(&CollectiveFlows::TreeOfBlocks, Way::kFromRoot, flows);
      case Call::MPI_Gatherv_:
        return Straight(Way::kToRoot, flows);
      case Call::MPI_Scatterv_:
        return Straight(Way::kFromRoot, flows);
      default:
        return WithoutRoot(flows);
    }
  }

  bool WithoutRoot(CollectiveFlows* flows) {
    const Call call = reduction::BlockingForm(node_.call);
    std::vector<uint64_t> blocks(group_->members.size());
    switch (call) {
      case Call::MPI_Allreduce_:
        flows->Doubling(Sum(First(), false));
        return true;
      case Call::MPI_Scan_:
      case Call::MPI_Exscan_:
        flows->ScanDoubling(Sum(First(), false));
        return true;
      case Call::MPI_Allgather_:
        std::fill(blocks.begin(), blocks.end(), Sum(First(), true));
        flows->Ring(blocks);
        return true;
      case Call::MPI_Allgatherv_:
        if (!Blocks(Param::kRecvCounts, Param::kRecvTypeSize, &blocks)) {
          return false;
        }
        flows->Ring(blocks);
        return true;
      case Call::MPI_Reduce_scatter_block_:
        std::fill(blocks.begin(), blocks.end(), Sum(First(), false));
        flows->Pairwise(blocks);
        return true;
      case Call::MPI_Reduce_scatter_:
        if (!Blocks(Param::kCounts, Param::kTypeSize, &blocks) ||
            (blocks.size() * blocks.size() > kMostPairs &&
             std::ranges::adjacent_find(blocks, std::not_equal_to<>()) !=
                 blocks.end())) {
          return false;
        }
        flows->Pairwise(blocks);
        return true;
      default:
        return false;
    }
  }

  int64_t First() const { return group_->members[0]; }
  int64_t PlaceOf(int64_t rank) const {
    const auto& m = group_->members;
    const auto at = std::find(m.begin(), m.end(), rank);
    return at == m.end() ? -1 : at - m.begin();
  }

  // Tables are made when first asked for, once a node.
  const RankTable& Table(Param p) {
    const auto at = tables_.find(p);
    if (at != tables_.end()) return at->second;
    return tables_.try_emplace(p, *FindParameter(node_, p), ranks_)
        .first->second;
  }

  // Bytes of each occurrence at a rank, and the root if there is one.
  template <class F>
  void ForEach(int64_t rank, bool receives, F take) {
    const auto sequence = [&](Param p) { return Table(p).Sequence(rank); };
    const auto counts = sequence(receives ? Param::kRecvCount : Param::kCount);
    const auto sizes =
        sequence(receives ? Param::kRecvTypeSize : Param::kTypeSize);
    SectionCursor count(&counts), size(&sizes);
    while (!count.done() && !size.done()) {
      take(Times(AmountOf(count.Next()), AmountOf(size.Next())));
    }
  }

  uint64_t Sum(int64_t rank, bool receives) {
    const RankTable& counts =
        Table(receives ? Param::kRecvCount : Param::kCount);
    const auto size = Table(receives ? Param::kRecvTypeSize : Param::kTypeSize)
                          .Constant(rank);
    if (size) return Times(counts.Sum(rank), AmountOf(*size));
    uint64_t sum = 0;
    ForEach(rank, receives, [&](uint64_t bytes) { sum = Plus(sum, bytes); });
    return sum;
  }

  // Bytes by place, over all occurrences; the same at every member.
  bool Blocks(Param counts, Param type_size, std::vector<uint64_t>* blocks) {
    const auto size = Table(type_size).Constant(First());
    const auto sequence = Table(counts).Sequence(First());
    if (!size || sequence.size() % blocks->size() != 0) return false;
    SectionCursor cursor(&sequence);
    for (size_t i = 0; !cursor.done(); i = (i + 1) % blocks->size()) {
      (*blocks)[i] =
          Plus((*blocks)[i], Times(AmountOf(cursor.Next()), AmountOf(*size)));
    }
    return true;
  }

  // One tree for each root, with what all calls with that root move. What a
  // call moves is told by a member that is not its root.
  bool ByRoot(void (CollectiveFlows::*tree)(int64_t, uint64_t, Way), Way way,
              CollectiveFlows* flows) {
    const bool receives =
        reduction::BlockingForm(node_.call) == Call::MPI_Scatter_;
    const std::map<int64_t, uint64_t> bytes = BytesByRoot(receives);
    for (const auto& [root, sum] : bytes) {
      const int64_t place = PlaceOf(root);
      if (place < 0) return false;  // of an intercommunicator
      (flows->*tree)(place, sum, way);
    }
    of_call_ = group_->members.size() - 1;
    return true;
  }

  std::map<int64_t, uint64_t> BytesByRoot(bool receives) {
    const int64_t a = First(), b = group_->members[1];
    const auto root = Table(Param::kRoot).Constant(a);
    if (root) return {{*root, Sum(*root == a ? b : a, receives)}};
    std::vector<uint64_t> of_a, of_b;
    ForEach(a, receives, [&](uint64_t bytes) { of_a.push_back(bytes); });
    ForEach(b, receives, [&](uint64_t bytes) { of_b.push_back(bytes); });
    const auto roots = Table(Param::kRoot).Sequence(a);
    SectionCursor cursor(&roots);
    std::map<int64_t, uint64_t> bytes;
    for (size_t i = 0; !cursor.done() && i < of_a.size() && i < of_b.size();
         ++i) {
      const int64_t at = cursor.Next();
      bytes[at] = Plus(bytes[at], at == a ? of_b[i] : of_a[i]);
    }
    return bytes;
  }

  bool Straight(Way way, CollectiveFlows* flows) {
    const auto root = Table(Param::kRoot).Constant(First());
    const int64_t place = root ? PlaceOf(*root) : -1;
    if (place < 0) return false;
    std::vector<uint64_t> bytes;
    for (const int64_t member : group_->members) {
      bytes.push_back(member == *root ? 0 : Sum(member, way == Way::kFromRoot));
    }
    flows->Straight(place, bytes, way);
    return true;
  }

  const Node& node_;
  const int64_t ranks_;
  const CommGroup* group_ = nullptr;
  uint64_t times_ = 0;
  // Messages of one call where trees of several roots were added; else 0.
  uint64_t of_call_ = 0;
  std::map<Param, RankTable> tables_;
};

}  // namespace

bool AddCollective(const Node& node, int64_t ranks, const GroupOf& group_of,
                   SiteTraffic* site) {
  const auto* comm_of = FindParameter(node, Param::kComm);
  if (comm_of == nullptr) return false;
  const RankTable comms(*comm_of, ranks);
  // In the order of their first ranks.
  struct Seen {
    const CommGroup* group;
    size_t members;
    uint64_t times;  // of each
  };
  std::vector<Seen> groups;
  std::unordered_map<const CommGroup*, size_t> index;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    const uint64_t times = comms.Count(rank);
    if (times == 0) continue;
    const auto comm = comms.Constant(rank);
    const CommGroup* const group = comm ? group_of(rank, *comm) : nullptr;
    if (group == nullptr) return false;
    const auto [at, is_new] = index.try_emplace(group, groups.size());
    if (is_new) groups.push_back({group, 0, times});
    Seen& seen = groups[at->second];
    ++seen.members;
    if (seen.times != times) return false;
  }
  SiteTraffic with = *site;
  Collectives collectives(node, ranks);
  for (const auto& [group, members, times] : groups) {
    if (members != group->members.size()) return false;
    if (members > 1 && !collectives.Add(*group, &with)) return false;
  }
  *site = std::move(with);
  return true;
}

}  // namespace ranksight::cli
