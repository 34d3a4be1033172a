// The distributions of computation that a benchmark embeds.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "reduction/api/times.h"

namespace ranksight::adapters::c_mpi {

// "first, mean, of_rank, of_draw, of_time, place, {quantiles}, scale": what
// struct compute of support/computation.c begins with; nanoseconds. first: of a
// rank's first occurrence; compute: of all others. place: what differs from
// entry to entry.
std::string TimesText(double first, const reduction::TimeSummary& compute,
                      size_t place, double scale);

}  // namespace ranksight::adapters::c_mpi
