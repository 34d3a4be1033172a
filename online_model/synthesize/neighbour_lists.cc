#include "online_model/synthesize/neighbour_lists.h"

#include <algorithm>
#include <limits>
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
    AddByTurns(nodes);
    Rows inside;
    for (size_t c = 0; c < node.children.size(); ++c) {
      Collect(ChildOf(nodes, c), &inside);
    }
  }

  // Neighbours that the iterations of a loop name in turn, some by one event of
  // it and some by another: in an iteration its first peer.
  void AddByTurns(const Nodes& nodes) {
    std::vector<size_t> names;
    for (size_t c = 0; c < nodes[0]->children.size(); ++c) {
      const Node& child = nodes[0]->children[c];
      if (child.is_event() &&
          reduction::ParamPlace(child.call, Param::kPeer) >= 0) {
        names.push_back(c);
      }
    }
    if (nodes[0]->is_event() || names.size() < 2) return;
    if (!AnyWaits(nodes, names)) return;
    std::vector<RankPattern> patterns;
    uint64_t count = 0;
    for (size_t t = 0; t < nodes.size(); ++t) {
      for (const auto& [rank, trips] : nodes[t]->trips.ByRank()) {
        auto peers = PeersInTurn(*nodes[t], names, rank, trips.Sum());
        if (!peers || (count += peers->size()) > kMaxPatternValues) return;
        if (peers->empty()) continue;
        patterns.push_back(
            {Context(grids_[t], rank), {{}, std::move(*peers)}, {}, {}});
      }
    }
    if (patterns.empty()) return;
    const auto lists = FindNeighbours(patterns, ndims_);
    // Each of the events alone may look like other lists: these come first.
    for (const auto& list : lists) {
      std::erase_if(found_.lists, [&](const auto& l) { return *l == *list; });
      found_.lists.insert(found_.lists.begin(), list);
    }
    if (lists.empty()) AddPartnerByTurns(patterns);
  }

  // No neighbours: all others in some order, as by the bits of a rank. Which of
  // the events comes then may follow whom it is for.
  void AddPartnerByTurns(std::span<const RankPattern> patterns) {
    SearchSpace space;
    space.ndims = ndims_;
    space.ranked = true;
    const auto law = FindSequenceLaw(patterns, space, nullptr);
    if (!law || law->form != SequenceLaw::Form::kByElement) return;
    ExpressionPtr partner = ExpressionOf(law->values[0]);
    if (partner != nullptr) AddPartner(std::move(partner));
  }

  // Whether any of the events sits out some iteration.
  static bool AnyWaits(const Nodes& nodes, const std::vector<size_t>& names) {
    return std::ranges::any_of(nodes, [&names](const Node* node) {
      return std::ranges::any_of(names, [node](size_t c) {
        return std::ranges::any_of(
            node->children[c].trips.ByRank(), [](const auto& of_rank) {
              return !of_rank.second.empty() && of_rank.second.Min() == 0;
            });
      });
    });
  }

  // Of so many iterations in all; nothing where some have no peer.
  static std::optional<std::vector<int64_t>> PeersInTurn(
      const Node& loop, const std::vector<size_t>& names, int64_t rank,
      int64_t iterations) {
    if (uint64_t(iterations) > kMaxPatternValues) return std::nullopt;
    constexpr int64_t kNone = std::numeric_limits<int64_t>::min();
    std::vector<int64_t> peers(size_t(iterations), kNone);
    for (const size_t c : names) {
      const Node& event = loop.children[c];
      if (!event.trips.Has(rank)) continue;
      const auto place =
          size_t(reduction::ParamPlace(event.call, Param::kPeer));
      const reduction::Section& trips = event.trips.At(rank);
      const reduction::Section& named = event.params[place].At(rank);
      if (trips.size() != peers.size() || named.size() > peers.size()) {
        return std::nullopt;
      }
      const std::vector<int64_t> runs = trips.Expand();
      const std::vector<int64_t> values = named.Expand();
      size_t at = 0;
      for (size_t k = 0; k < runs.size(); ++k) {
        if (runs[k] > 1 || (runs[k] == 1 && at == values.size())) {
          return std::nullopt;
        }
        if (runs[k] == 0) continue;
        if (peers[k] == kNone) peers[k] = values[at];
        ++at;
      }
    }
    if (std::ranges::find(peers, kNone) != peers.end()) return std::nullopt;
    return Shortest(std::move(peers));
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

  void AddPartner(ExpressionPtr partner) {
    const bool is_known =
        std::ranges::any_of(found_.partners, [&](const ExpressionPtr& e) {
          return e->ToString() == partner->ToString();
        });
    if (!is_known) found_.partners.push_back(std::move(partner));
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
