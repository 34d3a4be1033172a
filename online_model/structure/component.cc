#include "online_model/structure/component.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using Kind = Feature::Kind;
using Op = Expression::Op;

// Stretches of a program that has more components are hardly seen at several
// sizes.
constexpr size_t kMostStretches = 4;
// Every n-th rank of more is seen whole at no size that a laptop records.
constexpr int64_t kMostApart = 64;
// The parts of the whole that programs give a component.
constexpr int64_t kMostParts = 16, kMostInUnevenParts = 5;
// Laws of where a stretch begins are told apart up to so many times the largest
// run.
constexpr int64_t kFarthest = 16;

ExpressionPtr OwnRank() { return FeatureExpression(Kind::kRank); }
ExpressionPtr AllRanks() { return FeatureExpression(Kind::kRanks); }
ExpressionPtr Fixed(int64_t v) { return ConstantExpression(v); }
ExpressionPtr IsBelow(ExpressionPtr a, ExpressionPtr b) {
  return Combine(Op::kLess, std::move(a), std::move(b));
}

int64_t AtSize(const Expression& e, int64_t ranks) {
  const Grid line{{ranks}};
  return e.At(Context(line, 0));
}

// Where a component may begin, the simplest first.
std::vector<ExpressionPtr> PossibleBounds(int64_t most) {
  std::vector<ExpressionPtr> all;
  const auto add = [&all](const ExpressionPtr& e) {
    all.push_back(e);
    all.push_back(Combine(Op::kSubtract, AllRanks(), e));
  };
  for (int64_t v = 1; v < most; ++v) add(Fixed(v));
  const auto add_part = [&add](int64_t times, int64_t of) {
    const ExpressionPtr part =
        Combine(Op::kDivide, AffineExpression(times, AllRanks(), 0), Fixed(of));
    add(part);
    add(Combine(Op::kMaximum, part, Fixed(1)));
  };
  for (int64_t of = 2; of <= kMostParts; ++of) add_part(1, of);
  for (int64_t of = 3; of <= kMostInUnevenParts; ++of) {
    for (int64_t times = 2; times < of; ++times) {
      if (std::gcd(times, of) == 1) add_part(times, of);
    }
  }
  return all;
}

struct Bound {
  int64_t ranks = 0, at = 0;
};

bool IsOneNumber(std::span<const Bound> bounds, bool from_end) {
  const auto number = [from_end](const Bound& b) {
    return from_end ? b.ranks - b.at : b.at;
  };
  return std::ranges::all_of(
      bounds, [&](const Bound& b) { return number(b) == number(bounds[0]); });
}

// nullptr where no law gives all.
ExpressionPtr FindBound(std::span<const Bound> bounds, bool certain) {
  int64_t most = 0;
  for (const Bound& b : bounds) most = std::max(most, b.ranks);
  // What is one number in all runs is that number, or so many from the end.
  const bool is_first_right =
      !certain || IsOneNumber(bounds, false) || IsOneNumber(bounds, true);
  std::vector<ExpressionPtr> found;
  for (const ExpressionPtr& e : PossibleBounds(most)) {
    const bool gives = std::ranges::all_of(
        bounds, [&e](const Bound& b) { return AtSize(*e, b.ranks) == b.at; });
    if (!gives) continue;
    if (is_first_right) return e;
    const bool is_new = std::ranges::all_of(found, [&](const auto& other) {
      for (int64_t n = most; n <= kFarthest * most; ++n) {
        if (AtSize(*e, n) != AtSize(*other, n)) return true;
      }
      return false;
    });
    if (is_new) found.push_back(e);
  }
  if (found.empty()) return nullptr;
  ExpressionPtr bound = found.back();
  for (size_t i = found.size() - 1; i-- > 0;) {
    bound = AgreedExpression(found[i], bound);
  }
  return bound;
}

// The ranks at which another component begins, and the end.
std::vector<int64_t> BoundsOf(const DividedRanks& run) {
  std::vector<int64_t> bounds;
  for (size_t r = 1; r < run.places.size(); ++r) {
    if (run.places[r].component != run.places[r - 1].component) {
      bounds.push_back(int64_t(r));
    }
  }
  bounds.push_back(int64_t(run.places.size()));
  return bounds;
}

bool IsDividedBy(std::span<const DividedRanks> runs, const Components& laws) {
  return std::ranges::all_of(runs, [&laws](const DividedRanks& run) {
    const Grid line{{int64_t(run.places.size())}};
    for (size_t r = 0; r < run.places.size(); ++r) {
      const DividedRanks::Place& place = run.places[r];
      const Context c(line, int64_t(r));
      if (laws.size->At(c) != place.size) return false;
      if (place.size > 0 && laws.rank->At(c) != place.rank) return false;
    }
    return true;
  });
}

std::optional<Components> FindStretches(std::span<const DividedRanks> runs,
                                        bool certain) {
  std::vector<std::vector<Bound>> bounds;
  for (const DividedRanks& run : runs) {
    const std::vector<int64_t> at = BoundsOf(run);
    if (bounds.empty()) bounds.resize(at.size());
    if (at.size() != bounds.size()) return std::nullopt;
    for (size_t i = 0; i < at.size(); ++i) {
      bounds[i].push_back({int64_t(run.places.size()), at[i]});
    }
  }
  if (bounds.size() < 2 || bounds.size() > kMostStretches) return std::nullopt;
  Components found;
  std::vector<ExpressionPtr> ends;
  for (size_t i = 0; i + 1 < bounds.size(); ++i) {
    ends.push_back(FindBound(bounds[i], certain));
    if (ends.back() == nullptr) return std::nullopt;
    found.conditions.push_back(IsBelow(OwnRank(), ends.back()));
  }
  ends.push_back(AllRanks());
  const DividedRanks& first = runs[0];
  for (size_t i = ends.size(); i-- > 0;) {
    const ExpressionPtr begin = i == 0 ? Fixed(0) : ends[i - 1];
    const bool is_member =
        first.places[size_t(bounds[i][0].at - 1)].component >= 0;
    const ExpressionPtr size = !is_member ? Fixed(0)
                               : i == 0
                                   ? ends[0]
                                   : Combine(Op::kSubtract, ends[i], begin);
    const ExpressionPtr rank =
        i == 0 ? OwnRank() : Combine(Op::kSubtract, OwnRank(), begin);
    if (i + 1 == ends.size()) {
      found.size = size, found.rank = rank;
    } else {
      found.size = SelectExpression(found.conditions[i], size, found.size);
      found.rank = SelectExpression(found.conditions[i], rank, found.rank);
    }
  }
  if (!IsDividedBy(runs, found)) return std::nullopt;
  const ExpressionPtr begin = Combine(Op::kSubtract, OwnRank(), found.rank);
  found.in_world = [begin](ExpressionPtr rank) {
    return Combine(Op::kAdd, begin, std::move(rank));
  };
  return found;
}

// How many of N ranks leave the remainder when divided by n.
ExpressionPtr CountWithRemainder(ExpressionPtr remainder, int64_t n) {
  return BlockAtExpression(AllRanks(), Fixed(n), std::move(remainder));
}

// Every n-th rank from `first` on, and the others. with_nth, with_others:
// whether these are a component. REQUIRES: n > 1.
Components EveryNth(int64_t n, int64_t first, bool with_nth, bool with_others) {
  Components found;
  const ExpressionPtr is_nth = Combine(
      Op::kEqual, Combine(Op::kRemainder, OwnRank(), Fixed(n)), Fixed(first));
  const ExpressionPtr count = CountWithRemainder(Fixed(first), n);
  const ExpressionPtr before = Combine(
      Op::kDivide, AffineExpression(1, OwnRank(), n - 1 - first), Fixed(n));
  found.conditions = {is_nth};
  found.rank =
      SelectExpression(is_nth, Combine(Op::kDivide, OwnRank(), Fixed(n)),
                       Combine(Op::kSubtract, OwnRank(), before));
  found.size = SelectExpression(
      is_nth, with_nth ? count : Fixed(0),
      with_others ? Combine(Op::kSubtract, AllRanks(), count) : Fixed(0));
  found.in_world = [=](ExpressionPtr rank) {
    const ExpressionPtr rows = Combine(Op::kDivide, rank, Fixed(n - 1));
    const ExpressionPtr past =
        Combine(Op::kSubtract, rank, AffineExpression(n - 1, rows, 0));
    const ExpressionPtr other =
        Combine(Op::kAdd, AffineExpression(n, rows, 0),
                Combine(Op::kAdd, past, IsBelow(Fixed(first - 1), past)));
    return SelectExpression(is_nth, AffineExpression(n, rank, first), other);
  };
  return found;
}

// By the remainder of the rank, and so many in a row.
Components ByRemainder(int64_t n) {
  const ExpressionPtr remainder = Combine(Op::kRemainder, OwnRank(), Fixed(n));
  const auto in_world = [=](ExpressionPtr rank) {
    return Combine(Op::kAdd, AffineExpression(n, std::move(rank), 0),
                   remainder);
  };
  return {Combine(Op::kDivide, OwnRank(), Fixed(n)),
          CountWithRemainder(remainder, n),
          in_world,
          {}};
}
Components InARow(int64_t n) {
  const ExpressionPtr before =
      AffineExpression(n, Combine(Op::kDivide, OwnRank(), Fixed(n)), 0);
  const auto in_world = [=](ExpressionPtr rank) {
    return Combine(Op::kAdd, before, std::move(rank));
  };
  return {
      Combine(Op::kRemainder, OwnRank(), Fixed(n)),
      Combine(Op::kMinimum, Fixed(n),
              Combine(Op::kSubtract, AllRanks(), before)),
      in_world,
      {},
      Combine(Op::kDivide, OwnRank(), Fixed(n)),
      Combine(Op::kDivide, AffineExpression(1, AllRanks(), n - 1), Fixed(n))};
}

std::optional<Components> FindEveryNth(std::span<const DividedRanks> runs) {
  const DividedRanks& largest = *std::ranges::max_element(
      runs, {}, [](const DividedRanks& run) { return run.places.size(); });
  const auto ranks = int64_t(largest.places.size());
  for (int64_t n = 2; n <= std::min(kMostApart, ranks / 2); ++n) {
    for (const Components& c : {ByRemainder(n), InARow(n)}) {
      if (IsDividedBy(runs, c)) return c;
    }
    for (int64_t first = 0; first < n; ++first) {
      const auto is_member = [&largest](int64_t r) {
        return largest.places[size_t(r)].component >= 0;
      };
      const Components c =
          EveryNth(n, first, is_member(first), is_member(first == 0 ? 1 : 0));
      if (IsDividedBy(runs, c)) return c;
    }
  }
  return std::nullopt;
}

class ComponentLaw {
 public:
  explicit ComponentLaw(const Components& of) : of_(of) {}

  ExpressionPtr Of(const ScalarLaw& law) const {
    switch (law.kind) {
      case ScalarLaw::Kind::kNeighbour:
        return Neighbour(law.by[0], (law.periodic & 1) != 0);
      case ScalarLaw::Kind::kXor:
        return Combine(Op::kXor, of_.rank, Fixed(law.constant));
      case ScalarLaw::Kind::kThere:
        return There(law);
      default: {
        const ExpressionPtr e = ExpressionOf(law);
        return e == nullptr ? nullptr : Of(*e);
      }
    }
  }

 private:
  // Where a list has a place for each rank, what that has.
  ExpressionPtr There(const ScalarLaw& law) const {
    if (law.each() != 1) return nullptr;
    const Components places{
        FeatureExpression(Kind::kPosition), of_.size, {}, {}};
    return ComponentLaw(places).Of(*law.otherwise);
  }

  ExpressionPtr Neighbour(int64_t by, bool periodic) const {
    ExpressionPtr to = AffineExpression(1, of_.rank, by);
    if (periodic) return Combine(Op::kRemainder, std::move(to), of_.size);
    const ExpressionPtr is_beyond =
        by < 0 ? IsBelow(to, Fixed(0))
               : IsBelow(AffineExpression(1, of_.size, -1), to);
    return SelectExpression(is_beyond, Fixed(reduction::kPeerNull), to);
  }

  ExpressionPtr Of(const Expression& e) const {
    switch (e.op) {
      case Op::kConstant:
        return std::make_shared<const Expression>(e);
      case Op::kFeature:
        return Of(e.feature);
      case Op::kMove: {
        const ExpressionPtr by = Of(*e.a);
        if (by == nullptr) return nullptr;
        return Combine(Op::kRemainder, Combine(Op::kAdd, of_.rank, by),
                       of_.size);
      }
      case Op::kBlock: {
        ExpressionPtr whole = Of(*e.a);
        if (whole == nullptr) return nullptr;
        return BlockAtExpression(std::move(whole), of_.size, of_.rank);
      }
      case Op::kCells:
      case Op::kOwn:
      case Op::kBits:
        return nullptr;
      default: {
        Expression of = e;
        for (ExpressionPtr* part : {&of.a, &of.b, &of.c}) {
          if (*part == nullptr) continue;
          *part = Of(**part);
          if (*part == nullptr) return nullptr;
        }
        return std::make_shared<const Expression>(std::move(of));
      }
    }
  }

  ExpressionPtr Of(const Feature& feature) const {
    switch (feature.kind) {
      case Kind::kRanks:
      case Kind::kDim:
        return of_.size;
      case Kind::kRank:
      case Kind::kCoord:
        return of_.rank;
      case Kind::kFirst:
      case Kind::kZeroRank:
        return Combine(Op::kEqual, of_.rank, Fixed(0));
      case Kind::kOtherRank:
        return IsBelow(Fixed(0), of_.rank);
      case Kind::kLast:
      case Kind::kEndRank:
        return Combine(Op::kEqual, of_.rank, AffineExpression(1, of_.size, -1));
      case Kind::kLeft:
        return Combine(Op::kSubtract, of_.size, of_.rank);
      case Kind::kAlone:
        return Combine(Op::kEqual, of_.size, Fixed(1));
      case Kind::kPosition:
      case Kind::kLength:
      case Kind::kBack:
      case Kind::kPower:
      case Kind::kBackPower:
      case Kind::kFirstPlace:
      case Kind::kLastPlace:
        return FeatureExpression(feature);
      default:
        return nullptr;
    }
  }

  const Components& of_;
};

}  // namespace

std::optional<Components> FindComponents(std::span<const DividedRanks> runs,
                                         bool certain) {
  if (runs.empty()) return std::nullopt;
  if (auto found = FindStretches(runs, certain)) return found;
  return FindEveryNth(runs);
}

Components AllButFirst() {
  const ExpressionPtr is_other = FeatureExpression(Kind::kOtherRank);
  return {
      AffineExpression(1, OwnRank(), -1),
      SelectExpression(is_other, AffineExpression(1, AllRanks(), -1), Fixed(0)),
      [](ExpressionPtr rank) {
        return AffineExpression(1, std::move(rank), 1);
      },
      {}};
}

Components AllButLast() {
  const ExpressionPtr is_last = FeatureExpression(Kind::kEndRank);
  return {
      OwnRank(),
      SelectExpression(is_last, Fixed(0), AffineExpression(1, AllRanks(), -1)),
      [](ExpressionPtr rank) { return rank; },
      {}};
}

std::optional<ScalarLaw> OnComponents(const ScalarLaw& on_line,
                                      const Components& of, bool in_world) {
  ExpressionPtr e = ComponentLaw(of).Of(on_line);
  if (e == nullptr) return std::nullopt;
  if (!in_world) return OfExpression(std::move(e));
  // Nobody is nobody in the world, too.
  const ExpressionPtr is_special = IsBelow(e, Fixed(0));
  return OfExpression(SelectExpression(is_special, e, of.in_world(e)));
}

}  // namespace ranksight::online_model
