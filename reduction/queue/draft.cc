#include "reduction/queue/draft.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "reduction/api/contract.h"
#include "reduction/api/pause.h"
#include "reduction/queue/tree_node.h"

namespace ranksight::reduction {
namespace {

// Visits of a loop, and iterations that something ended, that are looked at.
// A loop with more stays as it is: a longer tree, no other one.
constexpr size_t kMostLookedAt = size_t{1} << 16;

using Indices = std::vector<uint64_t>;

// Where the section is not 0; nothing where that is too often.
std::optional<Indices> WhereNotZero(const Section& section) {
  Indices found;
  SectionCursor at(&section);
  for (uint64_t i = 0, count = 0; !at.done(); i += count) {
    if (at.NextRun(&count) == 0) continue;
    if (found.size() + count > kMostLookedAt) return std::nullopt;
    for (uint64_t k = 0; k < count; ++k) found.push_back(i + k);
  }
  return found;
}

// The section's values there. REQUIRES: ascending, each < size().
std::vector<int64_t> ValuesAt(const Section& section, const Indices& there) {
  std::vector<int64_t> values;
  SectionCursor at(&section);
  uint64_t end = 0;
  int64_t value = 0;
  for (const uint64_t i : there) {
    for (uint64_t count = 0; end <= i; end += count) value = at.NextRun(&count);
    values.push_back(value);
  }
  return values;
}

// The section without what is there. REQUIRES: as for ValuesAt.
Section Without(const Section& section, const Indices& there) {
  Section rest;
  SectionCursor at(&section);
  size_t next = 0;
  for (uint64_t i = 0, count = 0; !at.done(); i += count) {
    const int64_t value = at.NextRun(&count);
    uint64_t left = count;
    for (; next < there.size() && there[next] < i + count; ++next) --left;
    rest.AppendRun(value, left);
  }
  return rest;
}

bool RunsAtAny(const Draft& node, const Indices& there) {
  const auto values = ValuesAt(node.trips, there);
  return std::any_of(values.begin(), values.end(),
                     [](int64_t v) { return v != 0; });
}

// Iterations one after the other that what follows ends.
struct Group {
  int64_t iterations = 0;
  int64_t follows = 0;  // how often it then runs; 0 at the end of a visit only
};

// The iterations of each visit, cut behind each of `ends`, in which something
// runs `follows` times.
std::vector<std::vector<Group>> Cut(const std::vector<int64_t>& visits,
                                    const Indices& ends,
                                    const std::vector<int64_t>& follows) {
  std::vector<std::vector<Group>> cut;
  uint64_t past = 0;
  size_t next = 0;
  for (const int64_t iterations : visits) {
    std::vector<Group> groups;
    const uint64_t end = past + uint64_t(iterations);
    for (; next < ends.size() && ends[next] < end; ++next) {
      groups.push_back({int64_t(ends[next] + 1 - past), follows[next]});
      past = ends[next] + 1;
    }
    // What is behind the last cut of the visit, followed by nothing.
    if (past < end) groups.push_back({int64_t(end - past), 0});
    past = end;
    cut.push_back(std::move(groups));
  }
  return cut;
}

// Takes from the loop the iterations that end groups and in which nothing that
// is left in it runs. REQUIRES: cut is that of the loop at `ends`.
void DropIdle(const Indices& ends, Draft* loop,
              std::vector<std::vector<Group>>* cut) {
  std::vector<bool> runs(ends.size(), false);
  for (const Draft& child : loop->children) {
    const auto values = ValuesAt(child.trips, ends);
    for (size_t i = 0; i < ends.size(); ++i)
      runs[i] = runs[i] || values[i] != 0;
  }
  Indices idle;
  size_t next = 0;
  // `next` counts the ends as they stand in the cut, group by group.
  for (auto& groups : *cut) {
    for (Group& group : groups) {
      if (group.follows == 0) continue;
      if (!runs[next]) {
        idle.push_back(ends[next]);
        --group.iterations;
      }
      ++next;
    }
  }
  if (idle.empty()) return;
  for (Draft& child : loop->children) {
    Pause();
    child.trips = Without(child.trips, idle);
  }
}

// A child that is to follow the others, the iterations in which it runs, and
// those of each visit, cut behind these.
struct Follower {
  size_t child;
  Indices ends;
  std::vector<std::vector<Group>> cut;

  // It ended each visit, and nothing else.
  bool once() const {
    return std::all_of(cut.begin(), cut.end(),
                       [](const auto& groups) { return groups.size() <= 1; });
  }
};

// The last child that may follow the others and does: those behind it never run
// in the same iteration, and it was not in the loop from the beginning.
std::optional<Follower> FollowerOf(const Draft& loop) {
  if (loop.trips.empty() || loop.trips.Max() < 2 ||
      loop.trips.size() > kMostLookedAt) {
    return std::nullopt;
  }
  for (size_t i = loop.children.size(); i-- > 1;) {
    if (!loop.children[i].may_follow) continue;
    Pause();
    const Section& trips = loop.children[i].trips;
    auto ends = WhereNotZero(trips);
    if (!ends || ends->empty()) continue;
    const bool last = std::none_of(
        loop.children.begin() + long(i) + 1, loop.children.end(),
        [&](const Draft& behind) { return RunsAtAny(behind, *ends); });
    if (!last) continue;
    // The loop ends wherever the follower runs: its iterations fall into
    // groups, each with what follows it.
    auto cut = Cut(loop.trips.Expand(), *ends, ValuesAt(trips, *ends));
    Follower found{i, *std::move(ends), std::move(cut)};
    if (found.once() || found.ends[0] > 0) return found;
  }
  return std::nullopt;
}

// What was taken out of a loop, and how often a loop around both runs in each
// iteration of what was the loop's parent; nothing where none is needed.
struct Taken {
  Draft behind;
  std::optional<Section> around;
};

Taken Take(Follower follower, Draft* loop) {
  Taken taken;
  Draft& behind = taken.behind;
  behind = std::move(loop->children[follower.child]);
  loop->children.erase(loop->children.begin() + long(follower.child));
  const bool once = follower.once();
  DropIdle(follower.ends, loop, &follower.cut);
  Section around;
  loop->trips = behind.trips = Section();
  // Trips of the loop around, of the loop, and of what follows, from the groups
  // of each iteration of the parent.
  for (auto& groups : follower.cut) {
    around.Append(int64_t(groups.size()));
    if (once && groups.empty()) groups.emplace_back();
    for (const Group& group : groups) {
      loop->trips.Append(group.iterations);
      behind.trips.Append(group.follows);
    }
  }
  if (!once) taken.around = std::move(around);
  return taken;
}

// A loop of all of them.
Draft Enclose(std::vector<Draft> children, Section trips) {
  Draft loop;
  loop.trips = std::move(trips);
  for (const Draft& child : children) {
    loop.levels = std::max(loop.levels, child.levels + 1);
  }
  loop.may_follow = std::all_of(children.begin(), children.end(),
                                [](const Draft& d) { return d.may_follow; });
  loop.children = std::move(children);
  return loop;
}

}  // namespace

std::vector<Draft> Split(Draft loop, int above) {
  RANKSIGHT_REQUIRE(above >= 0);
  std::vector<Taken> taken;  // what follows last first
  for (int levels = above + loop.levels; levels < kMostLevels;) {
    auto follower = FollowerOf(loop);
    if (!follower) break;
    taken.push_back(Take(*std::move(follower), &loop));
    levels += taken.back().around ? 1 : 0;
  }
  std::vector<Draft> made;
  made.push_back(std::move(loop));
  for (; !taken.empty(); taken.pop_back()) {
    made.push_back(std::move(taken.back().behind));
    if (!taken.back().around) continue;
    Draft around = Enclose(std::move(made), *std::move(taken.back().around));
    made.clear();
    made.push_back(std::move(around));
  }
  return made;
}

}  // namespace ranksight::reduction
