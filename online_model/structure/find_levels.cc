#include "online_model/structure/find_levels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "online_model/structure/dims_rule.h"
#include "online_model/structure/level_conditions.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using F = Feature::Kind;
using Samples = std::span<const Sample>;

// Points of neighbours that a rank keeps along a side: none, one end, both.
constexpr int64_t kMostBorder = 2;

// With fewer different values any whole may do.
constexpr size_t kLeastLevelValues = 3;

// For each dimension the border that is added to its points, or -1 where the
// product is without it.
using Borders = std::array<int64_t, kMaxDims>;

// The next choice of borders; false behind the last.
bool Next(int ndims, Borders* borders) {
  for (int d = 0; d < ndims; ++d) {
    if (++(*borders)[size_t(d)] <= kMostBorder) return true;
    (*borders)[size_t(d)] = -1;
  }
  return false;
}

class Search {
 public:
  Search(Samples samples, const std::vector<Sample>& probes, int ndims)
      : samples_(samples), probes_(probes), ndims_(ndims) {}

  void On(const Levels& levels) {
    for (const auto first :
         {kAll, std::optional<int64_t>(1), std::optional<int64_t>(0)}) {
      if (!SeePoints(levels, first) && first) continue;
      Borders borders;
      borders.fill(-1);
      while (Next(ndims_, &borders)) Try(levels, borders);
    }
  }

  // A face: all sides but `along`. Of those that give the samples the one with
  // the smallest factor: points explain as much as they can.
  // *least: in, what it must be less than; out, of the one found.
  ExpressionPtr Face(const Levels& levels, int along,
                     std::optional<int64_t> first, int64_t* least) {
    SeePoints(levels, first);
    ExpressionPtr face;
    Borders borders;
    borders.fill(-1);
    while (Next(ndims_, &borders)) {
      bool all = true;
      for (int d = 0; d < ndims_; ++d) {
        all = all && (borders[size_t(d)] < 0) == (d == along);
      }
      const int64_t factor = all ? Factor(borders) : 0;
      if (factor == 0 || *least <= factor) continue;
      *least = factor;
      face = LawOf(levels, borders, factor);
    }
    return face;
  }

  // The square of a side.
  ExpressionPtr Square(const Levels& levels, int64_t* least) {
    SeePoints(levels, kAll);
    ExpressionPtr square;
    for (int d = 0; d < ndims_; ++d) {
      for (int64_t border = 0; border <= kMostBorder; ++border) {
        const int64_t factor = FactorOf([&](size_t i) {
          const int64_t side = points_[i * size_t(ndims_) + size_t(d)] + border;
          return side * side;
        });
        if (factor == 0 || *least <= factor) continue;
        *least = factor;
        ExpressionPtr side = AffineExpression(1, levels.PointsLaw(d), border);
        square =
            AffineExpression(factor, Combine(Op::kMultiply, side, side), 0);
      }
    }
    return square;
  }

  ExpressionPtr best() const { return best_; }

 private:
  static constexpr std::optional<int64_t> kAll = std::nullopt;

  // Whether any rank has no part along some side.
  bool SeePoints(const Levels& levels, std::optional<int64_t> first) {
    first_ = first;
    bool sits_out = false;
    points_.clear();
    for (const Sample& p : probes_) {
      for (int d = 0; d < ndims_; ++d) {
        const bool has = !first_ || levels.HasPart(p.where, d, *first_);
        points_.push_back(has ? levels.Points(p.where, d) : 0);
        sits_out = sits_out || !has;
      }
    }
    return sits_out;
  }

  ExpressionPtr PointsLaw(const Levels& levels, int dim) const {
    ExpressionPtr points = levels.PointsLaw(dim);
    return first_ ? Combine(Op::kMultiply, levels.HasPartLaw(dim, *first_),
                            std::move(points))
                  : points;
  }

  int64_t Product(size_t probe, const Borders& borders) const {
    __int128 product = 1;
    for (int d = 0; d < ndims_; ++d) {
      const int64_t border = borders[size_t(d)];
      if (border < 0) continue;
      product *= points_[probe * size_t(ndims_) + size_t(d)] + border;
      if (product > kLargestValue) return 0;
    }
    return int64_t(product);
  }

  // The factor, or 0 where the probes have no common one.
  int64_t Factor(const Borders& borders) const {
    return FactorOf([&](size_t i) { return Product(i, borders); });
  }

  template <class Products>
  int64_t FactorOf(Products&& product_of) const {
    int64_t factor = 0;
    for (size_t i = 0; i < probes_.size(); ++i) {
      const int64_t product = product_of(i);
      if (product < 1) return 0;
      if (i == 0) {
        if (probes_[0].value % product != 0) return 0;
        factor = probes_[0].value / product;
        if (factor < 1) return 0;
      }
      if (__int128(factor) * product != probes_[i].value) return 0;
    }
    return factor;
  }

  ExpressionPtr LawOf(const Levels& levels, const Borders& borders,
                      int64_t factor) const {
    ExpressionPtr product;
    for (int d = 0; d < ndims_; ++d) {
      const int64_t border = borders[size_t(d)];
      if (border < 0) continue;
      ExpressionPtr side = AffineExpression(1, PointsLaw(levels, d), border);
      product = CombineNext(Op::kMultiply, std::move(product), std::move(side));
    }
    return AffineExpression(factor, std::move(product), 0);
  }

  void Try(const Levels& levels, const Borders& borders) {
    const int64_t factor = Factor(borders);
    if (factor == 0) return;
    ExpressionPtr e = LawOf(levels, borders, factor);
    if (best_ != nullptr && best_->cost() <= e->cost()) return;
    std::set<int64_t> values;
    for (const Sample& s : samples_) {
      const int64_t v = e->At(s.where);
      if (v != s.value) return;
      if (values.size() < kLeastLevelValues) values.insert(v);
    }
    if (values.size() >= kLeastLevelValues) best_ = std::move(e);
  }

  Samples samples_;
  const std::vector<Sample>& probes_;
  int ndims_;
  // Ranks that have no part in a level along a side have no points there;
  // kAll: that makes no difference.
  std::optional<int64_t> first_;
  std::vector<int64_t> points_;  // of each probe, of each dimension
  ExpressionPtr best_;
};

// How far away a sample's rank is along dimension dim, modulo the side;
// nothing where it is not on the line through the own one.
std::optional<int64_t> AwayAlong(int dim, const Sample& s) {
  if (s.value < 0 || s.value >= s.where.ranks()) return std::nullopt;
  const Coordinates to = s.where.grid->At(s.value);
  for (int d = 0; d < s.where.grid->size(); ++d) {
    if (d != dim && to[size_t(d)] != s.where.at[size_t(d)]) return std::nullopt;
  }
  const int64_t n = s.where.dim(dim);
  return (to[size_t(dim)] - s.where.at[size_t(dim)] + n) % n;
}

ExpressionPtr NextAlong(int dim, bool back, const Levels& levels) {
  return MoveExpression(
      dim, AffineExpression(back ? -1 : 1, levels.DistanceLaw(dim), 0));
}

ExpressionPtr FindNext(Samples samples, const SearchSpace& space) {
  const Levels& levels = *space.levels;
  for (int d = 0; d < space.ndims; ++d) {
    for (const bool back : {false, true}) {
      const bool all =
          std::all_of(samples.begin(), samples.end(), [&](const Sample& s) {
            const int64_t n = s.where.dim(d);
            const int64_t by = levels.Distance(s.where, d) % n;
            return AwayAlong(d, s) == (back ? (n - by) % n : by);
          });
      if (all) return NextAlong(d, back, levels);
    }
  }
  return nullptr;
}

void Collect(const Expression& e, bool at_least_one, std::set<Levels>* levels,
             bool* ending) {
  const bool divided = e.op == Op::kDivide || e.op == Op::kDivideExactly;
  if (divided && e.a->op == Op::kConstant && e.b->op == Op::kMultiply &&
      e.b->a->op == Op::kFeature && e.b->b->op == Op::kFeature) {
    const auto is = [&e](F kind) {
      return e.b->a->feature.kind == kind || e.b->b->feature.kind == kind;
    };
    if ((is(F::kDim) || is(F::kRanks)) &&
        (is(F::kPower) || is(F::kBackPower))) {
      levels->insert({e.a->value, is(F::kBackPower), false});
      *ending = *ending || at_least_one;
    }
  }
  for (const ExpressionPtr& part : {e.a, e.b, e.c}) {
    if (part == nullptr) continue;
    Collect(*part, e.op == Op::kMaximum, levels, ending);
  }
}

void CollectCoarsest(const Feature& f, std::set<Feature::Kind>* kinds) {
  if (f.IsCoarsest()) kinds->insert(f.kind);
}

void CollectCoarsest(const Expression& e, std::set<Feature::Kind>* kinds) {
  if (e.op == Op::kFeature) CollectCoarsest(e.feature, kinds);
  for (const ExpressionPtr& part : {e.a, e.b, e.c}) {
    if (part != nullptr) CollectCoarsest(*part, kinds);
  }
}

}  // namespace

ExpressionPtr Levels::PartsLaw(int dim) const {
  if (alone) return FeatureExpression({F::kDim, dim, nullptr});
  return Combine(
      Op::kMultiply,
      FeatureExpression({up ? F::kBackPower : F::kPower, 0, nullptr}),
      FeatureExpression({F::kDim, dim, nullptr}));
}

ExpressionPtr Levels::PointsLaw(int dim) const {
  return Combine(
      Op::kMaximum, ConstantExpression(1),
      Combine(Op::kDivide, ConstantExpression(whole), PartsLaw(dim)));
}

ExpressionPtr Levels::DistanceLaw(int dim) const {
  return Combine(
      Op::kMaximum, ConstantExpression(1),
      Combine(Op::kDivide, PartsLaw(dim), ConstantExpression(whole)));
}

ExpressionPtr Levels::HasPartLaw(int dim, int64_t first) const {
  const ExpressionPtr place = FeatureExpression({F::kCoord, dim, nullptr});
  return Combine(Op::kEqual,
                 Combine(Op::kRemainder, AffineExpression(1, place, first),
                         DistanceLaw(dim)),
                 ConstantExpression(0));
}

ExpressionPtr FindLevels(Samples samples, const std::vector<Sample>& probes,
                         const SearchSpace& space) {
  const bool halved = std::all_of(
      probes.begin(), probes.end(),
      [](const Sample& p) { return IsPowerOfTwo(p.where.ranks()); });
  if (!space.array || probes.empty() || !halved) return nullptr;
  Search search(samples, probes, space.ndims);
  ForEachLevels([&search](const Levels& levels) { search.On(levels); });
  return search.best();
}

std::vector<ExpressionPtr> FindLevelDistances(const Values& by,
                                              const std::vector<Sample>& probes,
                                              int dim) {
  std::vector<ExpressionPtr> found;
  ForEachLevels([&](const Levels& levels) {
    std::set<int64_t> different;
    for (size_t i = 0; i < by.size(); ++i) {
      const int64_t distance = levels.Distance(probes[i].where, dim);
      if (distance % probes[i].where.dim(dim) != by[i]) return;
      different.insert(distance);
    }
    // All next to each other is what a displacement says.
    if (different.size() > 1) found.push_back(levels.DistanceLaw(dim));
  });
  return found;
}

std::optional<ScalarLaw> FindOnLevels(Samples samples,
                                      const SearchSpace& space) {
  if (!space.array || samples.empty()) return std::nullopt;
  if (space.counts) return FindLevelCondition(samples, space);
  ExpressionPtr e;
  if (space.ranked) {
    e = FindNext(samples, space);
  } else {
    const std::vector<Sample> all(samples.begin(), samples.end());
    Search search(samples, all, space.ndims);
    if (space.points && space.along && space.ndims > 1) {
      int64_t least = kLargestValue;
      e = search.Face(*space.levels, *space.along, space.parts_from, &least);
    }
    if (e == nullptr) {
      search.On(*space.levels);
      e = search.best();
    }
  }
  if (e == nullptr) return std::nullopt;
  return OfExpression(std::move(e));
}

std::optional<ScalarLaw> FindOneLevel(Samples samples,
                                      const SearchSpace& space) {
  std::set<int64_t> values;
  for (const Sample& s : samples) {
    if (s.value < 1 || !IsPowerOfTwo(s.where.ranks())) return std::nullopt;
    values.insert(s.value);
  }
  const std::vector<Sample> all(samples.begin(), samples.end());
  Search search(samples, all, space.ndims);
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kExpression;
  const auto keep = [&law](ExpressionPtr e) {
    if (e != nullptr) law.expression = std::move(e);
  };
  int64_t least = kLargestValue;
  ForEachLevels([&](const Levels& levels) {
    if (levels.up) return;
    keep(search.Face({levels.whole, false, true}, *space.along, std::nullopt,
                     &least));
  });
  if (law.expression != nullptr) return law;
  if (values.size() < kLeastLevelValues) return std::nullopt;
  ForEachLevels([&](const Levels& levels) {
    if (!levels.up) keep(search.Square({levels.whole, false, true}, &least));
  });
  if (law.expression == nullptr) return std::nullopt;
  return law;
}

std::optional<ScalarLaw> FindNextOnOneLevel(Samples samples,
                                            const SearchSpace& space) {
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kExpression;
  ForEachLevels([&](const Levels& of) {
    if (of.up || law.expression != nullptr) return;
    SearchSpace on = space;
    on.levels = Levels{of.whole, false, true};
    const ExpressionPtr e = FindNext(samples, on);
    if (e == nullptr) return;
    std::set<int64_t> different;
    for (const Sample& s : samples) {
      different.insert(on.levels->Distance(s.where, int(e->value)));
    }
    // All next to each other is what a displacement says.
    if (different.size() > 1) law.expression = e;
  });
  if (law.expression == nullptr) return std::nullopt;
  return law;
}

void CollectLevels(const ScalarLaw& law, std::set<Levels>* levels,
                   bool* ending) {
  if (law.expression != nullptr) {
    Collect(*law.expression, false, levels, ending);
  }
}

void CollectCoarsest(const ScalarLaw& law, std::set<Feature::Kind>* kinds) {
  for (const auto& [factor, feature] : law.terms) {
    CollectCoarsest(feature, kinds);
  }
  if (law.expression != nullptr) CollectCoarsest(*law.expression, kinds);
}

ScalarLaw LevelTrips(const Levels& levels, int64_t trips, int step,
                     Feature::Kind coarsest) {
  const int64_t finest = std::bit_width(uint64_t(levels.whole)) - 1;
  const int64_t last = finest + 1 - trips / step;
  return OfExpression(AffineExpression(
      -step,
      Combine(Op::kMaximum, FeatureExpression({coarsest, 0, nullptr}),
              ConstantExpression(last)),
      step * (finest + 1)));
}

}  // namespace ranksight::online_model
