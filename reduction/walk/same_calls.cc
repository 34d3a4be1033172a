#include "reduction/api/same_calls.h"

#include <algorithm>
#include <vector>

#include "reduction/api/contract.h"
#include "reduction/base/saturating.h"
#include "reduction/section/prefix.h"

namespace ranksight::reduction {
namespace {

// A node of both trees as the rank runs it.
struct Both {
  const Node *a, *b;
  Both* parent;
  Section trips_a, trips_b;
  std::vector<Both> children;
};

Both Build(const Node& a, const Node& b, int64_t rank) {
  Both both{&a, &b, nullptr, a.trips.At(rank), b.trips.At(rank), {}};
  for (size_t i = 0; i < a.children.size(); ++i) {
    const Node &x = a.children[i], &y = b.children[i];
    if (!x.trips.Has(rank) && !y.trips.Has(rank)) continue;
    both.children.push_back(Build(x, y, rank));
  }
  return both;
}

void SetParents(Both* node) {
  for (Both& child : node->children) {
    child.parent = node;
    SetParents(&child);
  }
}

class Search {
 public:
  Search(int64_t rank, bool (*matters)(Param))
      : rank_(rank), matters_(matters) {}

  // Children behind one that differs have nothing earlier in that iteration of
  // the loop, or in a later one: what lies before them is not added up, which
  // takes as long as there are children.
  void Below(const Both& loop) {
    uint64_t end = UINT64_MAX;
    for (const Both& child : loop.children) {
      uint64_t differs = UINT64_MAX;
      const auto at = FirstDifference(child.trips_a, child.trips_b);
      if (at && *at < end) {
        // Both run it as often as the one that runs it less.
        const uint64_t alike =
            std::min(RunsAt(child.trips_a, *at), RunsAt(child.trips_b, *at));
        uint64_t runs = SumOfFirst(child.trips_a, *at);
        AddSaturating(alike, &runs);
        Note(Before(child, runs, *at));
        differs = *at;
      }
      if (child.a->is_event()) {
        differs = std::min(differs, Parameters(child, end));
      } else {
        Below(child);
      }
      end = std::min(end, differs);
    }
  }
  uint64_t least() const { return least_; }

 private:
  static uint64_t RunsAt(const Section& trips, uint64_t iteration) {
    return iteration < trips.size() ? uint64_t(trips.At(iteration)) : 0;
  }

  void Note(uint64_t events) { least_ = std::min(least_, events); }

  // In the iterations of the event's loop before end. The first in which one
  // differs, else UINT64_MAX.
  uint64_t Parameters(const Both& event, uint64_t end) {
    uint64_t differs = UINT64_MAX;
    const auto params = Info(event.a->call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (!matters_(params[i])) continue;
      const Parameter &a = event.a->params[i], &b = event.b->params[i];
      if (a == b) continue;
      auto at = FirstDifference(a.At(rank_), b.At(rank_));
      if (!at) continue;
      if (IsArray(params[i])) {
        const auto length = std::find(params.begin(), params.end(),
                                      LengthOf(event.a->call, params[i]));
        const auto place = size_t(length - params.begin());
        at = PlaceOfSum(event.a->params[place].At(rank_), *at);
      }
      if (*at >= SumOfFirst(event.trips_a, UINT64_MAX)) continue;
      const uint64_t iteration = PlaceOfSum(event.trips_a, *at);
      if (iteration >= end) continue;
      Note(Before(event, *at, iteration));
      differs = std::min(differs, iteration);
    }
    return differs;
  }

  static uint64_t EventsIn(const Both& node, uint64_t runs) {
    if (node.a->is_event()) return runs;
    uint64_t events = 0;
    for (const Both& child : node.children) {
      AddSaturating(EventsIn(child, SumOfFirst(child.trips_a, runs)), &events);
    }
    return events;
  }

  // Events before a node's run of that number, in that iteration of its
  // parent, as a has them.
  static uint64_t Before(const Both& node, uint64_t run, uint64_t iteration) {
    if (node.parent == nullptr) return 0;
    const Both& loop = *node.parent;
    uint64_t events = Before(
        loop, iteration,
        loop.parent == nullptr ? 0 : PlaceOfSum(loop.trips_a, iteration));
    for (const Both& child : loop.children) {
      const uint64_t first = SumOfFirst(child.trips_a, iteration);
      const bool here = &child == &node;
      const uint64_t last =
          here ? run : SumOfFirst(child.trips_a, iteration + 1);
      AddSaturating(EventsIn(child, last) - EventsIn(child, first), &events);
      if (here) break;
    }
    return events;
  }

  int64_t rank_;
  bool (*matters_)(Param);
  uint64_t least_ = UINT64_MAX;
};

}  // namespace

uint64_t CountSame(const Trace& a, const Trace& b, int64_t rank,
                   bool (*matters)(Param)) {
  RANKSIGHT_REQUIRE(rank >= 0);
  Both root = Build(a.root, b.root, rank);
  SetParents(&root);
  Search search(rank, matters);
  search.Below(root);
  return search.least();
}

}  // namespace ranksight::reduction
