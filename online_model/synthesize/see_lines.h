// The grids whose rows, columns or planes are a program's communicators.
// Thread-safety: pure function.
#pragma once

#include <span>

#include "online_model/structure/candidate_rules.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// By number of ranks, one for each run, of two sides or more: where a program
// splits the world among communicators that are as long and whose members are
// as far apart, all of them, those are along sides of a grid of ranks, counted
// row by row. Empty where any run has none, or leaves a side open. Runs whose
// lines are single ranks go by those of the others.
Shapes SeeLines(std::span<const reduction::Trace> traces);

}  // namespace ranksight::online_model
