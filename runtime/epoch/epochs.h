// Epochs: the ranks' queues merged while the program runs, in slices at the
// end of wrapped calls. The root leaves the trace so far where the whole one
// will be, marked partial, and sends it to the side-car, if there is one.
//
// Bounds: a slice ends within kSliceNs and a piece of work of some
// microseconds (freezing one rank's queue is one piece); slices take at most
// one part in kShare of the time. Nothing is printed, thrown or waited for;
// whatever fails ends the epochs, not the recording.
//
// A rank that makes no MPI calls does nothing here either: what it and those
// below it in the tree have to give stays with them meanwhile.
//
// The same places look at what the rank holds in memory (memory_watch.h), with
// epochs and without.
//
// Thread-safety: slices may be run by any thread, one at a time.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/capture/recorder.h"
#include "runtime/session/options.h"
#include "runtime/session/outcome.h"

namespace ranksight::runtime {

inline constexpr uint64_t kSliceNs = 100000;
inline constexpr uint64_t kShare = 50;
// A slice that took longer than so many was not on the processor all the time.
inline constexpr uint64_t kMostSlices = 3;

// From which tick on a wrapper should call RunSlice: an epoch's slice is due,
// or it is time to look at what the rank holds in memory.
extern std::atomic<uint64_t> next_slice;
inline bool SliceIsDue(uint64_t ticks) {
  return ticks >= next_slice.load(std::memory_order_relaxed);
}

// Whether there are to be any.
bool AskForEpochs(const Options& options);
// After MPI_Init, collective. REQUIRES: AskForEpochs(options).
void StartEpochs(Recorder* recorder, const Options& options) noexcept;

// Looks at memory from now on. Once, before any call of the program is
// recorded.
void StartMemorySamples(Recorder* recorder) noexcept;

// Looks again if it is time: where the program begins or ends a region.
void SampleMemoryIfDue() noexcept;

// poll: the call was no event. REQUIRES: inside a wrapper, no lock held.
void RunSlice(bool poll) noexcept;

// Before the merge at the end, collective: ends the traffic.
EndedEpochs EndEpochs() noexcept;

}  // namespace ranksight::runtime
