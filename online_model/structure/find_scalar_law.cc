#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "online_model/structure/dims_rule.h"
#include "online_model/structure/find_expression.h"
#include "online_model/structure/find_levels.h"
#include "online_model/structure/find_travelling.h"
#include "online_model/structure/level_conditions.h"
#include "online_model/structure/scalar_law.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using Samples = std::span<const Sample>;

bool Fits(const ScalarLaw& law, Samples samples) {
  return std::all_of(samples.begin(), samples.end(), [&law](const Sample& s) {
    return law.At(s.where) == s.value;
  });
}

bool AnySpecial(Samples samples) {
  return std::any_of(samples.begin(), samples.end(), [](const Sample& s) {
    return reduction::IsSpecial(s.value);
  });
}

// Different rows of feature values among the samples.
size_t DifferentRows(Samples samples, const std::vector<Feature>& features) {
  std::set<std::vector<int64_t>> rows;
  for (const Sample& s : samples) {
    std::vector<int64_t> row;
    for (const Feature& f : features) row.push_back(f.At(s.where));
    rows.insert(std::move(row));
    if (rows.size() > features.size() + 2) break;
  }
  return rows.size();
}

ScalarLaw Constant(int64_t v) {
  ScalarLaw law;
  law.constant = v;
  return law;
}

std::optional<ScalarLaw> FindConstant(Samples samples) {
  ScalarLaw law = Constant(samples[0].value);
  if (!Fits(law, samples)) return std::nullopt;
  return law;
}

// a f + b through the first sample and the first that differs in f.
std::optional<ScalarLaw> FindOneFeature(Samples samples, const Feature& f) {
  const int64_t f0 = f.At(samples[0].where);
  for (const Sample& s : samples) {
    const int64_t df = f.At(s.where) - f0;
    if (df == 0) continue;
    const int64_t dv = s.value - samples[0].value;
    if (dv == 0 || dv % df != 0) return std::nullopt;
    ScalarLaw law;
    law.terms.emplace_back(dv / df, f);
    law.constant = samples[0].value - dv / df * f0;
    if (!Fits(law, samples)) return std::nullopt;
    return law;
  }
  return std::nullopt;
}

// A feature with its value at each sample.
struct Column {
  const Feature* feature;
  std::vector<int64_t> values;
};

// a f + b g + c: takes a and b from three samples, exactly.
std::optional<ScalarLaw> FindTwoFeatures(Samples samples, const Column& f,
                                         const Column& g) {
  const int64_t f0 = f.values[0], g0 = g.values[0], v0 = samples[0].value;
  int64_t f1 = 0, g1 = 0, v1 = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    const int64_t df = f.values[i] - f0, dg = g.values[i] - g0;
    const int64_t dv = samples[i].value - v0;
    if (f1 == 0 && g1 == 0) {
      std::tie(f1, g1, v1) = std::tuple(df, dg, dv);
      if (f1 == 0 && g1 == 0 && v1 != 0) return std::nullopt;
      continue;
    }
    const int64_t det = f1 * dg - g1 * df;
    if (det == 0) continue;
    const int64_t a = v1 * dg - g1 * dv, b = f1 * dv - v1 * df;
    if (a % det != 0 || b % det != 0 || a == 0 || b == 0) return std::nullopt;
    ScalarLaw law;
    law.terms = {{a / det, *f.feature}, {b / det, *g.feature}};
    law.constant = v0 - a / det * f0 - b / det * g0;
    if (!Fits(law, samples)) return std::nullopt;
    return law;
  }
  return std::nullopt;
}

// Displacements that any sample suggests, nearest first, and every choice of
// periodic dimensions.
std::optional<ScalarLaw> FindNeighbour(Samples samples, int ndims) {
  std::set<std::pair<int64_t, Displacement>> candidates;
  size_t looked = 0;
  for (const Sample& s : samples) {
    if (reduction::IsSpecial(s.value) || s.value < 0 ||
        s.value >= s.where.ranks()) {
      continue;
    }
    const Coordinates to = s.where.grid->At(s.value);
    Displacement by{};
    int64_t length = 0;
    for (int d = 0; d < ndims; ++d) {
      const int64_t n = s.where.dim(d);
      by[size_t(d)] = to[size_t(d)] - s.where.at[size_t(d)];
      if (2 * by[size_t(d)] > n) by[size_t(d)] -= n;
      if (2 * by[size_t(d)] <= -n && n > 2) by[size_t(d)] += n;
      length += std::abs(by[size_t(d)]);
    }
    Displacement back = by;
    for (int64_t& v : back) v = -v;
    candidates.insert({length, by});
    candidates.insert({length, back});
    if (++looked == 64) break;
  }
  for (const auto& [length, by] : candidates) {
    for (unsigned mask = 0; mask < 1u << ndims; ++mask) {
      ScalarLaw law;
      law.kind = ScalarLaw::Kind::kNeighbour;
      law.by = by;
      law.periodic = mask;
      law.ndims = ndims;
      if (Fits(law, samples)) return law;
    }
  }
  return std::nullopt;
}

std::optional<ScalarLaw> FindOnLine(Samples samples) {
  const Sample& s = samples[0];
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kNeighbour;
  law.on_line = true;
  law.periodic = 1;
  for (const int64_t by :
       {s.value - s.where.rank, s.value - s.where.rank - s.where.ranks(),
        s.value - s.where.rank + s.where.ranks()}) {
    law.by = {by};
    if (Fits(law, samples)) return law;
  }
  return std::nullopt;
}

std::optional<ScalarLaw> FindXor(Samples samples) {
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kXor;
  law.constant = samples[0].where.rank ^ samples[0].value;
  if (!Fits(law, samples)) return std::nullopt;
  return law;
}

// The law of equal blocks. Where all inputs divide a whole, none tells where a
// remainder goes, so that there is no value where one is left.
ScalarLaw EqualBlocks(const ScalarLaw& blocks) {
  const auto kind = blocks.dim == kPlaceDimension ? Feature::Kind::kLength
                                                  : Feature::Kind::kDim;
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kExpression;
  law.expression = AffineExpression(
      1,
      Combine(Expression::Op::kDivideExactly,
              ConstantExpression(blocks.constant * blocks.scale),
              FeatureExpression({kind, std::max(blocks.dim, 0), nullptr})),
      blocks.add);
  return law;
}

// The whole is the sum over one line of parts: along a dimension of the grid,
// or along the list.
std::optional<ScalarLaw> FindBlock(Samples samples, int dim) {
  std::map<const Grid*, std::map<int64_t, int64_t>> parts;
  for (const Sample& s : samples) {
    const auto [it, added] =
        parts[s.where.grid].try_emplace(s.where.Place(dim), s.value);
    if (!added && it->second != s.value) return std::nullopt;
  }
  for (const Sample& s : samples) {
    if (int64_t(parts[s.where.grid].size()) != s.where.Length(dim)) {
      return std::nullopt;
    }
  }
  int64_t differences = 0;
  for (const auto& [grid, values] : parts) {
    for (const auto& [x, v] : values) {
      differences = std::gcd(differences, v - values.begin()->second);
    }
  }
  for (const int64_t scale :
       {differences, int64_t{8}, int64_t{4}, int64_t{1}}) {
    if (scale == 0) continue;
    const auto& [grid, values] = *parts.begin();
    for (int64_t add : {int64_t{0}, scale, 2 * scale}) {
      int64_t whole = 0;
      for (const auto& [x, v] : values) whole += (v - add) / scale;
      ScalarLaw law;
      law.kind = ScalarLaw::Kind::kBlock;
      law.dim = dim;
      law.scale = scale;
      law.add = add;
      law.constant = whole;
      if (whole <= 0 || !Fits(law, samples)) continue;
      return differences == 0 ? EqualBlocks(law) : law;
    }
  }
  return std::nullopt;
}

bool IsCondition(const Feature& f) {
  using Kind = Feature::Kind;
  return f.kind == Kind::kFirst || f.kind == Kind::kLast ||
         f.kind == Kind::kZeroRank || f.kind == Kind::kEndRank ||
         f.kind == Kind::kAlone;
}

void Keep(std::optional<ScalarLaw> law, std::optional<ScalarLaw>* best) {
  if (law && (!*best || law->cost() < (*best)->cost())) *best = std::move(law);
}

std::optional<ScalarLaw> FindSimple(Samples samples,
                                    const std::vector<Feature>& features) {
  std::optional<ScalarLaw> best = FindConstant(samples);
  if (best || AnySpecial(samples)) return best;
  for (const Feature& f : features) {
    if (DifferentRows(samples, {f}) < 3 && !IsCondition(f)) continue;
    Keep(FindOneFeature(samples, f), &best);
  }
  return best;
}

std::optional<ScalarLaw> FindGuarded(Samples samples,
                                     const std::vector<Feature>& features) {
  std::optional<ScalarLaw> best;
  for (const Feature& f : features) {
    if (!IsCondition(f)) continue;
    std::vector<Sample> in, out;
    for (const Sample& s : samples) {
      (f.At(s.where) == 1 ? in : out).push_back(s);
    }
    if (in.empty() || out.empty()) continue;
    const auto there = FindConstant(in);
    if (!there) continue;
    const auto elsewhere = FindSimple(out, features);
    if (!elsewhere) continue;
    ScalarLaw law;
    law.kind = ScalarLaw::Kind::kGuarded;
    law.constant = there->constant;
    law.condition = f;
    law.otherwise = std::make_shared<const ScalarLaw>(*elsewhere);
    Keep(std::move(law), &best);
  }
  return best;
}

// One more than free numbers; counts of neighbours start from none.
size_t RowsNeeded(const ScalarLaw& law) {
  const bool counts =
      std::all_of(law.terms.begin(), law.terms.end(), [](const auto& term) {
        return term.second.kind == Feature::Kind::kDegree;
      });
  return law.terms.size() + (counts && law.constant == 0 ? 1 : 2);
}

std::optional<ScalarLaw> FindSum(Samples samples,
                                 const std::vector<Feature>& features) {
  std::vector<Column> columns;
  for (const Feature& f : features) {
    columns.push_back({&f, {}});
    for (const Sample& s : samples) {
      columns.back().values.push_back(f.At(s.where));
    }
  }
  std::optional<ScalarLaw> best;
  for (size_t i = 0; i < features.size(); ++i) {
    for (size_t j = i + 1; j < features.size(); ++j) {
      auto law = FindTwoFeatures(samples, columns[i], columns[j]);
      if (!law) continue;
      const size_t rows = DifferentRows(samples, {features[i], features[j]});
      if (rows >= RowsNeeded(*law)) Keep(std::move(law), &best);
    }
  }
  return best;
}

ScalarLaw OfExpression(ExpressionPtr e) {
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kExpression;
  law.expression = std::move(e);
  return law;
}

// The requests of a list that has a place for each neighbour a rank may have:
// those there are, the latest last, then none.
std::optional<ScalarLaw> FindCountdown(Samples samples,
                                       const SearchSpace& space) {
  using Op = Expression::Op;
  const ExpressionPtr place =
      FeatureExpression({Feature::Kind::kPosition, 0, nullptr});
  for (const auto* lists : {&space.lists, &space.posted}) {
    for (const auto& list : *lists) {
      const ExpressionPtr left =
          Combine(Op::kSubtract,
                  FeatureExpression({Feature::Kind::kDegree, 0, list}), place);
      ScalarLaw law =
          OfExpression(Combine(Op::kMaximum, left, ConstantExpression(0)));
      if (Fits(law, samples)) return law;
    }
  }
  return std::nullopt;
}

// Whether a rank is, or comes before or after, what a hint gives: programs
// send nothing to themselves, and one of two first.
std::optional<ScalarLaw> FindByHints(Samples samples,
                                     const SearchSpace& space) {
  using Op = Expression::Op;
  const ExpressionPtr own =
      FeatureExpression({Feature::Kind::kRank, 0, nullptr});
  for (const ExpressionPtr& hint : space.hints) {
    for (const ExpressionPtr& condition :
         {Combine(Op::kEqual, hint, own), Combine(Op::kLess, hint, own),
          Combine(Op::kLess, own, hint)}) {
      for (const bool holds : {true, false}) {
        ScalarLaw law = OfExpression(
            holds ? condition : AffineExpression(-1, condition, 1));
        if (Fits(law, samples)) return law;
      }
    }
  }
  return std::nullopt;
}

// A law of the user's, as it is or times a constant plus a constant.
std::optional<ScalarLaw> FindOwn(Samples samples, const SearchSpace& space) {
  for (const auto& own : space.own) {
    ScalarLaw law = OfExpression(OwnExpression(own));
    if (Fits(law, samples)) return law;
  }
  if (AnySpecial(samples)) return std::nullopt;
  const Sample& first = samples[0];
  for (const auto& own : space.own) {
    const int64_t v0 = own->At(first.where);
    for (const Sample& s : samples) {
      const int64_t dv = own->At(s.where) - v0, to = s.value - first.value;
      if (v0 == kNotWhole || dv == 0) continue;
      if (dv + v0 == kNotWhole || to % dv != 0) break;
      const int64_t a = to / dv;
      ScalarLaw law = OfExpression(
          AffineExpression(a, OwnExpression(own), first.value - a * v0));
      if (a != 0 && Fits(law, samples)) return law;
      break;
    }
  }
  return std::nullopt;
}

// Laws this short are taken without looking further: a feature and a small
// constant or two. Larger is faster and takes more accidents for laws.
constexpr double kShort = 8;

bool Halved(Samples samples) {
  return std::all_of(samples.begin(), samples.end(), [](const Sample& s) {
    return IsPowerOfTwo(s.where.ranks());
  });
}

std::optional<ScalarLaw> Search(Samples samples, const SearchSpace& space) {
  std::vector<Feature> features =
      GridFeatures(space.ndims, space.array, space.counts, Halved(samples));
  for (const auto& list : space.lists) {
    features.push_back({Feature::Kind::kDegree, 0, list});
  }
  for (const auto& list : space.posted) {
    features.push_back({Feature::Kind::kDegree, 0, list});
  }
  if (auto law = FindConstant(samples)) return law;
  if (auto law = FindOwn(samples, space)) return law;
  if (space.ranked) {
    if (auto law = FindNeighbour(samples, space.ndims)) return law;
    if (auto law = FindOnLine(samples)) return law;
    if (auto law = FindXor(samples)) return law;
  }
  if (space.counts) {
    if (auto law = FindByHints(samples, space)) return law;
  }
  if (space.array && !space.ranked && !AnySpecial(samples)) {
    auto e = FindTravelling(samples, space.ndims);
    if (e != nullptr) return OfExpression(std::move(e));
  }
  std::optional<ScalarLaw> best = FindSimple(samples, features);
  // Programs often call nothing where there is nobody to talk to.
  std::vector<Feature> conditions = features;
  conditions.push_back({Feature::Kind::kAlone, 0, nullptr});
  Keep(FindGuarded(samples, conditions), &best);
  if (best && best->cost() <= kShort) return best;
  if (space.counts) {
    if (auto law = FindLevelCondition(samples, space)) return law;
  }
  if (space.array && !space.posted.empty()) {
    if (auto law = FindCountdown(samples, space)) return law;
  }
  if (!AnySpecial(samples)) {
    Keep(FindSum(samples, features), &best);
    for (int d = 0; d < space.ndims; ++d) Keep(FindBlock(samples, d), &best);
    if (space.array) {
      Keep(FindBlock(samples, kPlaceDimension), &best);
    }
  }
  if (best && best->cost() <= kShort) return best;
  Keep(FindExpression(samples, space), &best);
  return best;
}

uint64_t HashOf(Samples samples, const SearchSpace& space) {
  uint64_t hash = (space.array ? 1 : 0) + (space.ranked ? 2 : 0) +
                  (space.counts ? 4 : 0) + (space.posted.empty() ? 0 : 8);
  const auto mix = [&hash](int64_t v) {
    hash ^= uint64_t(v) + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
    hash *= 0xff51afd7ed558ccd;
  };
  for (const Sample& s : samples) {
    mix(s.where.ranks());
    mix(s.where.rank);
    mix(s.where.position);
    mix(s.where.length);
    mix(s.value);
  }
  return hash;
}

}  // namespace

std::optional<ScalarLaw> FindScalarLaw(Samples samples,
                                       const SearchSpace& space) {
  if (samples.empty()) return std::nullopt;
  if (space.levels) return FindOnLevels(samples, space);
  if (auto law = FindConstant(samples)) return law;
  if (space.points && !space.array && !space.ranked && space.along &&
      space.ndims > 1) {
    if (auto law = FindOneLevel(samples, space)) return law;
  }
  if (space.points && !space.array && space.ranked && Halved(samples)) {
    if (auto law = FindNextOnOneLevel(samples, space)) return law;
  }
  if (space.cache == nullptr) return Search(samples, space);
  const uint64_t key = HashOf(samples, space);
  const auto it = space.cache->find(key);
  if (it != space.cache->end() && (!it->second || Fits(*it->second, samples))) {
    return it->second;
  }
  return (*space.cache)[key] = Search(samples, space);
}

}  // namespace ranksight::online_model
