#include "online_model/synthesize/check_directions.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "online_model/synthesize/check_turns.h"
#include "online_model/synthesize/telling_run.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Param;
using reduction::Status;

// Sides of the target around which no run shows a direction.
std::set<int> SidesWithoutDirection(std::span<const Grid> runs,
                                    const Grid& target) {
  std::set<int> sides;
  for (size_t d = 0; d < target.dims.size(); ++d) {
    const bool is_short = std::ranges::all_of(
        runs, [d](const Grid& g) { return g.dims[d] <= 2; });
    if (is_short && target.dims[d] > 2) sides.insert(int(d));
  }
  return sides;
}

// Sides of one or two ranks that the runs have otherwise.
std::set<int> NewShortSides(std::span<const Grid> runs, const Grid& target) {
  std::set<int> sides;
  for (size_t d = 0; d < target.dims.size(); ++d) {
    const bool is_new = std::ranges::all_of(
        runs, [&](const Grid& g) { return g.dims[d] != target.dims[d]; });
    if (is_new && target.dims[d] <= 2) sides.insert(int(d));
  }
  return sides;
}

// Whether the list has neighbours on both ways around the side.
bool GoesBothWays(const Neighbours& list, int side) {
  bool up = false, down = false;
  for (const Displacement& by : list.slots) {
    up |= by[size_t(side)] > 0;
    down |= by[size_t(side)] < 0;
  }
  return (list.periodic >> side & 1) != 0 && up && down;
}

// One of the sides along which a list, of all lists for which ask holds, goes;
// -1 for none.
template <class Ask>
int SideOfList(const NodeLaw& law, const Node& like, const std::set<int>& sides,
               const Ask& ask) {
  int gone = -1;
  const auto params = reduction::Info(like.call).params;
  for (size_t i = 0; i < law.params.size(); ++i) {
    const Neighbours* list = law.params[i].list.get();
    if (list == nullptr) continue;
    const bool is_whole =
        params[i] == Param::kSources || params[i] == Param::kDestinations;
    for (const int d : sides) {
      if (list->MovesAlong(size_t(d)) && ask(*list, is_whole, d)) gone = d;
    }
  }
  for (size_t c = 0; c < law.children.size(); ++c) {
    gone = std::max(gone,
                    SideOfList(law.children[c], like.children[c], sides, ask));
  }
  return gone;
}

// Whether so many ranks without a part may be what is left of some number that
// the ranks are shared out in: all runs leave as many, and the target another.
constexpr int64_t kMostShared = 64;
bool MayBeRemainder(int64_t left_out, std::span<const Grid> runs,
                    int64_t target) {
  int64_t fewest = std::min(target, kMostShared);
  for (const Grid& run : runs) fewest = std::min(fewest, run.ranks());
  for (int64_t k = left_out + 1; k <= fewest; ++k) {
    const bool is_left = std::ranges::all_of(
        runs, [&](const Grid& run) { return run.ranks() % k == left_out; });
    if (is_left && target % k != left_out) return true;
  }
  return false;
}

// Why the runs do not tell who has a part in a list of a part of the line, or
// whom it names there; "" where they do.
std::string WhyPartIsOpen(const Neighbours& list, std::span<const Grid> runs,
                          int64_t target) {
  const int64_t left_out = list.left_out_first + list.left_out_last;
  if (MayBeRemainder(left_out, runs, target)) {
    return std::to_string(left_out) +
           " of the ranks have no part in all runs, which may be what is left "
           "of a number that they are shared out in";
  }
  const bool is_short = std::ranges::all_of(runs, [&](const Grid& run) {
    return list.PartOf(run.ranks()) > list.PartOf(target);
  });
  return is_short && list.periodic != 0
             ? "neighbours are listed around a part of the ranks which is as "
               "short in no run"
             : "";
}

std::string WhyPartIsOpen(const NodeLaw& law, std::span<const Grid> runs,
                          int64_t target) {
  for (const SequenceLaw& param : law.params) {
    if (param.list == nullptr || !param.list->leaves_out()) continue;
    std::string why = WhyPartIsOpen(*param.list, runs, target);
    if (!why.empty()) return why;
  }
  for (const NodeLaw& child : law.children) {
    std::string why = WhyPartIsOpen(child, runs, target);
    if (!why.empty()) return why;
  }
  return "";
}

// A few ranks of each kind: at the ends of sides, next to them, and between.
std::vector<Context> SomeRanks(const Grid& grid) {
  std::vector<Coordinates> some{Coordinates{}};
  for (size_t d = 0; d < grid.dims.size(); ++d) {
    const int64_t n = grid.dims[d];
    std::vector<Coordinates> more;
    for (const int64_t x : std::set<int64_t>{0, 1 % n, n / 2, n - 1}) {
      for (Coordinates at : some) {
        at[d] = x;
        more.push_back(at);
      }
    }
    some = std::move(more);
  }
  std::vector<Context> ranks;
  for (const Coordinates& at : some) {
    ranks.emplace_back(grid, grid.RankOf(at));
  }
  return ranks;
}

// Whether a list of neighbours is as long everywhere as the number before it
// says.
bool AreCounted(const NodeLaw& law, const Node& like,
                const std::vector<Context>& ranks) {
  const auto params = reduction::Info(like.call).params;
  for (size_t i = 1; i < law.params.size(); ++i) {
    const SequenceLaw& list = law.params[i];
    const SequenceLaw& count = law.params[i - 1];
    if (params[i] != Param::kSources && params[i] != Param::kDestinations) {
      continue;
    }
    if (list.list == nullptr || !list.peers || count.values.size() != 1 ||
        !count.prefix.empty()) {
      continue;
    }
    for (const Context& c : ranks) {
      if (count.values[0].At(c) != list.list->Degree(c)) return false;
    }
  }
  for (size_t c = 0; c < law.children.size(); ++c) {
    if (!AreCounted(law.children[c], like.children[c], ranks)) return false;
  }
  return true;
}

// One of the sides around which the law goes; -1 for none.
int SideGoneAround(const ScalarLaw& law, const std::set<int>& sides) {
  int gone = -1;
  if (law.kind == ScalarLaw::Kind::kNeighbour) {
    for (const int d : sides) {
      const bool is_periodic = (law.periodic >> d & 1) != 0;
      if (is_periodic && law.by[size_t(d)] % 2 != 0) gone = d;
    }
  }
  ForEachExpression(law, [&](const Expression& e) {
    if (e.op == Expression::Op::kMove && sides.count(int(e.value)) > 0) {
      gone = int(e.value);
    }
  });
  return gone;
}

int SideGoneAround(const NodeLaw& law, const Node& like,
                   const std::set<int>& sides) {
  int gone = -1;
  const auto& info = reduction::Info(like.call);
  if (info.family == reduction::Family::kOneSided) {
    const auto params = info.params;
    for (size_t i = 0; i < law.params.size(); ++i) {
      if (params[i] != Param::kPeer || law.absent[i]) continue;
      ForEachScalarLaw(law.params[i], [&](const ScalarLaw& v) {
        gone = std::max(gone, SideGoneAround(v, sides));
      });
    }
  }
  for (size_t c = 0; c < law.children.size(); ++c) {
    gone = std::max(gone,
                    SideGoneAround(law.children[c], like.children[c], sides));
  }
  return gone;
}

}  // namespace

Status CheckDirections(const NodeLaw& root, const Node& like,
                       std::span<const Grid> runs, const Grid& target) {
  const auto it_has = [&target](int side) {
    return "it has " + std::to_string(target.dims[size_t(side)]);
  };
  const auto side_of = [](int side) {
    return " side " + std::to_string(side) + " of the grid, ";
  };
  const std::set<int> sides = SidesWithoutDirection(runs, target);
  const int gone = SideGoneAround(root, like, sides);
  if (gone >= 0) {
    return OpenAtTarget("one-sided calls go around" + side_of(gone) +
                            "which has two ranks at most in all runs, so that "
                            "both ways are one",
                        target.ranks(), it_has(gone));
  }
  const int once = SideOfList(root, like, sides,
                              [](const Neighbours& list, bool is_whole, int d) {
                                return list.skips() || list.ascending ||
                                       (is_whole && !GoesBothWays(list, d));
                              });
  if (once >= 0) {
    return OpenAtTarget("each neighbour is listed once around" + side_of(once) +
                            "which has two ranks at most in all runs, so that "
                            "they may be one or two",
                        target.ranks(), it_has(once));
  }
  const int shorter = SideOfList(
      root, like, NewShortSides(runs, target),
      [](const Neighbours& list, bool is_whole, int d) {
        const bool may_skip = list.skips() || list.ascending || is_whole;
        return may_skip && (list.periodic >> d & 1) != 0;
      });
  if (shorter >= 0) {
    return OpenAtTarget("neighbours are listed around" + side_of(shorter) +
                            "which is as short in no run, so that some may be "
                            "skipped",
                        target.ranks(), it_has(shorter));
  }
  const std::string part = WhyPartIsOpen(root, runs, target.ranks());
  if (!part.empty()) {
    return OpenAtTarget(part, target.ranks(), "it may be another");
  }
  if (!AreCounted(root, like, SomeRanks(target))) {
    return Status::No(
        "a list of neighbours would be shorter or longer than its length says "
        "at " +
        std::to_string(target.ranks()) + " ranks");
  }
  return CheckTurns(root, runs, target);
}

}  // namespace ranksight::online_model
