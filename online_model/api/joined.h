// Forecasts joined along the extrapolated trace. The trace at N says exactly
// which messages and collectives there are and who waits for whom; a walk of
// all ranks through it, with computation by the law of each event and a
// network fitted to the measured runs, gives the time: what ranks wait for
// and what overlaps counts, as it does in a run.
//
// The walk and the sum of the events' laws (forecast.h) each had to predict
// the largest measured run from the others; they are weighed by how they did.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "online_model/api/forecast.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// As forecaster.At(ranks), joined where the structure could be extrapolated
// and walked; elsewhere ForecastPoint::basis says why it was not.
// REQUIRES: inputs are the runs given to forecaster.
Forecast JoinedForecast(const Forecaster& forecaster,
                        std::span<const reduction::Trace> inputs,
                        std::span<const int64_t> ranks);

}  // namespace ranksight::online_model
