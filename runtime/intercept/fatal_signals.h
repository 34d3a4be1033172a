// What is left when a signal ends the process: a copy of the process, made
// by the handler, writes the rank's part of the trace; the process itself
// then ends by the same signal as if nothing had been done. Where processes
// cannot be copied it writes the part itself, for seconds at most.
//
// Signals that the program (or a library) handles or ignores when MPI has
// been initialised are left alone; so are those it handles later, since its
// handler takes the place of ours. The handler of MPICH's transport, which
// only prints a backtrace, is called after ours.
#pragma once

namespace ranksight::runtime {

// Once. write: called in the copy, in the context of a signal handler; may
// take locks and memory, as whatever goes wrong there ends the copy alone.
void WatchFatalSignals(void (*write)()) noexcept;

}  // namespace ranksight::runtime
