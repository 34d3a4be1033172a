// Traces from which several targets start.
#pragma once

#include "tests/fuzz/target.h"

namespace ranksight::fuzz {

// Of real runs: seeds/traces, in the order of their names.
std::vector<Bytes> RecordedSeeds();

// Random ones that use every part of the format, the stencil of the size
// targets, and those of real runs.
std::vector<Bytes> TraceSeeds();

// Of made-up programs, one trace for each rank, a program after the other.
std::vector<std::vector<Bytes>> RankSeeds(int64_t ranks);

// Of real runs: what each rank gave to the merge, a run after the other.
std::vector<std::vector<Bytes>> RecordedRankSeeds();

}  // namespace ranksight::fuzz
