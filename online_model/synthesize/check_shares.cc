#include "online_model/synthesize/check_shares.h"

#include <algorithm>
#include <compare>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "online_model/structure/cut_whole.h"
#include "online_model/synthesize/neighbour_lists.h"
#include "online_model/synthesize/telling_run.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Status;

// Numbers of a point, planes of a rim, bytes of a number: more are rare.
constexpr int64_t kLargestUnit = 8;

using Numbers = std::set<int64_t>;

// A product of so many shares and a number.
struct Amount {
  int shares = 0;
  int64_t factor = 1;
  auto operator<=>(const Amount&) const = default;
};

// What a program shares out.
struct Shared {
  Numbers units;                                  // it may not cut these
  Numbers wholes;                                 // it says these
  std::vector<const Expression*> all, exchanged;  // shares; of neighbours
  std::set<Amount> amounts;                       // that neighbours get
  std::set<std::pair<int64_t, int64_t>> blocks;   // side, and what is cut
};

// Whether a number is shared out among ranks that divide it.
bool IsShare(const Expression& e) {
  return e.op == Expression::Op::kDivideExactly &&
         e.a->op == Expression::Op::kConstant;
}

// Nothing of what is no product.
std::optional<Amount> AmountOf(const Expression& e) {
  if (IsShare(e)) return Amount{1, 1};
  if (e.op == Expression::Op::kConstant) return Amount{0, e.value};
  if (e.op != Expression::Op::kMultiply) return std::nullopt;
  const auto a = AmountOf(*e.a), b = AmountOf(*e.b);
  if (!a || !b) return std::nullopt;
  return Amount{a->shares + b->shares,
                CheckedValue(__int128{a->factor} * b->factor)};
}

bool Exchanges(reduction::Call call) {
  const auto params = reduction::Info(call).params;
  return std::any_of(params.begin(), params.end(), NamesNeighbours);
}

void AddShares(const NodeLaw& law, const Node& base, Shared* shared) {
  const auto params = reduction::Info(base.call).params;
  for (size_t i = 0; i < law.params.size(); ++i) {
    if (law.absent[i]) continue;
    const bool exchanged =
        params[i] == reduction::Param::kCount && Exchanges(base.call);
    ForEachScalarLaw(law.params[i], [&](const ScalarLaw& v) {
      ForEachExpression(v, [&](const Expression& e) {
        if (IsBlockOfNumber(e)) shared->blocks.insert({e.value, e.a->value});
        if (!IsShare(e)) return;
        shared->all.push_back(&e);
        if (exchanged) shared->exchanged.push_back(&e);
      });
      if (!exchanged || v.kind != ScalarLaw::Kind::kExpression) return;
      const auto amount = AmountOf(*v.expression);
      if (amount) shared->amounts.insert(*amount);
    });
  }
  for (size_t c = 0; c < law.children.size(); ++c) {
    AddShares(law.children[c], base.children[c], shared);
  }
}

// Whether all runs have equal shares of so many units of it.
bool AllDivide(const Expression& share, int64_t unit,
               std::span<const Grid> runs) {
  if (share.a->value % unit != 0) return false;
  const int64_t whole = share.a->value / unit;
  return std::all_of(runs.begin(), runs.end(), [&](const Grid& g) {
    const int64_t parts = share.b->At(Context(g, 0));
    return parts > 0 && whole % parts == 0;
  });
}

// Whether products of more shares, which have all that a point has, leave such
// of fewer shares, or of none, whole sides in units: 15 rows of 4 are no unit
// of four of a face that has one side less in the same units.
bool LeavesSides(int64_t unit, const std::set<Amount>& amounts) {
  if (amounts.empty()) return true;
  const int most = amounts.rbegin()->shares;
  int64_t point = 0;
  for (const Amount& amount : amounts) {
    if (amount.shares == most) point = std::gcd(point, amount.factor);
  }
  return std::all_of(amounts.begin(), amounts.end(), [&](const Amount& amount) {
    __int128 factor = point;
    for (int k = amount.shares; k < most; ++k) factor *= unit;
    return factor == 0 || amount.factor % factor == 0;
  });
}

// Whether a point, or a block along each side, may have so many numbers: then
// all that neighbours get is shared out in such units, unless it is something
// else of one number a point.
bool MayBeUnit(int64_t unit, const Expression& share, const Shared& shared,
               std::span<const Grid> runs) {
  const auto& parts = shared.exchanged;
  return (LeavesSides(unit, shared.amounts) &&
          std::all_of(parts.begin(), parts.end(),
                      [&](const Expression* e) {
                        return AllDivide(*e, unit, runs);
                      })) ||
         std::any_of(shared.all.begin(), shared.all.end(),
                     [&](const Expression* e) {
                       return e->a->value * unit == share.a->value &&
                              e->b->ToString() == share.b->ToString();
                     });
}

// How many numbers a message to a neighbour has, where that is always as many:
// a row of points, whole rows of which are shared out.
void AddRows(const NodeLaw& law, const Node& base, Numbers* units) {
  const auto params = reduction::Info(base.call).params;
  for (size_t i = 0; Exchanges(base.call) && i < law.params.size(); ++i) {
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
    if (whole / unit % there == 0 || !AllDivide(share, unit, runs)) continue;
    if (unit > kLargestUnit || MayBeUnit(unit, share, shared, runs)) {
      return unit;
    }
  }
  return 0;
}

Status CheckShare(const Expression& e, const Shared& shared,
                  std::span<const Grid> runs, const Grid& target) {
  const int64_t unit = IsShare(e) ? UnitCut(e, shared, runs, target) : 0;
  if (unit == 0) return Status::Ok();
  return OpenAtTarget(std::to_string(e.a->value) + " are shared out among " +
                          e.b->ToString() + ", or " +
                          std::to_string(e.a->value / unit) + " times " +
                          std::to_string(unit) + ", and all runs divide both",
                      target.ranks(),
                      std::to_string(e.b->At(Context(target, 0))) +
                          " of them along it, one alone is divided");
}

// Points of a block with a halo.
struct BlockWithHalo {
  int64_t side = 0, whole = 0, halo = 0;

  int64_t At(int64_t parts, int64_t x) const {
    return ValueOf(What::kSize, Division::kFirst, whole, parts, x) + halo;
  }
};

std::optional<BlockWithHalo> BlockWithHaloOf(const Expression& e,
                                             const Grid& grid) {
  using Op = Expression::Op;
  const bool is_one = (e.op == Op::kAdd || e.op == Op::kSubtract) &&
                      IsBlockOfNumber(*e.a) && e.b->op == Op::kConstant &&
                      e.a->value >= 0 && e.a->value < grid.size();
  if (!is_one) return std::nullopt;
  const int64_t halo = e.op == Op::kAdd ? e.b->value : -e.b->value;
  return BlockWithHalo{e.a->value, e.a->a->value, halo};
}

// Whether a part of the blocks of another number has as many on all places of
// these grids.
bool IsPartOf(int64_t whole, int64_t divisor, const BlockWithHalo& block,
              std::span<const Grid> grids) {
  return std::all_of(grids.begin(), grids.end(), [&](const Grid& grid) {
    const int64_t parts = grid.dims[size_t(block.side)];
    for (int64_t x = 0; x < parts; ++x) {
      const int64_t size =
          ValueOf(What::kSize, Division::kFirst, whole, parts, x);
      if (size / divisor != block.At(parts, x)) return false;
    }
    return true;
  });
}

// 53 points cut with one less each are, of few ranks, as many as half of 101
// points that other laws cut, rounded down.
Status CheckHalo(const Expression& e, const Shared& shared,
                 std::span<const Grid> runs, const Grid& target) {
  constexpr int64_t kLargestDivisor = 8;
  const auto block = BlockWithHaloOf(e, target);
  if (!block) return Status::Ok();
  for (const auto& [side, whole] : shared.blocks) {
    if (side != block->side || whole == block->whole) continue;
    for (int64_t divisor = 2; divisor <= kLargestDivisor; ++divisor) {
      if (!IsPartOf(whole, divisor, *block, runs)) continue;
      if (IsPartOf(whole, divisor, *block, {&target, 1})) continue;
      return OpenAtTarget(
          e.ToString() + " is in all runs as well " + std::to_string(divisor) +
              " times less than a block of " + std::to_string(whole),
          target.ranks(), "it is not");
    }
  }
  return Status::Ok();
}

Status CheckAll(const NodeLaw& root, const Shared& shared,
                std::span<const Grid> runs, const Grid& target) {
  Status status = Status::Ok();
  // Iterations come one by one: only parameters are in units.
  for (const SequenceLaw& p : root.params) {
    ForEachScalarLaw(p, [&](const ScalarLaw& law) {
      ForEachExpression(law, [&](const Expression& e) {
        if (status.ok()) status = CheckShare(e, shared, runs, target);
        if (status.ok()) status = CheckHalo(e, shared, runs, target);
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
  AddShares(root, base, &shared);
  return CheckAll(root, shared, runs, target);
}

}  // namespace ranksight::online_model
