#include "online_model/synthesize/check_shares.h"

#include <algorithm>
#include <set>
#include <string>

#include "online_model/synthesize/neighbour_lists.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Status;

// Numbers of a point, planes of a rim, bytes of a number: more are rare.
constexpr int64_t kLargestUnit = 8;

using Numbers = std::set<int64_t>;

// What a program shares out.
struct Shared {
  Numbers units;   // it may not cut these
  Numbers wholes;  // it says these
};

// How many numbers a message to a neighbour has, where that is always as many:
// a row of points, whole rows of which are shared out.
void AddRows(const NodeLaw& law, const Node& base, Numbers* units) {
  const auto params = reduction::Info(base.call).params;
  const bool exchanges =
      std::any_of(params.begin(), params.end(), NamesNeighbours);
  for (size_t i = 0; exchanges && i < law.params.size(); ++i) {
    if (law.absent[i] || params[i] != reduction::Param::kCount) continue;
    ForEachScalarLaw(law.params[i], [units](const ScalarLaw& v) {
      if (v.IsOneNumber() && v.constant > kLargestUnit) {
        units->insert(v.constant);
      }
    });
  }
  for (size_t c = 0; c < law.children.size(); ++c) {
    AddRows(law.children[c], base.children[c], units);
  }
}

// What the program itself says of its arrays: that is shared out, whatever else
// it is a multiple of.
void AddNumbersSaid(const NodeLaw& law, const Node& base, Numbers* wholes) {
  const auto params = reduction::Info(base.call).params;
  for (size_t i = 0; i < law.params.size(); ++i) {
    if (law.absent[i] || params[i] != reduction::Param::kDims) continue;
    ForEachScalarLaw(law.params[i], [wholes](const ScalarLaw& v) {
      if (v.IsOneNumber()) wholes->insert(v.constant);
    });
  }
  for (size_t c = 0; c < law.children.size(); ++c) {
    AddNumbersSaid(law.children[c], base.children[c], wholes);
  }
}

// Of how many the units would be; 0: runs or target tell.
int64_t UnitCut(const Expression& share, const Shared& shared,
                std::span<const Grid> runs, const Grid& target) {
  const int64_t whole = share.a->value;
  if (shared.wholes.count(whole) > 0) return 0;
  const int64_t there = share.b->At(Context(target, 0));
  if (there <= 0 || whole % there != 0) return 0;
  for (const int64_t unit : shared.units) {
    // Nobody takes more ranks than there are units.
    if (whole % unit != 0 || whole / unit < there) continue;
    if (whole / unit % there == 0) continue;
    const bool fits = std::all_of(runs.begin(), runs.end(), [&](const Grid& g) {
      const int64_t parts = share.b->At(Context(g, 0));
      return parts > 0 && whole / unit % parts == 0;
    });
    if (fits) return unit;
  }
  return 0;
}

Status CheckShare(const Expression& e, const Shared& shared,
                  std::span<const Grid> runs, const Grid& target) {
  const bool shares = e.op == Expression::Op::kDivideExactly &&
                      e.a->op == Expression::Op::kConstant;
  const int64_t unit = shares ? UnitCut(e, shared, runs, target) : 0;
  if (unit == 0) return Status::Ok();
  return Status::No(std::to_string(e.a->value) + " are shared out among " +
                    e.b->ToString() + ", or " +
                    std::to_string(e.a->value / unit) + " times " +
                    std::to_string(unit) + ": all runs divide both, " +
                    std::to_string(target.ranks()) + " ranks, " +
                    std::to_string(e.b->At(Context(target, 0))) +
                    " of them along it, one alone; a run of such a size may "
                    "tell");
}

Status CheckAll(const NodeLaw& root, const Shared& shared,
                std::span<const Grid> runs, const Grid& target) {
  Status status = Status::Ok();
  // Iterations come one by one: only parameters are in units.
  for (const SequenceLaw& p : root.params) {
    ForEachScalarLaw(p, [&](const ScalarLaw& law) {
      ForEachExpression(law, [&](const Expression& e) {
        if (status.ok()) status = CheckShare(e, shared, runs, target);
      });
    });
  }
  for (const NodeLaw& child : root.children) {
    if (status.ok()) status = CheckAll(child, shared, runs, target);
  }
  return status;
}

}  // namespace

Status CheckShares(const NodeLaw& root, const Node& base,
                   std::span<const Grid> runs, const Grid& target) {
  Shared shared;
  for (int64_t unit = 2; unit <= kLargestUnit; ++unit) {
    shared.units.insert(unit);
  }
  AddRows(root, base, &shared.units);
  AddNumbersSaid(root, base, &shared.wholes);
  return CheckAll(root, shared, runs, target);
}

}  // namespace ranksight::online_model
