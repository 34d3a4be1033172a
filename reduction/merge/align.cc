// Align lets the traces be merged as if they were further ranks of one run,
// so that one mechanism decides what is the same, and takes them apart again.
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/merge.h"
#include "reduction/merge/merge_trees.h"

namespace ranksight::reduction {
namespace {

void SliceTree(int64_t low, int64_t high, int64_t delta, Node* node) {
  node->trips = node->trips.Slice(low, high, delta);
  for (Parameter& p : node->params) p = p.Slice(low, high, delta);
  for (Node& child : node->children) SliceTree(low, high, delta, &child);
}

std::vector<EventTimes> TakeTimes(Node* root) {
  std::vector<EventTimes> times;
  ForEachEvent(*root, [&times](Node& n) {
    times.push_back(std::move(n.times));
    n.times = EventTimes();
  });
  return times;
}

// Merging keeps the order of each side's events, so the i-th event with any
// rank of this trace is its i-th event.
Status ReturnTimes(std::vector<EventTimes> times, Node* root) {
  size_t next = 0;
  ForEachEvent(*root, [&](Node& n) {
    if (n.trips.empty() || next == times.size()) return;
    n.times = std::move(times[next++]);
  });
  return next == times.size()
             ? Status::Ok()
             : Status::Internal("align: an event lost its place");
}

}  // namespace

Status Align(std::span<Trace> traces) {
  if (traces.empty()) return Status::Ok();
  std::vector<std::vector<EventTimes>> times;
  std::vector<int64_t> bases;
  Trace all;
  int64_t base = 0;
  for (Trace& t : traces) {
    times.push_back(TakeTimes(&t.root));
    bases.push_back(base);
    Trace part;
    part.meta.ranks = base + t.meta.ranks;
    part.sites = t.sites;
    part.root = t.root;
    SliceTree(0, t.meta.ranks, base, &part.root);
    if (base == 0) {
      all = std::move(part);
    } else {
      Result<Trace> merged = Merge(std::move(all), std::move(part));
      if (!merged.ok()) return merged.status();
      all = std::move(*merged);
    }
    base += t.meta.ranks;
  }
  for (size_t i = 0; i < traces.size(); ++i) {
    const int64_t low = bases[i];
    traces[i].sites = all.sites;
    traces[i].root = all.root;
    SliceTree(low, low + traces[i].meta.ranks, -low, &traces[i].root);
    const Status s = ReturnTimes(std::move(times[i]), &traces[i].root);
    if (!s.ok()) return s;
  }
  return Status::Ok();
}

}  // namespace ranksight::reduction
