// A trace of a real run against what the world says the program does.
// Thread-safety: pure function.
#pragma once

#include <string>

#include "reduction/api/trace.h"
#include "tests/idioms/grammar.h"

namespace ranksight::idioms {

// Empty where both make the same calls with the same values on every rank;
// else the first difference. Call sites are not compared, for the program was
// compiled anew, nor what is told by time: which request was first, what a
// receive from any source got, how often MPI_Waitsome was called; and of a
// program in which ranks look for messages, not the order of calls.
std::string FirstDifference(const Program& program,
                            const reduction::Trace& real,
                            const reduction::Trace& ours);

}  // namespace ranksight::idioms
