#include "online_model/synthesize/neighbour_lists.h"

#include <algorithm>
#include <map>
#include <utility>

#include "online_model/structure/bit_order.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Param;

class Collector {
 public:
  explicit Collector(std::span<const Grid> grids)
      : grids_(grids), ndims_(grids[0].size()) {}

  NeighbourLists Collect(const Nodes& roots) {
    Rows rows;
    Collect(roots, &rows);
    AddUnion();
    AddBitOrders();
    return std::move(found_);
  }

 private:
  // Events of one call that stand in a row and reach other neighbours each,
  // on one rank.
  struct Row {
    Neighbours all;
    std::vector<std::pair<Nodes, std::shared_ptr<const Neighbours>>> events;
  };
  using Rows = std::map<reduction::Call, Row>;

  // Neighbour lists of all events first: trip and request counts follow them.
  void Collect(const Nodes& nodes, Rows* rows) {
    const Node& node = *nodes[0];
    if (node.is_event()) {
      const auto params = reduction::Info(node.call).params;
      for (size_t i = 0; i < params.size(); ++i) {
        // Whom a rank puts data to may form a group; others are no neighbours.
        const bool members = params[i] == Param::kMembers;
        if (!members && !NamesNeighbours(params[i])) continue;
        auto patterns = PatternsOf(nodes, grids_, i);
        if (!patterns || patterns->empty()) continue;
        const auto lists = FindNeighbours(*patterns, ndims_);
        if (lists.empty() && members) continue;
        if (lists.empty()) {
          AddUnlisted(*patterns);
          continue;
        }
        for (const auto& list : lists) AddList(list, &found_.lists);
        AddToRow(nodes, lists.front(), &(*rows)[node.call]);
      }
    }
    Rows inside;
    for (size_t c = 0; c < node.children.size(); ++c) {
      Collect(ChildOf(nodes, c), &inside);
    }
  }

  void AddUnlisted(std::span<const RankPattern> patterns) {
    std::vector<Sample> peers;
    for (const RankPattern& p : patterns) {
      if (p.pattern.period.size() != 1) return;
      peers.push_back({p.where, p.pattern.period[0]});
    }
    all_unlisted_.insert(all_unlisted_.end(), peers.begin(), peers.end());
    unlisted_.push_back(std::move(peers));
  }

  // Programs send nothing where the rank with the bits in another order is the
  // own one, and first where it is larger: one event may have few of the ranks.
  void AddBitOrders() {
    unlisted_.push_back(std::move(all_unlisted_));
    for (const std::vector<Sample>& peers : unlisted_) {
      if (!TellBitOrder(peers)) continue;
      const auto order = FindBitOrder(peers);
      if (!order) continue;
      const bool known = std::any_of(
          found_.bit_orders.begin(), found_.bit_orders.end(),
          [&order](const ExpressionPtr& e) { return e->bits == *order; });
      if (!known) found_.bit_orders.push_back(BitsExpression(*order));
    }
  }

  void AddToRow(const Nodes& nodes,
                const std::shared_ptr<const Neighbours>& list, Row* row) {
    const bool again =
        std::any_of(row->events.begin(), row->events.end(), [&](const auto& e) {
          return e.second->slots == list->slots &&
                 e.second->IsReadLike(*list) && AnyRuns(e.first, nodes);
        });
    if (row->events.empty() || again || !Unite(*list, &row->all)) {
      *row = {*list, {}};
    } else {
      AddList(std::make_shared<const Neighbours>(row->all), &found_.posted);
    }
    row->events.emplace_back(nodes, list);
  }

  // Whether any rank runs both.
  static bool AnyRuns(const Nodes& a, const Nodes& b) {
    for (size_t t = 0; t < a.size(); ++t) {
      for (const int64_t r : a[t]->trips.Ranks().Expand()) {
        if (b[t]->trips.Has(r)) return true;
      }
    }
    return false;
  }

  static void AddList(std::shared_ptr<const Neighbours> list,
                      NeighbourLists::Lists* lists) {
    const bool known =
        std::any_of(lists->begin(), lists->end(),
                    [&list](const auto& l) { return *l == *list; });
    if (!known) lists->push_back(std::move(list));
  }

  // Dimensions along which the list moves, as bits.
  static unsigned Along(const Neighbours& list) {
    unsigned dims = 0;
    for (const Displacement& by : list.slots) {
      for (int d = 0; d < list.ndims; ++d) {
        if (by[size_t(d)] != 0) dims |= 1u << d;
      }
    }
    return dims;
  }

  // Adds the list's neighbours to all; false, and nothing done, where a
  // dimension is periodic in one and open in the other.
  static bool Unite(const Neighbours& list, Neighbours* all) {
    const unsigned both = Along(list) & Along(*all);
    if (((list.periodic ^ all->periodic) & both) != 0) return false;
    if (!list.IsReadLike(*all)) return false;
    all->periodic |= list.periodic;
    for (const Displacement& by : list.slots) {
      if (std::find(all->slots.begin(), all->slots.end(), by) ==
          all->slots.end()) {
        all->slots.push_back(by);
      }
    }
    return true;
  }

  // A program with one guarded call site a side counts over all of them.
  void AddUnion() {
    Neighbours all{{}, 0, ndims_};
    for (const auto& list : found_.lists) {
      if (!list->IsReadLike(all)) continue;
      if (!Unite(*list, &all)) return;
    }
    if (found_.lists.size() < 2) return;
    AddList(std::make_shared<const Neighbours>(std::move(all)), &found_.lists);
  }

  std::span<const Grid> grids_;
  int ndims_;
  NeighbourLists found_;
  // Peers that are no neighbours, by event and parameter; and of all.
  std::vector<std::vector<Sample>> unlisted_;
  std::vector<Sample> all_unlisted_;
};

}  // namespace

bool NamesNeighbours(Param p) {
  return p == Param::kPeer || p == Param::kRecvPeer || p == Param::kSources ||
         p == Param::kDestinations;
}

NeighbourLists CollectNeighbours(const Nodes& roots,
                                 std::span<const Grid> grids) {
  return Collector(grids).Collect(roots);
}

}  // namespace ranksight::online_model
