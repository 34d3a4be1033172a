// The distributions of computation that a benchmark embeds.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "reduction/api/sketch.h"

namespace ranksight::adapters::c_mpi {

// "{first, mean, of_rank, of_draw, {quantiles}, scale, 0}" for struct compute
// of support/computation.c; nanoseconds.
std::string TimesText(const reduction::EventTimes& times, double scale);

}  // namespace ranksight::adapters::c_mpi
