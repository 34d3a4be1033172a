// Laws of blocks that other ways to cut a mesh give, too.
// Thread-safety: pure function but for space.cuts.
#pragma once

#include <span>

#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// A law as it is, or what all those give that are the same with blocks cut
// another way, give the samples, and are left by the program's other laws;
// where what it predicts is compared next, the first of these.
ScalarLaw AmongDivisions(const ScalarLaw& law, std::span<const Sample> samples,
                         const SearchSpace& space);

// Where a share, or a multiple of it, is of a whole that all samples divide,
// nothing shows what happens to a remainder: no value where one is left. Sums
// of several parts may say what does. e gives the samples.
ExpressionPtr WithoutRemainders(const ExpressionPtr& e,
                                std::span<const Sample> samples);

}  // namespace ranksight::online_model
