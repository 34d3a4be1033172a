#include "online_model/structure/find_affine.h"

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "online_model/structure/dims_rule.h"
#include "online_model/structure/evidence.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using Samples = std::span<const Sample>;

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

// Whether values that follow the size alone change with the feature among runs
// of more than one rank. Programs often call nothing where there is nobody to
// talk to: that one rank is an exception says nothing of how others go on.
bool ChangesBeyondOne(Samples samples, const Feature& f) {
  return DifferentRows(OfMoreThanOneRank(samples), {f}) > 1;
}

ScalarLaw Constant(int64_t v) {
  ScalarLaw law;
  law.constant = v;
  return law;
}

// Values may be addresses, of which products need more than 64 bits.
using Wide = __int128;

bool IsNumber(Wide v) { return CheckedSum(v) == v; }

// a f + b through the first sample and the first that differs in f.
std::optional<ScalarLaw> FindOneFeature(Samples samples, const Feature& f) {
  const int64_t f0 = f.At(samples[0].where);
  for (const Sample& s : samples) {
    const int64_t df = f.At(s.where) - f0;
    if (df == 0) continue;
    const Wide dv = Wide(s.value) - samples[0].value;
    if (dv == 0 || dv % df != 0) return std::nullopt;
    const Wide a = dv / df, b = samples[0].value - a * f0;
    if (!IsNumber(a) || !IsNumber(b)) return std::nullopt;
    ScalarLaw law;
    law.terms.emplace_back(int64_t(a), f);
    law.constant = int64_t(b);
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
  Wide f1 = 0, g1 = 0, v1 = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    const Wide df = f.values[i] - f0, dg = g.values[i] - g0;
    const Wide dv = Wide(samples[i].value) - v0;
    if (f1 == 0 && g1 == 0) {
      std::tie(f1, g1, v1) = std::tuple(df, dg, dv);
      if (f1 == 0 && g1 == 0 && v1 != 0) return std::nullopt;
      continue;
    }
    const Wide det = f1 * dg - g1 * df;
    const Wide a_det = v1 * dg - g1 * dv, b_det = f1 * dv - v1 * df;
    if (det == 0) {
      // On the line through the first two, where the values are on one too.
      if (a_det != 0 || b_det != 0) return std::nullopt;
      continue;
    }
    if (a_det % det != 0 || b_det % det != 0) return std::nullopt;
    const Wide a = a_det / det, b = b_det / det, c = v0 - a * f0 - b * g0;
    if (a == 0 || b == 0 || !IsNumber(a) || !IsNumber(b) || !IsNumber(c)) {
      return std::nullopt;
    }
    ScalarLaw law;
    law.terms = {{int64_t(a), *f.feature}, {int64_t(b), *g.feature}};
    law.constant = int64_t(c);
    if (!Fits(law, samples)) return std::nullopt;
    return law;
  }
  return std::nullopt;
}

bool IsCondition(const Feature& f) {
  using Kind = Feature::Kind;
  return f.kind == Kind::kFirst || f.kind == Kind::kLast ||
         f.kind == Kind::kZeroRank || f.kind == Kind::kEndRank ||
         f.kind == Kind::kAlone;
}

// A simple law where the condition holds, a constant elsewhere: what only rank
// 0 does, say.
std::optional<ScalarLaw> FindOnlyThere(const Feature& condition, Samples in,
                                       Samples out,
                                       const std::vector<Feature>& features) {
  const auto elsewhere = FindConstant(out);
  if (!elsewhere) return std::nullopt;
  const auto there = FindSimple(in, features);
  if (!there || there->terms.size() != 1) return std::nullopt;
  const auto& [factor, feature] = there->terms[0];
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kExpression;
  law.expression = SelectExpression(
      FeatureExpression(condition),
      AffineExpression(factor, FeatureExpression(feature), there->constant),
      ConstantExpression(elsewhere->constant));
  // Expressions have no values as large as sums.
  if (!Fits(law, in)) return std::nullopt;
  return law;
}

// One more than free numbers; counts of neighbours start from none.
size_t RowsNeeded(const ScalarLaw& law) {
  const bool counts =
      std::all_of(law.terms.begin(), law.terms.end(), [](const auto& term) {
        return term.second.kind == Feature::Kind::kDegree;
      });
  return law.terms.size() + (counts && law.constant == 0 ? 1 : 2);
}

}  // namespace

std::vector<Sample> OfMoreThanOneRank(Samples samples) {
  std::vector<Sample> more;
  for (const Sample& s : samples) {
    if (s.where.ranks() > 1) more.push_back(s);
  }
  return more;
}

bool Gives(const Expression& e, std::span<const Sample> samples) {
  return std::all_of(samples.begin(), samples.end(), [&e](const Sample& s) {
    return e.At(s.where) == s.value;
  });
}

bool Fits(const ScalarLaw& law, Samples samples) {
  return std::all_of(samples.begin(), samples.end(), [&law](const Sample& s) {
    return law.At(s.where) == s.value;
  });
}

bool AreConditions(Samples samples) {
  return std::ranges::all_of(
      samples, [](const Sample& s) { return s.value == 0 || s.value == 1; });
}

bool AnySpecial(Samples samples) {
  return std::any_of(samples.begin(), samples.end(), [](const Sample& s) {
    return reduction::IsSpecial(s.value);
  });
}

void Keep(std::optional<ScalarLaw> law, std::optional<ScalarLaw>* best) {
  if (law && (!*best || law->cost() < (*best)->cost())) *best = std::move(law);
}

bool AreHalved(Samples samples) {
  return std::ranges::all_of(
      samples, [](const Sample& s) { return IsPowerOfTwo(s.where.ranks()); });
}

std::vector<Feature> FeaturesFor(Samples samples, const SearchSpace& space) {
  return GridFeatures(space.ndims, space.array, space.counts,
                      AreHalved(samples));
}

std::optional<ScalarLaw> FindConstant(Samples samples) {
  ScalarLaw law = Constant(samples[0].value);
  if (!Fits(law, samples)) return std::nullopt;
  return law;
}

std::optional<ScalarLaw> FindSimple(Samples samples,
                                    const std::vector<Feature>& features) {
  std::optional<ScalarLaw> best = FindConstant(samples);
  if (best || AnySpecial(samples)) return best;
  const bool once = DependOnSizeOnly(samples);
  for (const Feature& f : features) {
    auto law = FindOneFeature(samples, f);
    if (!law) continue;
    // One more than free numbers.
    const bool both = law->terms[0].first != 1 && law->constant != 0;
    const size_t rows = both || !once ? 3 : 2;
    if (!IsCondition(f) && (DifferentRows(samples, {f}) < rows ||
                            (once && !ChangesBeyondOne(samples, f)))) {
      continue;
    }
    Keep(std::move(law), &best);
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
    if (!there) {
      Keep(FindOnlyThere(f, in, out, features), &best);
      continue;
    }
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

}  // namespace ranksight::online_model
