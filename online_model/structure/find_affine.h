// The search for the simplest laws: constants, one or two features times
// constants plus a constant, and such under a condition.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// Whether all are 0 or 1.
bool AreConditions(std::span<const Sample> samples);

// Whether the law gives every sample.
bool Fits(const ScalarLaw& law, std::span<const Sample> samples);
bool Gives(const Expression& e, std::span<const Sample> samples);
// Of one rank alone a run tells nothing but of itself.
std::vector<Sample> OfMoreThanOneRank(std::span<const Sample> samples);
// Whether any value stands for something else than a number.
bool AnySpecial(std::span<const Sample> samples);
// The shorter one of two laws, where there is any, into *best.
void Keep(std::optional<ScalarLaw> law, std::optional<ScalarLaw>* best);

// Whether all runs are on powers of two of ranks.
bool AreHalved(std::span<const Sample> samples);
// The features of the space's grid that say something of these samples.
std::vector<Feature> FeaturesFor(std::span<const Sample> samples,
                                 const SearchSpace& space);

// Each gives the shortest law of its kind that gives every sample, or nothing.
// REQUIRES: samples.
std::optional<ScalarLaw> FindConstant(std::span<const Sample> samples);
// A constant, or a x feature + b.
std::optional<ScalarLaw> FindSimple(std::span<const Sample> samples,
                                    const std::vector<Feature>& features);
// A constant where a feature that is a condition holds, a simple law elsewhere;
// or the other way round.
std::optional<ScalarLaw> FindGuarded(std::span<const Sample> samples,
                                     const std::vector<Feature>& features);
// a x feature + b x feature + c.
std::optional<ScalarLaw> FindSum(std::span<const Sample> samples,
                                 const std::vector<Feature>& features);

}  // namespace ranksight::online_model
