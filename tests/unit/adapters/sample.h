// A small trace that every adapter's golden file is made from: a ring with
// a communicator for each half, on any even number of ranks.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/event.h"
#include "reduction/api/trace.h"
#include "tests/unit/reduction/make_event.h"

namespace ranksight::adapters {

using Values = reduction::EventValues;
using reduction::MakeEvent;

// MPI_Init, a split in halves by parity, `steps` times (receive from the left,
// send to the right, wait for both, reduce over all, broadcast in the half),
// MPI_Finalize. 1 microsecond of computation before each call, 500 ns in it.
reduction::Trace RingTrace(int64_t ranks, int steps);

// Factors of sites: `factor` at that of an event, counted in the trace's order.
std::vector<double> ScaleAtCall(const reduction::Trace& trace, size_t call,
                                double factor);
// The events of one rank of it.
std::vector<reduction::Event> RingEvents(int64_t rank, int64_t ranks,
                                         int steps);
// The trace of the given events, by rank.
reduction::Trace MakeTrace(
    const std::vector<std::vector<reduction::Event>>& events);

// Compares with tests/golden/adapters/NAME; writes it when the environment
// variable RANKSIGHT_WRITE_GOLDEN is set.
void ExpectGolden(const std::string& name, const std::string& text);
std::string ReadText(const std::string& path);
// A folder of its own for each call, empty; gone when the tests end.
std::string TestFolder();

}  // namespace ranksight::adapters
