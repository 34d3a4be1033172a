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
  const std::set<int> sides = SidesWithoutDirection(runs, target);
  if (sides.empty()) return Status::Ok();
  const int gone = SideGoneAround(root, like, sides);
  if (gone < 0) return Status::Ok();
  return OpenAtTarget(
      "one-sided calls go around side " + std::to_string(gone) +
          " of the grid, which has two ranks at most in all runs, so that both "
          "ways are one",
      target.ranks(), "it has " + std::to_string(target.dims[size_t(gone)]));
}

}  // namespace ranksight::online_model
