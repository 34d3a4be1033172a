#include "reduction/merge/wrap.h"

#include <algorithm>
#include <utility>

#include "reduction/api/contract.h"

namespace ranksight::reduction {
namespace {

// The only child with trips when the loop's iterations are its repetitions;
// else children.size().
size_t AloneInLoop(const std::vector<Section>& children,
                   const std::vector<bool>& once) {
  RANKSIGHT_REQUIRE(once.size() == children.size());
  size_t alone = children.size();
  for (size_t k = 0; k < children.size(); ++k) {
    if (children[k].empty()) continue;
    if (alone != children.size() || !once[k]) return children.size();
    alone = k;
  }
  return alone;
}

}  // namespace

WrappedTrips WrapTrips(uint64_t iterations, const std::vector<bool>& once,
                       std::vector<Section> children) {
  RANKSIGHT_REQUIRE(once.size() == children.size());
  WrappedTrips out;
  const size_t alone = AloneInLoop(children, once);
  if (alone < children.size()) {
    out.loop = std::move(children[alone]);
    out.children = std::move(children);
    out.children[alone] = Section::Constant(1, uint64_t(out.loop.Sum()));
    return out;
  }
  const bool always =
      std::any_of(children.begin(), children.end(),
                  [](const Section& s) { return !s.empty() && s.Min() > 0; });
  if (always) {
    out.loop = Section::Constant(1, iterations);
    out.children = std::move(children);
    return out;
  }
  // Leave out the iterations in which none of them ran.
  std::vector<SectionCursor> cursors;
  for (const Section& s : children) cursors.emplace_back(&s);
  out.children.resize(children.size());
  for (uint64_t i = 0; i < iterations; ++i) {
    std::vector<int64_t> row;
    for (SectionCursor& c : cursors) row.push_back(c.done() ? 0 : c.Next());
    const bool ran =
        std::any_of(row.begin(), row.end(), [](int64_t v) { return v != 0; });
    out.loop.Append(ran ? 1 : 0);
    for (size_t k = 0; ran && k < row.size(); ++k) {
      if (!children[k].empty()) out.children[k].Append(row[k]);
    }
  }
  return out;
}

void WrapChildren(const Parameter* parent_trips, const Wrap& wrap,
                  std::vector<Node>* children) {
  Node loop = TakeWrapped(wrap, children);
  std::vector<int64_t> ranks;
  for (const Node& n : loop.children) {
    const auto more = n.trips.Ranks().Expand();
    ranks.insert(ranks.end(), more.begin(), more.end());
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::vector<Parameter> trips(loop.children.size());
  for (const int64_t rank : ranks) {
    // Below the root there is one iteration.
    const uint64_t iterations =
        parent_trips == nullptr ? 1 : uint64_t(parent_trips->At(rank).Sum());
    std::vector<Section> inside;
    for (const Node& n : loop.children) inside.push_back(n.trips.At(rank));
    const WrappedTrips t = WrapTrips(iterations, wrap.once, std::move(inside));
    loop.trips.Add(rank, t.loop, false);
    for (size_t k = 0; k < trips.size(); ++k) {
      trips[k].Add(rank, t.children[k], false);
    }
  }
  for (size_t k = 0; k < trips.size(); ++k) {
    loop.children[k].trips = std::move(trips[k]);
  }
  (*children)[wrap.first] = std::move(loop);
}

}  // namespace ranksight::reduction
