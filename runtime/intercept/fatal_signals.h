// What is left when a signal ends the process: a copy of the process, made
// by our handler, writes the rank's part of the trace; then the action that
// stood when MPI was initialised is put back and the signal sent again, as it
// came, so that the process ends, or goes on, as if nothing had been done.
//
// Nobody can tell beforehand whether a handler of the program's ends it (the
// backtraces of Fortran and of UCX, faulthandler, glog) or goes on, so a part
// is written before any of them runs. One that went on once is left alone from
// then on; the part goes when the run comes to its end. Handlers that are set
// after MPI was initialised take the place of ours.
//
// Where processes cannot be copied, the process itself writes the part where
// it is sure to end, for seconds at most; before a handler of the program's,
// nothing is written.
#pragma once

namespace ranksight::runtime {

// Once. write: called in the copy, in the context of a signal handler; may
// take locks and memory, as whatever goes wrong there ends the copy alone.
void WatchFatalSignals(void (*write)()) noexcept;

// The process is about to abort. Some set the default back first (libgfortran),
// so that no handler hears of it.
void WatchAbort() noexcept;

// Whether a part may have been written by a process that then went on.
bool SignalLeftPart() noexcept;

}  // namespace ranksight::runtime
