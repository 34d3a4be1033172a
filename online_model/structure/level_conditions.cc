#include "online_model/structure/level_conditions.h"

#include <algorithm>
#include <string>
#include <vector>

#include "online_model/structure/dims_rule.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

enum class Condition { kHasPart, kJoins, kGives };

// Along one side, or along all (dim < 0, kHasPart only).
struct Candidate {
  Condition condition;
  int dim;
  int64_t first;
};

bool Holds(const Candidate& what, const Levels& levels, int ndims,
           const Context& c) {
  if (what.dim < 0) {
    for (int d = 0; d < ndims; ++d) {
      if (!levels.HasPart(c, d, what.first)) return false;
    }
    return true;
  }
  const bool has = levels.HasPart(c, what.dim, what.first);
  if (what.condition == Condition::kHasPart) return has;
  const Levels coarser = levels.Coarser();
  const bool had = coarser.HasPart(c, what.dim, what.first);
  if (what.condition == Condition::kJoins) return has && !had;
  return had && levels.Distance(c, what.dim) < coarser.Distance(c, what.dim);
}

ExpressionPtr LawOf(const Candidate& what, const Levels& levels, int ndims) {
  if (what.dim < 0) {
    ExpressionPtr all = levels.HasPartLaw(0, what.first);
    for (int d = 1; d < ndims; ++d) {
      all = Combine(Op::kMultiply, std::move(all),
                    levels.HasPartLaw(d, what.first));
    }
    return all;
  }
  ExpressionPtr has = levels.HasPartLaw(what.dim, what.first);
  if (what.condition == Condition::kHasPart) return has;
  const Levels coarser = levels.Coarser();
  ExpressionPtr had = coarser.HasPartLaw(what.dim, what.first);
  if (what.condition == Condition::kJoins) {
    return Combine(Op::kLess, std::move(had), std::move(has));
  }
  return Combine(Op::kMultiply, std::move(had),
                 Combine(Op::kLess, levels.DistanceLaw(what.dim),
                         coarser.DistanceLaw(what.dim)));
}

bool Fits(const Candidate& what, const Levels& levels, int ndims,
          Samples samples) {
  return std::all_of(samples.begin(), samples.end(), [&](const Sample& s) {
    return s.value == (Holds(what, levels, ndims, s.where) ? 1 : 0);
  });
}

std::vector<Candidate> CandidatesOn(const Levels& levels, int ndims) {
  std::vector<Candidate> candidates;
  for (const int64_t first : {1, 0}) {
    candidates.push_back({Condition::kHasPart, -1, first});
    for (int d = 0; d < ndims; ++d) {
      candidates.push_back({Condition::kHasPart, d, first});
      if (levels.whole < 2) continue;
      candidates.push_back({Condition::kJoins, d, first});
      candidates.push_back({Condition::kGives, d, first});
    }
  }
  return candidates;
}

ExpressionPtr FindOn(const Levels& levels, int ndims, Samples samples) {
  for (const Candidate& c : CandidatesOn(levels, ndims)) {
    if (Fits(c, levels, ndims, samples)) return LawOf(c, levels, ndims);
  }
  return nullptr;
}

bool OfPowersOfTwo(Samples samples) {
  return std::all_of(samples.begin(), samples.end(), [](const Sample& s) {
    return IsPowerOfTwo(s.where.ranks());
  });
}

}  // namespace

std::optional<ScalarLaw> FindLevelCondition(Samples samples,
                                            const SearchSpace& space) {
  bool none = false, one = false;
  for (const Sample& s : samples) {
    if (s.value != 0 && s.value != 1) return std::nullopt;
    none = none || s.value == 0;
    one = one || s.value == 1;
  }
  if (!space.array || !none || !one || !OfPowersOfTwo(samples)) {
    return std::nullopt;
  }
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kExpression;
  if (space.levels) {
    law.expression = FindOn(*space.levels, space.ndims, samples);
  } else {
    ForEachLevels([&](const Levels& levels) {
      if (law.expression == nullptr) {
        law.expression = FindOn(levels, space.ndims, samples);
      }
    });
  }
  if (law.expression == nullptr) return std::nullopt;
  return law;
}

std::optional<LevelPart> LevelPartOf(const ScalarLaw& condition,
                                     const Levels& levels, int ndims) {
  if (condition.expression == nullptr) return std::nullopt;
  const std::string text = condition.expression->ToString();
  for (const Candidate& c : CandidatesOn(levels, ndims)) {
    if (LawOf(c, levels, ndims)->ToString() == text) {
      return LevelPart{c.first, c.dim < 0};
    }
  }
  return std::nullopt;
}

ScalarLaw HasPartInAll(const Levels& levels, int64_t first, int ndims) {
  return OfExpression(LawOf({Condition::kHasPart, -1, first}, levels, ndims));
}

}  // namespace ranksight::online_model
