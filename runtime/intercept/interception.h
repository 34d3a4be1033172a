// One wrapped MPI call that has to be looked at in full, from entry to exit.
//
// A wrapper makes an Interception, asks whether it records, hands over how to
// read the inputs (Before), makes the PMPI call, hands over how to read the
// outputs (After). Calls that were predicted take the short way instead, see
// quick_call.h. Nothing thrown inside reaches the program.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <exception>
#include <span>

#include "runtime/capture/clock.h"
#include "runtime/capture/not_recorded.h"
#include "runtime/capture/recorder.h"
#include "runtime/capture/thread.h"
#include "runtime/epoch/epochs.h"

namespace ranksight::runtime {

// MPI_Dims_create around the call: what it is asked, then what it gave.
// Thread-safety: any thread.
class DimsWatch {
 public:
  DimsWatch(int nodes, int sides, const int* dims) noexcept;
  void Keep(const int* dims, int result) const noexcept;

 private:
  int nodes_, sides_ = 0;  // 0: not to be kept
  std::array<int, reduction::kMostMadeSides> asked_{};
};

// A call that is made before it is looked at. One that may find nothing
// (MPI_Test, MPI_Iprobe, ...) is then only counted most of the time, and its
// time belongs to the computation before the next event; of one that waits for
// some of its requests (MPI_Waitany, ...) only the outputs tell which event it
// is.
class Poll {
 public:
  Poll(reduction::Call call, void* frame) : call_(call) {
    if (IsInside(frame)) return;
    before_ = hot.expected;
    recorder_ = Recorder::Active();
    if (recorder_ == nullptr || !PrepareThread()) return;
    recording_ = true;
    hot.GoInside(frame);
    started_ticks_ = Clock::Now();
    OwnTime::Enter(started_ticks_);
  }
  bool recording() const { return recording_; }
  // Keeps the requests as they are before the call.
  void Keep(const MPI_Request* requests, int count) noexcept;
  // What the call gets for its statuses: see Arguments::Statuses. any: whether
  // it asks for any source or tag; of requests that is not known yet.
  MPI_Status* Statuses(MPI_Status* given, bool any) const {
    return recording_ && any ? hot.rest->arguments.OrOwn(given, 1) : given;
  }
  MPI_Status* StatusesOfRequests(MPI_Status* given, int count) const {
    return recording_ && recorder_->tables.requests.EverChose()
               ? hot.rest->arguments.OrOwn(given, count)
               : given;
  }
  const MPI_Request* kept() const { return hot.rest->requests.data(); }
  reduction::Call call() const { return call_; }
  // What the thread expected when the call was made.
  const Hint* expected() const { return before_; }
  // Once it is over.
  uint64_t started_ticks() const { return started_ticks_; }
  uint64_t returned_ticks() const { return returned_ticks_; }
  // After the call. True when nothing is left to do: it found nothing, or is
  // not recorded.
  bool Over(bool found_nothing) {
    if (!recording_) return true;
    hot.expected = before_ == &kOutside ? &kNothing : before_;
    if (found_nothing) {
      if (!recorder_->IsPaused()) recorder_->CountPoll(call_);
      if (SliceIsDue(started_ticks_)) [[unlikely]] {
        const Inside inside;
        RunSlice(true);
      }
      OwnTime::LeaveOutPoll(started_ticks_);
      return true;
    }
    returned_ticks_ = Clock::Now();
    return false;
  }

 private:
  friend class Interception;
  reduction::Call call_;
  const Hint* before_ = &kInside;
  Recorder* recorder_ = nullptr;
  bool recording_ = false;
  uint64_t started_ticks_ = 0, returned_ticks_ = 0;
};

class Interception {
 public:
  Interception(reduction::Call call, void* caller, void* frame)
      : call_(call), caller_(caller), frame_(frame) {
    if (IsInside(frame)) return;
    recorder_ = Recorder::Active();
    if (recorder_ == nullptr) return;
    entered_ticks_ = Clock::Now();
    OwnTime::Enter(entered_ticks_);
    Begin();
  }
  // A poll that is over and found something.
  Interception(const Poll& poll, void* caller, void* frame)
      : call_(poll.call_),
        caller_(caller),
        frame_(frame),
        recorder_(poll.recorder_),
        is_poll_(true),
        entered_ticks_(poll.started_ticks_),
        called_ticks_(poll.started_ticks_),
        returned_ticks_(poll.returned_ticks_) {
    Begin();
  }
  ~Interception() {
    if (recorder_ != nullptr && !is_over_) recorder_->CountLeft();
    // The recorder may have been switched off meanwhile.
    if (recorder_ != nullptr && hot.expected == &kInside) {
      hot.expected = Recorder::Active() != nullptr ? &kNothing : &kOutside;
    }
  }
  Interception(const Interception&) = delete;
  Interception& operator=(const Interception&) = delete;

  bool recording() const { return recorder_ != nullptr; }
  Arguments& arguments() { return hot.rest->arguments; }

  // The call can be recognised by these arguments, by its requests where it
  // has any, and by where it is made. params: for each argument the parameter
  // of which it is the value, if it is a number; else kNoParam.
  static constexpr int kNoParam = -1;
  template <int... params, class... Raw>
  void Quick(bool has_requests, Raw... raw) {
    static_assert(sizeof...(params) == sizeof...(Raw));
    static constexpr std::array<int, sizeof...(Raw)> kParams = {params...};
    raw_ = {Word(raw)...};
    raw_params_ = kParams;
    quick_ = true;
    has_requests_ = has_requests;
  }

  // The call asks for any source or any tag of comm. In Before.
  void Chooses(MPI_Comm comm) {
    chooses_ = true;
    peers_ = arguments().Choice(comm);
  }

  template <class ReadInputs>
  void Before(ReadInputs read) noexcept {
    try {
      const Hold hold(recorder_, EndOfPoll());
      path_ = &recorder_->paths.Find(caller_, frame_, &recorder_->folder);
      arguments().Begin(call_, &recorder_->tables, &hot);
      read();
    } catch (...) {
      recorder_->Fail("recorder_failed");
      failed_ = true;
    }
    if (is_poll_) return;
    called_ticks_ = Clock::Now();
    hot.spent_ticks += called_ticks_ - entered_ticks_;
  }

  // result: what the PMPI call returned.
  template <class ReadOutputs>
  void After(int result, ReadOutputs read) noexcept {
    is_over_ = true;
    if (!is_poll_) returned_ticks_ = Clock::Now();
    if (failed_) return;
    try {
      const Hold hold(recorder_, returned_ticks_);
      arguments().Returned(result);
      // What was found out before says nothing of it.
      if (arguments().has_unseen_comm()) quick_ = false;
      read();
      // Its time belongs to the computation before the next event.
      if (arguments().did_nothing()) return recorder_->LeaveOutFailed();
      Fold();
    } catch (...) {
      recorder_->Fail("recorder_failed");
    }
    Recorder::Spent(returned_ticks_);
    if (SliceIsDue(returned_ticks_)) {
      const Inside inside;
      RunSlice(false);
    }
    recorder_->Left();
  }

 private:
  void Begin() noexcept;
  // Calls that ended after a poll found something may be about requests that
  // it has finished.
  uint64_t EndOfPoll() const { return is_poll_ ? returned_ticks_ : UINT64_MAX; }
  void Fold();
  void Know();
  void SetHint(reduction::Variant* variant);
  bool SetOpenWords(Hint* hint) const;

  reduction::Call call_;
  void* caller_;
  void* frame_;
  Recorder* recorder_ = nullptr;
  bool is_poll_ = false;  // made before it was looked at
  const KnownPath* path_ = nullptr;
  uint64_t entered_ticks_ = 0, called_ticks_ = 0, returned_ticks_ = 0;
  std::array<uint64_t, Hint::kMaxRaw> raw_;
  std::span<const int> raw_params_;
  bool quick_ = false;
  bool has_requests_ = false;
  bool chooses_ = false;
  WorldRanksOfPeers peers_;
  bool failed_ = false;
  bool is_over_ = false;  // the call has returned
};

// What passing calls change in the tables: communicators obtained take
// numbers in order.
void ObtainComm(const MPI_Comm* comm, int result) noexcept;
void ObtainDuplicate(const MPI_Comm* comm, MPI_Comm parent,
                     int result) noexcept;

}  // namespace ranksight::runtime
