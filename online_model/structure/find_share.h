// The search for laws floor(whole / parts) + add: what everyone gets of a
// whole that need not divide, the rest left over.
//
// Many wholes may give the same shares. The law keeps all of them, and has a
// value only where they agree. Thread-safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "online_model/structure/expression.h"
#include "online_model/structure/expression_pool.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// parts: an expression of the pool, made on the contexts of the probes, the
// simplest first. Nothing when there is none.
ExpressionPtr FindShare(std::span<const Sample> samples,
                        const std::vector<Sample>& probes,
                        const ExpressionPool& pool);

// Of a law that gives all samples, and they depend on the size alone: with
// certain, a law that has a value only where every factor * floor(whole / side)
// + add that gives them as well has the same; else the shortest of these. A few
// sizes do not tell 2 * (254 / d + 1) from 512 / d, and programs have either.
// Nothing where too many give them. What other laws share out already (wholes)
// is shorter to say.
ExpressionPtr AmongShares(ExpressionPtr law, std::span<const Sample> samples,
                          const SearchSpace& space);

}  // namespace ranksight::online_model
