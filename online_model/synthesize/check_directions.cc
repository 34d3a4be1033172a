#include "online_model/synthesize/check_directions.h"

#include <algorithm>
#include <set>
#include <string>

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

// One of the sides around which a list that skips ranks goes; -1 for none.
int SideOfSkipped(const NodeLaw& law, const std::set<int>& sides) {
  int gone = -1;
  for (const SequenceLaw& param : law.params) {
    const Neighbours* list = param.list.get();
    if (list == nullptr || !(list->skips_own || list->skips_known)) continue;
    for (const int d : sides) {
      const bool moves = std::ranges::any_of(
          list->slots, [d](const auto& by) { return by[size_t(d)] != 0; });
      if (moves && (list->periodic >> d & 1) != 0) gone = d;
    }
  }
  for (const NodeLaw& child : law.children) {
    gone = std::max(gone, SideOfSkipped(child, sides));
  }
  return gone;
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
  const int once = SideOfSkipped(root, sides);
  if (once >= 0) {
    return OpenAtTarget("each neighbour is listed once around" + side_of(once) +
                            "which has two ranks at most in all runs, so that "
                            "they may be one or two",
                        target.ranks(), it_has(once));
  }
  const int shorter = SideOfSkipped(root, NewShortSides(runs, target));
  if (shorter >= 0) {
    return OpenAtTarget("neighbours are skipped around" + side_of(shorter) +
                            "which is as short in no run",
                        target.ranks(), it_has(shorter));
  }
  return Status::Ok();
}

}  // namespace ranksight::online_model
