// The recorder of this process: its folder, tables, clock and counters.
//
// It is guarded by a lock that costs nothing while one thread alone makes
// calls: that thread, the owner, only notes that it is busy. A call of
// another thread takes the recorder from the owner (Share); from then on it is
// a mutex, held for the moments before and after a call that must be looked
// at, and all other calls go to logs of their threads (call_log.h), until one
// thread has made enough calls in a row to become the owner. It is never held
// during an MPI call of the program.
//
// Whatever goes wrong inside sets a latch: nothing is recorded any more, the
// loss is counted, and the program goes on undisturbed.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "reduction/api/folder.h"
#include "runtime/capture/arguments.h"
#include "runtime/capture/call_path.h"
#include "runtime/capture/clock.h"
#include "runtime/capture/hint.h"
#include "runtime/capture/known_hints.h"
#include "runtime/capture/memory_watch.h"
#include "runtime/capture/overhead.h"
#include "runtime/capture/own_time.h"
#include "runtime/capture/thread.h"
#include "runtime/capture/time_budget.h"

namespace ranksight::runtime {

class Recorder {
 public:
  // The recorder while it records or pauses; nullptr before MPI_Init, after
  // MPI_Finalize, when disabled or latched off, and in forked children.
  static Recorder* Active();
  // The only one, made by Start; nullptr before.
  static Recorder* Get() { return only_; }
  // Once, after MPI is initialised, by the thread that is to own it.
  // predict: whether calls may be recognised by what came before. everybody:
  // the group whose ranks count where there is no world, MPI_GROUP_NULL else.
  static Recorder* Start(int rank, int ranks, bool predict,
                         MPI_Group everybody);
  explicit Recorder(bool predict);

  // Records no more; what was folded stays.
  void Stop();
  // From Pause to Resume events are dropped, and counted; what the program's
  // objects mean is kept up.
  void Pause();
  void Resume();
  bool IsPaused() const { return is_paused_.load(std::memory_order_relaxed); }
  // Any thread, once it has left a wrapper: what it computes is the program's,
  // before the next event.
  void Left() const {
    if (!IsPaused()) OwnTime::Leave(Clock::Now());
  }
  // Any thread: from then until now it recorded.
  static void Spent(uint64_t from_ticks) {
    hot.spent_ticks += Clock::Now() - from_ticks;
  }

  // The lock. Whoever has it knows of all calls in the logs that ended by then.
  void Lock(uint64_t until_ticks = UINT64_MAX);
  void Unlock();
  // The same where nobody has it.
  bool TryLock();
  // False when it is not had within about a tenth of a second, because a
  // thread was stopped while it held it.
  bool LockSoon();
  // Whether the caller may go on without the lock: it is the owner, and the
  // recorder is active. Then it is busy until Leave, and must be brief.
  static bool Enter() {
    hot.busy.store(1, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (owner_.load(std::memory_order_acquire) == &hot) [[likely]] {
      return true;
    }
    Leave();
    return false;
  }
  static void Leave() { hot.busy.store(0, std::memory_order_release); }
  // Whether the caller may write to its log: nobody owns the recorder, and it
  // is active. Then it is busy until Leave, and must be brief.
  static bool EnterLog() {
    hot.busy.store(1, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (logging_.load(std::memory_order_acquire)) [[likely]] {
      return true;
    }
    Leave();
    return false;
  }
  static bool Logs() { return logging_.load(std::memory_order_relaxed); }
  // The calling thread ends.
  void ThreadEnds();

  // REQUIRES for all below: the lock is held.

  // Adds a finished event. The variant it is; nullptr when it is not
  // remembered.
  reduction::Variant* Fold(reduction::Event* event, uint32_t site,
                           int64_t compute_ticks, int64_t call_ticks);
  // Adds the predicted event with the values that it brings.
  void FollowOpen(const OwnValues& own, int64_t compute_ticks,
                  int64_t call_ticks);
  // Adds the predicted event, which brings nothing.
  void Follow(int64_t compute_ticks, int64_t call_ticks) {
    folder.FollowInTicks(compute_ticks, call_ticks);
    if (folder.AtStop()) [[unlikely]]
      GoOn();
  }
  // Once the folder has stopped: adds up its durations if it has no room left,
  // and says where to stop next.
  void GoOn();
  void CountLoss(const char* why);
  // A call that is left out because it did nothing: a loss, but nothing of
  // what the program did is missing.
  void LeaveOutFailed() { ++failed_calls; }
  // The calling thread's log; made if there is none.
  CallLog* LogOfThread();
  // Adds what an entry of the log says.
  void Take(const CallLog::Entry& entry, CallLog* log);
  // Whether calls of the thread that holds the lock may be recognised.
  bool Predicts() const {
    return predict_ && owner_.load(std::memory_order_relaxed) == &hot;
  }
  // Sets what the owner expects next.
  void Expect() {
    hot.expected = static_cast<const Hint*>(folder.predicted_hint());
  }
  // Makes a known hint that passes the expected one; nullptr where none is.
  // passes: asks whether it fits the call. The caller owns the recorder.
  template <class Passes>
  const Hint* ExpectKnown(const Hint* hint, Passes passes) {
    if (hint == nullptr || hint->changes != Meanings::Changes() ||
        !passes(*hint) || !folder.Predict(hint->variant)) {
      return nullptr;
    }
    Expect();
    return hot.expected == hint ? hint : nullptr;
  }
  // The hint of a variant, made if there is none.
  Hint* HintOf(reduction::Variant* variant);

  // Any thread, without the lock.
  void CountPoll(reduction::Call call) {
    polls_[size_t(call)].fetch_add(1, std::memory_order_relaxed);
  }
  // A call was left without returning: nothing is known of it.
  void CountLeft() { left_.fetch_add(1, std::memory_order_relaxed); }
  uint64_t left() const { return left_.load(std::memory_order_relaxed); }
  std::map<std::string, uint64_t> Polls() const;
  // Adds the events that were dropped. The lock is held.
  void CountDropped(std::map<std::string, uint64_t>* calls) const;
  // Something went wrong, maybe in the middle of an event.
  void Fail(const char* why) noexcept;
  // Whether what was folded may not hold together.
  bool MayBeBroken() const { return may_be_broken_; }

  Tables tables;
  CallPaths paths;
  KnownHints known_hints;
  reduction::Folder folder;
  Overhead overhead{Clock::ReadingTicks()};
  MemoryWatch memory_watch;
  // Bytes that this runtime holds: its libraries, as far as they are in memory,
  // and what grows with what is recorded. Small tables are not counted.
  OwnMemory OwnBytes() const;
  void LookAtLibrary() { library_ = ReadLibraryPages(); }
  std::map<std::string, uint64_t> losses;
  std::vector<reduction::MadeDims> made_dims;  // of rank 0
  const char* uncounted_loss = nullptr;        // for want of memory to count it
  uint64_t on_unknown_comms = 0;               // calls
  uint64_t failed_calls = 0;                   // left out
  // Calls that were left failed, and the program lives with it.
  bool IsWhole() const { return losses.empty() && uncounted_loss == nullptr; }
  int rank = 0, ranks = 1;
  uint64_t started_ticks = 0;
  uint64_t stopped_ticks = 0;  // when the latch was set; 0: it is not
  // Bytes the folder may hold. Beyond, amounts that follow no rule become
  // distributions; where that does not help, recording stops.
  uint64_t memory_budget = UINT64_MAX;
  // Has the same done where recording takes more.
  void SetTimeShare(TimeShare share);
  int64_t started_unix_ns = 0;
  bool flushed = false;  // whether this rank's part lies on disk

 private:
  // Above every number of a call.
  static constexpr size_t kMaxCalls = 4096;
  void Share();
  void OwnAfterMany();
  bool CloseLogs();
  void Drain(uint64_t until_ticks);
  void TakeRun(CallLog* log, uint64_t until_ticks);
  void TakeClaim(const CallLog::Entry& entry, CallLog* log);
  void FinishClaimed(const CallLog::Entry& entry, const CallLog& log);
  void OwnerEnds();
  bool OwnerLeft(int patience_ms);
  void ClaimInFlight(HotThread* owner);
  void MayHaveTaken(uint64_t bytes) {
    taken_bytes_ += bytes;
    if (taken_bytes_ >= room_bytes_) [[unlikely]]
      CheckMemory();
  }
  void CheckMemory();
  // Stops between two events.
  void StopFor(const char* budget);
  // Turns amounts without a rule into distributions. False where there were
  // none.
  bool Spare(const char* why);
  // What the thread has spent since.
  void TakeTime() {
    const uint64_t ticks = std::exchange(hot.spent_ticks, 0);
    if (time_budget_ && time_budget_->Spend(ticks)) [[unlikely]]
      CheckTime();
  }
  void CheckTime();

  static inline Recorder* only_ = nullptr;
  static inline std::atomic<HotThread*> owner_{nullptr};
  // Only while nobody is the owner.
  static inline std::atomic<bool> logging_{false};
  std::mutex mutex_;
  // Nobody owns a recorder that pauses. Who did, to do so again.
  std::atomic<bool> is_paused_{false};
  HotThread* paused_owner_ = nullptr;
  std::array<uint64_t, kMaxCalls> dropped_{};
  // The owner that was, until it is seen to have left.
  std::atomic<HotThread*> leaving_{nullptr};
  // Guarded by mutex_: who held it last, how often in a row, and how often
  // makes an owner. The latter doubles each time an owner loses the recorder,
  // so that threads that take turns are not stopped by it for long.
  const HotThread* last_holder_ = nullptr;
  uint64_t holds_in_a_row_ = 0;
  uint64_t holds_to_own_ = 32;
  bool can_own_ = false;
  bool can_log_ = false;
  std::vector<CallLog*> logs_;  // guarded by mutex_
  bool predict_ = true;
  // What events may have taken since memory was looked at last, and what they
  // may take before it is looked at again.
  uint64_t taken_bytes_ = 0, room_bytes_ = 0;
  LibraryPages library_;
  std::optional<TimeBudget> time_budget_;
  uint64_t fills_ = 0;  // how often the folder's durations were added up
  bool may_be_broken_ = false;
  // Why some amounts are distributions; nullptr where none are.
  const char* spares_for_ = nullptr;
  std::array<std::atomic<uint64_t>, kMaxCalls> polls_{};
  std::atomic<uint64_t> left_{0};
  std::vector<std::unique_ptr<Hint>> hints_;
};

// Holds the recorder's lock.
class Hold {
 public:
  // until_ticks: calls in the logs that ended later may wait.
  explicit Hold(Recorder* r, uint64_t until_ticks = UINT64_MAX) : recorder_(r) {
    r->Lock(until_ticks);
  }
  ~Hold() { recorder_->Unlock(); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Recorder* recorder_;
};

}  // namespace ranksight::runtime
