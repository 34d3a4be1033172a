// The recorder of this process: its folder, tables, clock and counters.
//
// One lock guards it; it is never held during an MPI call of the program.
// Whatever goes wrong inside sets a latch: nothing is recorded any more, the
// loss is counted, and the program goes on undisturbed.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "reduction/api/folder.h"
#include "runtime/capture/arguments.h"
#include "runtime/capture/call_path.h"

namespace ranksight::runtime {

class Recorder {
 public:
  // The recorder while it records; nullptr before MPI_Init, after
  // MPI_Finalize, when disabled or latched off, and in forked children.
  static Recorder* Active();
  // The only one, made by Start; nullptr before.
  static Recorder* Get();
  // Once, after MPI is initialised.
  static Recorder* Start(int rank, int ranks);
  // Goes on recording (true) or not (false); what was folded stays.
  void SetActive(bool active);

  void Fold(reduction::Event* event, uint32_t site, uint64_t compute_ticks,
            uint64_t call_ticks);
  void CountPoll(reduction::Call call);
  void Fail(const char* why) noexcept;

  std::mutex lock;
  Tables tables;
  CallPaths paths;
  reduction::Folder folder;
  std::map<std::string, uint64_t> polls, losses;
  int rank = 0, ranks = 1;
  uint64_t started_ticks = 0;
  int64_t started_unix_ns = 0;
};

// State of the calling thread.
struct ThreadState {
  int depth = 0;  // wrappers entered; above 0 calls are MPI's own
  bool seen = false;
  uint64_t left_ticks = 0;  // when the last wrapper was left
  Arguments arguments;
};
ThreadState& ThisThread();

}  // namespace ranksight::runtime
