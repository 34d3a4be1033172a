// Flatten: a trace for tools that know no communicators: ranks of the world
// alone, and collectives as the messages that textbook algorithms make of them.
//
// What is left is MPI_Send, MPI_Recv, MPI_Isend, MPI_Irecv and the MPI_Wait or
// MPI_Waitall of what a call completed. Tags tell messages of different
// communicators apart, as in GOAL. What there is no message for is counted.
// Memory: the folded events of a few ranks, and what they merge to.
// Thread-safety: uses all cores itself.
#pragma once

#include "adapters/api/adapter.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters {

// kNo as of Communicators, and where tags do not suffice. Times in calls are 0.
reduction::Result<reduction::Trace> Flatten(const reduction::Trace& trace,
                                            Conversion* conversion);

}  // namespace ranksight::adapters
