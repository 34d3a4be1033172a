// Laws of the levels of a multigrid (levels.h), over the iterations of the
// loop that runs through them.
// Complexity: 40 wholes, times 4 to the number of sides.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "online_model/structure/expression_pool.h"
#include "online_model/structure/levels.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// A constant times points of a rank along one or more sides, each perhaps
// with those of its neighbours at one end or both. probes: some of the
// samples, of every size. nullptr when there is none.
ExpressionPtr FindLevels(std::span<const Sample> samples,
                         const std::vector<Sample>& probes,
                         const SearchSpace& space);

// Ways to get these distances along dimension dim from one rank of a level
// to the next, modulo the side. by: at each of the probes.
std::vector<ExpressionPtr> FindLevelDistances(const Values& by,
                                              const std::vector<Sample>& probes,
                                              int dim);

// A law of the space's own levels: points, or for ranks the next of a level
// along some dimension. REQUIRES: space.levels.
std::optional<ScalarLaw> FindOnLevels(std::span<const Sample> samples,
                                      const SearchSpace& space);

// Points of one level, outside of the loops through levels: a face of a rank's
// part, across the space's side, or the square of one side, as buffers have
// that any face fits into.
std::optional<ScalarLaw> FindOneLevel(std::span<const Sample> samples,
                                      const SearchSpace& space);

// The next rank along some side of one level, outside of the loops through
// levels.
std::optional<ScalarLaw> FindNextOnOneLevel(std::span<const Sample> samples,
                                            const SearchSpace& space);

// Levels whose points, divided among ranks, the law is made of. *ending: also
// set where it says what happens when there are no more points than ranks.
void CollectLevels(const ScalarLaw& law, std::set<Levels>* levels,
                   bool* ending);

// How the law counts a rank's coarsest level, where it does.
void CollectCoarsest(const ScalarLaw& law, std::set<Feature::Kind>* kinds);

// How often a rank runs a loop through levels, `step` times at each, which
// runs `trips` times on a rank that sits none out.
ScalarLaw LevelTrips(const Levels& levels, int64_t trips, int step,
                     Feature::Kind coarsest);

}  // namespace ranksight::online_model
