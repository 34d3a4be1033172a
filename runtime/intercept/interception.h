// One wrapped MPI call, from entry to exit.
//
// A wrapper makes an Interception, asks whether it records, hands over how to
// read the inputs (Before), makes the PMPI call, hands over how to read the
// outputs (After). Nothing thrown inside reaches the program.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <exception>

#include "runtime/capture/clock.h"
#include "runtime/capture/recorder.h"
#include "runtime/epoch/epochs.h"

namespace ranksight::runtime {

class Interception {
 public:
  Interception(reduction::Call call, void* caller, void* frame)
      : call_(call), caller_(caller), frame_(frame) {
    recorder_ = Recorder::Active();
    if (recorder_ == nullptr) return;
    thread_ = &ThisThread();
    if (thread_->depth++ > 0) recorder_ = nullptr;
    entered_ticks_ = Clock::Now();
  }
  ~Interception() {
    if (thread_ != nullptr) --thread_->depth;
  }
  Interception(const Interception&) = delete;
  Interception& operator=(const Interception&) = delete;

  bool recording() const { return recorder_ != nullptr; }
  Arguments& arguments() { return thread_->arguments; }

  template <class ReadInputs>
  void Before(ReadInputs read) noexcept {
    try {
      const std::lock_guard<std::mutex> hold(recorder_->lock);
      site_ = recorder_->paths.Find(caller_, frame_, &recorder_->folder);
      arguments().Begin(call_, &recorder_->tables);
      read();
    } catch (...) {
      recorder_->Fail("recorder_failed");
      failed_ = true;
    }
    called_ticks_ = Clock::Now();
  }

  // result: what the PMPI call returned. poll: it found nothing.
  template <class ReadOutputs>
  void After(int result, bool poll, ReadOutputs read) noexcept {
    const uint64_t call_ticks = Clock::Now() - called_ticks_;
    if (failed_) return;
    try {
      const std::lock_guard<std::mutex> hold(recorder_->lock);
      if (poll) {
        recorder_->CountPoll(call_);
      } else {
        arguments().Returned(result);
        read();
        Fold(call_ticks);
      }
    } catch (...) {
      recorder_->Fail("recorder_failed");
    }
    if (called_ticks_ + call_ticks >= next_epoch_slice.load(kRelaxed)) {
      RunEpochSlice(poll);
    }
    // A poll's time belongs to the computation before the next event.
    if (!poll) thread_->left_ticks = Clock::Now();
    thread_->seen = true;
  }

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;

  void Fold(uint64_t call_ticks) {
    const uint64_t since =
        thread_->seen ? thread_->left_ticks : recorder_->started_ticks;
    const uint64_t compute =
        entered_ticks_ > since ? entered_ticks_ - since : 0;
    recorder_->Fold(&arguments().event(), site_, compute, call_ticks);
  }

  reduction::Call call_;
  void* caller_;
  void* frame_;
  Recorder* recorder_ = nullptr;
  ThreadState* thread_ = nullptr;
  uint64_t entered_ticks_ = 0;
  uint64_t called_ticks_ = 0;
  uint32_t site_ = 0;
  bool failed_ = false;
};

// Counts a call that is seen but not recorded, by its place in
// kPassingCalls. Calls MPI makes itself are not counted.
void CountNotRecorded(int call) noexcept;
std::map<std::string, uint64_t> NotRecorded();

// What passing calls change in the tables: communicators obtained take
// numbers in order, and handles given up may come again as something else.
void ObtainComm(const MPI_Comm* comm, int result) noexcept;
void ObtainDuplicate(const MPI_Comm* comm, MPI_Comm parent,
                     int result) noexcept;
void GiveUpComm(const MPI_Comm* comm) noexcept;
void GiveUpType(const MPI_Datatype* type) noexcept;
// Names, ended by nullptr; in the generated file.
extern const char* const kPassingCalls[];

}  // namespace ranksight::runtime
