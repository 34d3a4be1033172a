// The search for laws of recursive doubling on any number of ranks: those
// beyond the last power of two are folded into others first, even ranks of the
// first ones into the odd ranks behind them, and told the result at the end
// (Rabenseifner 2004; Thakur, Rabenseifner and Gropp 2005).
// Thread-safety: pure functions.
#pragma once

#include <span>

#include "online_model/structure/expression.h"
#include "online_model/structure/scalar_law.h"

namespace ranksight::online_model {

// Both: nullptr where there is no such law, or where runs on powers of two, on
// which nobody is folded, are all there is.

// What the folded ranks do so often and all others so often, or those into
// which they are folded and all others, or both and the rest; so often may be
// a multiple of the number of doublings.
// REQUIRES: samples.
ExpressionPtr FindFoldedCount(std::span<const Sample> samples);

// Whom a rank meets in each doubling, the next one at each place.
// REQUIRES: samples of a list or loop whose values are ranks.
ExpressionPtr FindFoldedPeer(std::span<const Sample> samples);

}  // namespace ranksight::online_model
