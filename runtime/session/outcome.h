// What becomes of the recording: merged over the ranks, written, streamed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "reduction/api/trace.h"
#include "reduction/api/tree.h"
#include "runtime/egress/epoch_stream.h"
#include "runtime/session/options.h"

namespace ranksight::runtime {

// Whether what is written of it reads. That of a recorder which failed, for
// want of memory in the middle of an event, may not.
bool Reads(const reduction::Trace& trace);

// What epochs leave to the merge at the end.
struct EndedEpochs {
  std::unique_ptr<reduction::WorldLink> link;  // nullptr: there were none
  int64_t handed_on = 0;
};

// Collective over the world, between MPI_Init and MPI_Finalize: merges every
// rank's trace; rank 0 writes the file and streams it. Nothing is reported:
// a trace that cannot be written is lost, the program is not.
void FinishTogether(reduction::Trace mine, int rank, EndedEpochs epochs,
                    const Options& options);

// The trace so far, at the root: where the whole one will be, and to the
// side-car when `stream` is not nullptr, which calls `pause` as
// EpochStream::Send does. Pauses.
void HandOnPart(reduction::Trace trace, const Options& options,
                EpochStream* stream, void (*pause)());

// "<program>.<ranks>.trace", in the folder where the job was started.
std::string DefaultOutput(const std::string& program, int64_t ranks);
// "<output>.rank<r>.partial".
std::string PartOf(const reduction::Meta& meta, int rank,
                   const Options& options);
// This rank alone, when the run ends without MPI_Finalize or may do so later:
// writes PartOf, with why it is partial.
void FinishAlone(reduction::Trace mine, int rank, const char* why,
                 const Options& options);

}  // namespace ranksight::runtime
