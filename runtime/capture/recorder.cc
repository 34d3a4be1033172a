#include "runtime/capture/recorder.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "runtime/capture/clock.h"

namespace ranksight::runtime {
namespace {

std::atomic<Recorder*> active{nullptr};

int64_t UnixNow() {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
}

// Of all threads of the process.
double ProcessorSeconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// Makes every thread of the process see and show its stores.
bool FenceAllThreads(int command) {
  return syscall(SYS_membarrier, command, 0, 0) == 0;
}

// What an event may take, by and large, beside its values: a new call site is
// the most. Less would let a rank outgrow its budget between two looks.
constexpr uint64_t kEventBytes = 4096;
// What a value of one may take: a term of a section and its hash.
constexpr uint64_t kValueBytes = 64;

// Whether a thread can be made the owner, so that another can take over.
bool CanOwn() {
#if defined(__SANITIZE_THREAD__)
  return false;  // it knows nothing of such fences
#else
  return FenceAllThreads(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
#endif
}

}  // namespace

Recorder* Recorder::Active() { return active.load(std::memory_order_acquire); }

Recorder::Recorder(bool predict)
    : folder(predict ? reduction::Folder::Prediction::kOn
                     : reduction::Folder::Prediction::kOff,
             &kNothing),
      predict_(predict) {}

Recorder* Recorder::Start(int rank, int ranks, bool predict,
                          MPI_Group everybody) {
  // Never destroyed: wrappers may run until the very end of the process.
  Recorder* r = new Recorder(predict);
  r->rank = rank;
  r->ranks = ranks;
  r->folder.SetTickNs(Clock::TickNs());
  if (everybody == MPI_GROUP_NULL) {
    r->tables.comms.Start();
  } else {
    r->tables.comms.StartWithGroup(everybody);
  }
  r->started_ticks = Clock::Now();
  r->started_unix_ns = UnixNow();
  r->can_own_ = CanOwn();
  // A simulator's ranks take turns in one thread.
  r->can_log_ = predict && !Clock::IsWtime();
  only_ = r;
  // A forked child shares nothing with the ranks and must leave them alone.
  pthread_atfork(nullptr, nullptr, [] {
    active.store(nullptr);
    owner_.store(nullptr);
    logging_.store(false);
    only_ = nullptr;
    hot.expected = &kOutside;
  });
  active.store(r, std::memory_order_release);
  if (r->can_own_) {
    owner_.store(&hot);
  } else {
    logging_.store(r->can_log_);
  }
  return r;
}

void Recorder::Stop() {
  active.store(nullptr, std::memory_order_release);
  // The owner does not look at this: it finds itself to be the owner no more.
  // Who waits for it to leave may wait for a thread that stopped for good.
  logging_.store(false);
  if (HotThread* owner = owner_.exchange(nullptr)) leaving_.store(owner);
  if (leaving_.load() == &hot) leaving_.store(nullptr);
}

void Recorder::Pause() {
  const Hold hold(this);
  if (IsPaused()) return;
  is_paused_.store(true);
  tables.Count(false);
  if (owner_.load() != &hot) return;
  paused_owner_ = &hot;
  // Calls that were predicted are looked at in full from here on.
  owner_.store(nullptr);
}

void Recorder::Resume() {
  const Hold hold(this);
  if (!IsPaused()) return;
  is_paused_.store(false);
  tables.Count(true);
  if (std::exchange(paused_owner_, nullptr) != &hot) return;
  // It owns the recorder as it lets go of the lock.
  last_holder_ = &hot;
  holds_in_a_row_ = holds_to_own_;
}

void Recorder::Lock(uint64_t until_ticks) {
  if (Enter()) return;
  mutex_.lock();
  if (owner_.load() != nullptr || leaving_.load() != nullptr) Share();
  Drain(until_ticks);
}

bool Recorder::TryLock() {
  if (!mutex_.try_lock()) return false;
  if (owner_.load() != nullptr || leaving_.load() != nullptr) Share();
  Drain(UINT64_MAX);
  return true;
}

void Recorder::Unlock() {
  if (hot.busy.load(std::memory_order_relaxed) != 0) {
    Leave();
  } else {
    OwnAfterMany();
    mutex_.unlock();
  }
}

// REQUIRES: mutex_ is held, and nobody owns the recorder.
void Recorder::OwnAfterMany() {
  holds_in_a_row_ = last_holder_ == &hot ? holds_in_a_row_ + 1 : 1;
  last_holder_ = &hot;
  if (holds_in_a_row_ < holds_to_own_ || !can_own_ || hot.rest == nullptr ||
      Active() != this || IsPaused()) {
    return;
  }
  holds_in_a_row_ = 0;
  if (!CloseLogs()) return;
  // What is known of another thread's stack must not be looked for on this.
  Meanings::Change();
  owner_.store(&hot);
}

// Takes the recorder from its owner. REQUIRES: mutex_ is held.
void Recorder::Share() {
  // A power of two beyond which it makes no difference.
  constexpr uint64_t kMostHolds = uint64_t{1} << 40;
  holds_to_own_ = std::min(2 * holds_to_own_, kMostHolds);
  while (!OwnerLeft(1000)) {
  }
  logging_.store(can_log_ && Active() == this);
}

// False when a thread is about to write. REQUIRES: mutex_ is held.
bool Recorder::CloseLogs() {
  if (!logging_.exchange(false)) return true;
  // After this, whoever still takes logs for open shows as busy.
  FenceAllThreads(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  for (const CallLog* log : logs_) {
    const bool self = log->writer() == &hot;
    if (!self && log->writer()->busy.load(std::memory_order_acquire) != 0) {
      logging_.store(true);
      return false;
    }
  }
  Drain(UINT64_MAX);
  return true;
}

bool Recorder::OwnerLeft(int patience_ms) {
  if (HotThread* owner = owner_.exchange(nullptr)) leaving_.store(owner);
  HotThread* leaving = leaving_.load();
  if (leaving == nullptr) return true;
  // After this, whoever still holds itself for the owner shows as busy.
  FenceAllThreads(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  constexpr int kTriesPerMs = 10;
  for (int i = 0; i < patience_ms * kTriesPerMs; ++i) {
    if (leaving->busy.load(std::memory_order_acquire) == 0) {
      ClaimInFlight(leaving);
      leaving_.store(nullptr);
      return true;
    }
    if (i < kTriesPerMs) {
      sched_yield();
    } else {
      usleep(1000 / kTriesPerMs);
    }
  }
  return false;
}

// The call that the owner is making may be done with its requests, and their
// handles come again, before anybody hears of that.
void Recorder::ClaimInFlight(HotThread* owner) {
  const auto held = owner->InFlight();
  if (held.empty() || owner->claimed) return;
  for (size_t i = 0; i < held.size(); ++i) {
    const WorldRanksOfPeers* choice = RequestTable::ChoiceOf(held[i]);
    std::optional<WorldRanksOfPeers>& kept = owner->rest->choices[i];
    kept.reset();
    if (choice != nullptr) kept = *choice;
  }
  for (const auto& h : held) tables.requests.Claim(h);
  owner->claimed = true;
}

bool Recorder::LockSoon() {
  constexpr int kPatienceMs = 100;
  if (hot.busy.load(std::memory_order_relaxed) != 0) return false;
  if (Enter()) return true;
  for (int i = 0; !mutex_.try_lock(); ++i) {
    if (i == kPatienceMs) return false;
    usleep(1000);
  }
  if (OwnerLeft(kPatienceMs)) {
    Drain(UINT64_MAX);
    return true;
  }
  mutex_.unlock();
  return false;
}

void Recorder::ThreadEnds() {
  CallLog* log = hot.rest->log.get();
  if (log != nullptr) {
    const std::lock_guard<std::mutex> hold(mutex_);
    Drain(UINT64_MAX);
    std::erase(logs_, log);
  }
  OwnerEnds();
}

void Recorder::OwnerEnds() {
  if (owner_.load() != &hot && leaving_.load() != &hot &&
      paused_owner_ != &hot) {
    return;
  }
  // Whoever waits for this thread to leave holds the mutex.
  const std::lock_guard<std::mutex> hold(mutex_);
  HotThread* self = &hot;
  owner_.compare_exchange_strong(self, nullptr);
  if (paused_owner_ == &hot) paused_owner_ = nullptr;
  self = &hot;
  leaving_.compare_exchange_strong(self, nullptr);
}

reduction::Variant* Recorder::Fold(reduction::Event* event, uint32_t site,
                                   int64_t compute_ticks, int64_t call_ticks) {
  if (!event->Complete()) {
    CountLoss("incomplete_event");
    return nullptr;
  }
  if (IsPaused()) {
    ++dropped_[size_t(event->call())];
    return nullptr;
  }
  if (event->ForgetTooLarge() > 0) CountLoss("values_too_large");
  event->site = site;
  // Sparing memory loses values, never sums of bytes: where those would go,
  // recording stops.
  if (spares_for_ != nullptr && !folder.KeepsBytesExact(*event)) {
    StopFor(spares_for_);
    return nullptr;
  }
  reduction::Variant* variant =
      folder.Push(*event, Clock::ToNs(compute_ticks), Clock::ToNs(call_ticks));
  MayHaveTaken(kEventBytes + event->values().size() * kValueBytes);
  TakeTime();
  return variant;
}

void Recorder::FollowOpen(const OwnValues& own, int64_t compute_ticks,
                          int64_t call_ticks) {
  folder.AppendApart({own.open.data(), own.open_count},
                     {own.matches.data(), 2 * own.match_count},
                     {own.completed.data(), own.completed_count});
  Follow(compute_ticks, call_ticks);
  const size_t values =
      own.open_count + 2 * own.match_count + own.completed_count;
  MayHaveTaken(values * kValueBytes);
  TakeTime();
}

void Recorder::GoOn() {
  using reduction::Folder;
  if (folder.HasRoom()) return folder.StopAt(Folder::kMostTaken);
  folder.SetTickNs(Clock::TickNs());
  folder.AddUpTicks();
  // In between now and then, for the cost of recording to be measured where
  // nothing is added up.
  constexpr uint64_t kFillsToMeasure = 16;
  if (++fills_ % kFillsToMeasure == 0) folder.StopAt(Folder::kMostTaken / 2);
}

OwnMemory Recorder::OwnBytes() const {
  const uint64_t heap =
      sizeof(Recorder) + folder.memory_bytes() + hints_.size() * sizeof(Hint);
  return {library_.file_bytes, library_.other_bytes + heap};
}

void Recorder::CheckMemory() {
  uint64_t bytes = folder.memory_bytes();
  if (bytes > memory_budget && Spare("memory_budget")) {
    bytes = folder.memory_bytes();
  }
  if (bytes > memory_budget) {
    StopFor("memory_budget");
    return;
  }
  // Looking costs a walk over the tree, so it is not done before that much room
  // can have gone.
  constexpr uint64_t kLeastRoom = 64 * kEventBytes;
  taken_bytes_ = 0;
  room_bytes_ = std::max(kLeastRoom, memory_budget - bytes);
}

bool Recorder::Spare(const char* why) {
  if (folder.SpareMemory() == 0) return false;
  if (spares_for_ == nullptr) spares_for_ = why;
  return true;
}

void Recorder::SetTimeShare(TimeShare share) {
  time_budget_.emplace(share, ProcessorSeconds());
}

void Recorder::CheckTime() {
  using State = TimeBudget::State;
  const auto look = [this] {
    return time_budget_->Look(Clock::Now() - started_ticks, ProcessorSeconds(),
                              folder.value_bytes());
  };
  State state = look();
  if (state != State::kRoom && Spare("time_budget")) state = look();
  if (state == State::kSpent) StopFor("time_budget");
}

void Recorder::CountLoss(const char* why) { ++losses[why]; }

Hint* Recorder::HintOf(reduction::Variant* variant) {
  if (variant->hint == &kNothing) {
    hints_.push_back(std::make_unique<Hint>());
    hints_.back()->variant = variant;
    variant->hint = hints_.back().get();
  }
  // It is one of hints_.
  return const_cast<Hint*>(static_cast<const Hint*>(variant->hint));
}

std::map<std::string, uint64_t> Recorder::Polls() const {
  std::map<std::string, uint64_t> polls;
  for (const reduction::CallInfo& info : reduction::AllCalls()) {
    const uint64_t n = polls_[size_t(info.call)].load();
    if (n != 0) polls[std::string(info.name)] = n;
  }
  return polls;
}

void Recorder::CountDropped(std::map<std::string, uint64_t>* calls) const {
  for (const reduction::CallInfo& info : reduction::AllCalls()) {
    const uint64_t n = dropped_[size_t(info.call)];
    if (n != 0) (*calls)[std::string(info.name)] += n;
  }
}

void Recorder::StopFor(const char* budget) {
  const bool may_be_broken = may_be_broken_;
  Fail(budget);
  may_be_broken_ = may_be_broken;
}

void Recorder::Fail(const char* why) noexcept {
  may_be_broken_ = true;
  Stop();
  if (stopped_ticks == 0) stopped_ticks = Clock::Now();
  try {
    CountLoss(why);
  } catch (...) {
    uncounted_loss = why;
  }
}

}  // namespace ranksight::runtime
