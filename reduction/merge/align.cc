// Align lets the ranks of all traces be merged as if they belonged to one
// run, so that one mechanism decides what is the same, and takes them apart
// again. Ranks are taken by class (the nodes they run), the richest class
// first: two events that no rank of a small run executes both have no order
// there, so they must find their places in a tree that knows it.
#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/contract.h"
#include "reduction/api/distribution.h"
#include "reduction/api/merge.h"
#include "reduction/merge/even_trips.h"
#include "reduction/merge/merge_trees.h"
#include "reduction/merge/unite_siblings.h"

namespace ranksight::reduction {
namespace {

void SliceTree(int64_t low, int64_t high, int64_t delta, Node* node) {
  RANKSIGHT_REQUIRE(low <= high);
  RANKSIGHT_REQUIRE(node != nullptr);
  node->trips = node->trips.Slice(low, high, delta);
  for (Parameter& p : node->params) p = p.Slice(low, high, delta);
  for (Node& child : node->children) SliceTree(low, high, delta, &child);
}

// What becomes of a node on a rank. A loop that each visit runs once is none:
// merging made it for other ranks, and it would keep apart what it stands
// around and what others have in one list.
enum class Mark : char { kAbsent = '0', kKept = '1', kDissolved = '2' };

Mark MarkOf(const Node& node, const Section& trips) {
  const bool once = trips.Min() == 1 && trips.Max() == 1;
  return once && !node.is_event() ? Mark::kDissolved : Mark::kKept;
}

// Per rank a mark for each node in preorder.
void MarkNodes(const Node& node, std::vector<std::string>* marks) {
  for (const Node& child : node.children) {
    for (std::string& m : *marks) m.push_back(char(Mark::kAbsent));
    for (const auto& [rank, trips] : child.trips.ByRank()) {
      (*marks)[size_t(rank)].back() = char(MarkOf(child, trips));
    }
    MarkNodes(child, marks);
  }
}

// Ranks of one trace that run the same nodes.
struct RankClass {
  size_t trace;
  std::vector<int64_t> ranks;
  long nodes;
};

std::vector<RankClass> ClassesOf(std::span<const Trace> traces) {
  std::vector<RankClass> classes;
  for (size_t t = 0; t < traces.size(); ++t) {
    std::vector<std::string> marks(size_t(traces[t].meta.ranks));
    MarkNodes(traces[t].root, &marks);
    std::map<std::string, std::vector<int64_t>> found;
    for (size_t r = 0; r < marks.size(); ++r) {
      found[marks[r]].push_back(int64_t(r));
    }
    for (auto& [mark, ranks] : found) {
      const long nodes =
          std::count(mark.begin(), mark.end(), char(Mark::kKept));
      classes.push_back({t, std::move(ranks), nodes});
    }
  }
  // The richest first, as they show most of the order of calls; of equal ones
  // those of the last traces.
  std::stable_sort(classes.begin(), classes.end(),
                   [](const RankClass& a, const RankClass& b) {
                     if (a.nodes != b.nodes) return a.nodes > b.nodes;
                     return a.trace > b.trace;
                   });
  return classes;
}

Parameter Only(const Parameter& all, const std::vector<int64_t>& ranks,
               int64_t delta, bool ranked) {
  Parameter out;
  for (const int64_t r : ranks) {
    const Parameter one = all.Slice(r, r + 1, delta);
    out.Merge(one, ranked);
  }
  return out;
}

// The part of a tree that these ranks run, without times.
Node PartOf(const Node& node, const RankClass& of, int64_t delta) {
  Node part;
  part.kind = node.kind;
  part.call = node.call;
  part.site = node.site;
  part.trips = Only(node.trips, of.ranks, delta, false);
  if (node.is_event()) {
    const auto params = Info(node.call).params;
    for (size_t i = 0; i < node.params.size(); ++i) {
      part.params.push_back(
          Only(node.params[i], of.ranks, delta, IsRank(params[i])));
    }
  }
  for (const Node& child : node.children) {
    const Section trips = child.trips.At(of.ranks[0]);
    if (trips.size() == 0) continue;
    Node below = PartOf(child, of, delta);
    if (MarkOf(child, trips) == Mark::kKept) {
      part.children.push_back(std::move(below));
      continue;
    }
    // A loop that merging made around one iteration: its children take its
    // place.
    std::move(below.children.begin(), below.children.end(),
              std::back_inserter(part.children));
  }
  return part;
}

using EventKey = std::pair<Call, uint32_t>;
using TimesByEvent = std::map<EventKey, std::vector<EventTimes>>;

TimesByEvent TakeTimes(const Node& root) {
  TimesByEvent times;
  ForEachEvent(root, [&times](const Node& n) {
    times[{n.call, n.site}].push_back(n.times);
  });
  return times;
}

// One node may have become of several that stood in different orders; times
// cannot be split by rank, so then the first place has them all.
void ReturnTimes(const TimesByEvent& times, Node* root) {
  std::map<EventKey, std::vector<Node*>> places;
  ForEachEvent(*root, [&places](Node& n) {
    if (!n.trips.empty()) places[{n.call, n.site}].push_back(&n);
  });
  for (auto& [key, nodes] : places) {
    const auto it = times.find(key);
    if (it == times.end()) continue;
    for (size_t i = 0; i < it->second.size(); ++i) {
      const size_t to = nodes.size() == it->second.size() ? i : 0;
      nodes[to]->times.Merge(it->second[i]);
    }
  }
}

void ShareSites(std::span<Trace> traces) {
  Sites all;
  for (const Trace& t : traces) {
    std::vector<uint32_t> ignored, also_ignored;
    all = Unite(all, t.sites, &ignored, &also_ignored);
  }
  for (Trace& t : traces) {
    std::vector<uint32_t> map_all, map;
    (void)Unite(all, t.sites, &map_all, &map);
    RemapSites(map, &t.root);
    t.sites = all;
  }
}

}  // namespace

Status Align(std::span<Trace> traces) {
  if (traces.empty()) return Status::Ok();
  for (const Trace& t : traces) {
    const Status complete = RequireValues(t);
    if (!complete.ok()) return complete;
  }
  ShareSites(traces);
  std::vector<int64_t> bases;
  std::vector<TimesByEvent> times;
  int64_t base = 0;
  for (const Trace& t : traces) {
    times.push_back(TakeTimes(t.root));
    bases.push_back(base);
    base += t.meta.ranks;
  }
  // Ranks of all runs stand in one tree, each run's behind those of the runs
  // before it; at the end the tree is cut up again.
  Node all;
  ParameterUniter uniter;
  for (const RankClass& c : ClassesOf(traces)) {
    MergeTrees(&uniter, &all, PartOf(traces[c.trace].root, c, bases[c.trace]));
  }
  UniteSiblings(base, &all);
  std::vector<std::pair<int64_t, int64_t>> runs;
  for (size_t i = 0; i < traces.size(); ++i) {
    runs.emplace_back(bases[i], bases[i] + traces[i].meta.ranks);
  }
  EvenTrips(runs, &all);
  for (size_t i = 0; i < traces.size(); ++i) {
    const int64_t low = bases[i];
    traces[i].root = all;
    SliceTree(low, low + traces[i].meta.ranks, -low, &traces[i].root);
    ReturnTimes(times[i], &traces[i].root);
  }
  return Status::Ok();
}

}  // namespace ranksight::reduction
