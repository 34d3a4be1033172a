#include "reduction/merge/wrap.h"

#include <algorithm>
#include <utility>

namespace ranksight::reduction {
namespace {

// Trip counts of the new loop and of its children on one rank.
struct RankTrips {
  Section loop;
  std::vector<Section> children;
};

// The only child with trips when the loop's iterations are its repetitions;
// else children.size().
size_t AloneInLoop(const std::vector<Section>& children,
                   const std::vector<bool>& once) {
  size_t alone = children.size();
  for (size_t k = 0; k < children.size(); ++k) {
    if (children[k].empty()) continue;
    if (alone != children.size() || !once[k]) return children.size();
    alone = k;
  }
  return alone;
}

RankTrips TripsOn(int64_t rank, uint64_t iterations, const Wrap& wrap,
                  const std::vector<Node>& inside) {
  RankTrips out;
  bool always = false;
  for (const Node& n : inside) {
    out.children.push_back(n.trips.At(rank));
    const Section& s = out.children.back();
    always = always || (!s.empty() && s.Min() > 0);
  }
  const size_t alone = AloneInLoop(out.children, wrap.once);
  if (alone < out.children.size()) {
    out.loop = out.children[alone];
    out.children[alone] = Section::Constant(1, uint64_t(out.loop.Sum()));
    return out;
  }
  if (always) {
    out.loop = Section::Constant(1, iterations);
    return out;
  }
  // Leave out the iterations in which none of them ran.
  std::vector<SectionCursor> cursors;
  for (const Section& s : out.children) cursors.emplace_back(&s);
  std::vector<Section> kept(inside.size());
  for (uint64_t i = 0; i < iterations; ++i) {
    std::vector<int64_t> row;
    for (SectionCursor& c : cursors) row.push_back(c.done() ? 0 : c.Next());
    const bool ran =
        std::any_of(row.begin(), row.end(), [](int64_t v) { return v != 0; });
    out.loop.Append(ran ? 1 : 0);
    for (size_t k = 0; ran && k < row.size(); ++k) {
      if (!out.children[k].empty()) kept[k].Append(row[k]);
    }
  }
  out.children = std::move(kept);
  return out;
}

}  // namespace

void WrapChildren(const Parameter* parent_trips, const Wrap& wrap,
                  std::vector<Node>* children) {
  const auto begin = children->begin() + long(wrap.first);
  const auto end = children->begin() + long(wrap.last) + 1;
  Node loop;
  loop.children.assign(std::make_move_iterator(begin),
                       std::make_move_iterator(end));
  children->erase(begin + 1, end);
  std::vector<int64_t> ranks;
  for (const Node& n : loop.children) {
    const auto more = n.trips.Ranks().Expand();
    ranks.insert(ranks.end(), more.begin(), more.end());
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::vector<Parameter> trips(loop.children.size());
  for (const int64_t rank : ranks) {
    const uint64_t iterations =
        parent_trips == nullptr ? 1 : uint64_t(parent_trips->At(rank).Sum());
    const RankTrips t = TripsOn(rank, iterations, wrap, loop.children);
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
