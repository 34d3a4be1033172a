#include "runtime/epoch/epochs.h"

#include <sched.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <string>
#include <utility>

#include "reduction/api/contract.h"
#include "reduction/api/losses.h"
#include "runtime/capture/clock.h"
#include "runtime/egress/epoch_stream.h"
#include "runtime/epoch/fiber.h"
#include "runtime/epoch/schedule.h"
#include "runtime/session/meta.h"
#include "runtime/session/outcome.h"

namespace ranksight::runtime {

namespace {
constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();
}  // namespace

std::atomic<uint64_t> next_slice{kNever};

namespace {

using reduction::EpochTree;
using reduction::Trace;

// Guarded by lock, as all below is: when an epoch's slice is due, and when the
// next look at memory.
std::mutex lock;
uint64_t next_epoch_slice = kNever, next_sample = kNever;
Recorder* sampled = nullptr;

void SetNextSlice() {
  next_slice.store(std::min(next_epoch_slice, next_sample));
}

uint64_t TicksOf(double ns) {
  constexpr uint64_t kMany = uint64_t{1} << 30;
  const double ns_of_many = double(std::max<uint64_t>(1, Clock::ToNs(kMany)));
  return uint64_t(ns * (double(kMany) / ns_of_many));
}

class Epochs {
 public:
  Epochs(Recorder* recorder, const Options& options)
      : recorder_(recorder),
        options_(options),
        by_events_(options.epoch_events > 0),
        link_(reduction::MakeWorldLink()),
        tree_(&link_->channel(), options.radix) {
    schedule_.period = by_events_ ? options.epoch_events
                                  : TicksOf(options.epoch_seconds * 1e9);
    schedule_.height = tree_.height();
    schedule_.tree_height = tree_.tree_height();
    slice_ticks_ = TicksOf(double(kSliceNs));
    if (tree_.is_root() && !options.to.empty()) {
      stream_ =
          EpochStream::Open(options.to, PatienceOf(options.patience_seconds));
    }
    next_epoch_slice = by_events_ ? 0 : StartTicks(1);
  }

  void Slice(bool poll) {
    const uint64_t start = Clock::Now();
    if (!poll) ++events_;
    if (!link_->ok()) return Stop();
    tree_.Poll();
    // One of these in a slice. A job's time counts from here, since MPI may
    // have given the processor away in Poll: a slice that gets nothing done
    // because others run brings no epoch to its end.
    if (job_ == nullptr) {
      Cut();
    } else if (job_->Run(Clock::Now() + slice_ticks_)) {
      job_.reset();
    }
    if (!by_events_) Rest(start);
  }

  EndedEpochs End() {
    Stop();
    if (link_->ok()) tree_.Close([] { (void)sched_yield(); });
    return {std::move(link_), handed_on_};
  }

 private:
  uint64_t StartTicks(uint64_t cut) const {
    return recorder_->started_ticks + schedule_.StartOf(cut);
  }
  uint64_t Moment() const {
    return by_events_ ? events_ : Clock::Now() - recorder_->started_ticks;
  }
  void Stop() {
    next_epoch_slice = kNever;
    job_.reset();
  }

  // When the next slice is due, after one that began then.
  void Rest(uint64_t start) {
    const uint64_t end = Clock::Now();
    const uint64_t used = std::min(end - start, kMostSlices * slice_ticks_);
    rest_ += used * (kShare - 1);
    if (caught_up_) {
      next_epoch_slice = end;
      return;
    }
    const uint64_t rested = end + std::exchange(rest_, 0);
    next_epoch_slice = job_ == nullptr ? StartTicks(cut_ + 1) : rested;
  }

  // When a cut is due, brings the queue up to date, and in the slice after
  // that freezes it and starts what follows.
  void Cut() {
    const uint64_t cut = schedule_.CutAt(Moment());
    if (cut <= cut_) return;
    caught_up_ = !caught_up_;
    if (!Freeze()) return;
    cut_ = cut;
    job_ = Fiber::Make([this] { Gather(); });
    if (job_ == nullptr) Stop();
  }

  // False when it brought the queue up to date only.
  bool Freeze() {
    const Hold hold(recorder_);
    try {
      if (caught_up_) {
        recorder_->folder.CatchUp();
        return false;
      }
      frozen_ = recorder_->folder.Freeze();
      meta_ = MetaOf(recorder_, options_);
      return true;
    } catch (...) {
      // Who knows what became of the queue without memory.
      recorder_->Fail("recorder_failed");
      throw;
    }
  }

  // The body of a cut's fiber.
  void Gather() {
    Trace mine = frozen_->ToTrace(recorder_->rank, recorder_->ranks);
    frozen_.reset();
    mine.meta = std::move(meta_);
    if (!mine.meta.complete && !Reads(mine)) {
      mine.sites = {};
      mine.root = {};
    }
    mine.meta.complete = false;
    mine.meta.losses[reduction::kLossAfterLastEpoch] = 1;
    while (!tree_.HasAll(cut_) && Moment() < schedule_.WaitUntil(cut_)) {
      Fiber::Yield();
    }
    tree_.GiveUpOn(cut_);
    Trace all = tree_.Unite(std::move(mine));
    if (tree_.is_root()) {
      all.meta.epochs = ++handed_on_;
      HandOnPart(std::move(all), options_, stream_.get(), Fiber::Yield);
      return;
    }
    // Given up when the next cut is due before the message before has gone.
    while (!tree_.SendUp(all, cut_) && schedule_.CutAt(Moment()) == cut_) {
      Fiber::Yield();
    }
    reduction::Discard(std::move(all));
  }

  Recorder* recorder_;
  const Options& options_;
  bool by_events_;
  std::unique_ptr<reduction::WorldLink> link_;
  EpochTree tree_;
  Schedule schedule_;
  uint64_t slice_ticks_ = 0;
  uint64_t events_ = 0;
  uint64_t cut_ = 0;
  bool caught_up_ = false;  // for the cut that is due
  uint64_t rest_ = 0;       // ticks owed to the program
  int64_t handed_on_ = 0;
  std::unique_ptr<const reduction::FrozenQueue> frozen_;
  reduction::Meta meta_;
  std::unique_ptr<EpochStream> stream_;  // nullptr: to nobody
  std::unique_ptr<Fiber> job_;           // last: its body uses all of the above
};

// Never destroyed, like the recorder.
Epochs* epochs = nullptr;

void SampleMemory() {
  const Hold hold(sampled);
  MemoryWatch& watch = sampled->memory_watch;
  const uint64_t since = Clock::Now() - sampled->started_ticks;
  watch.Sample(int64_t(Clock::ToNs(int64_t(since))), ReadResidentBytes(),
               sampled->OwnBytes());
  next_sample = sampled->started_ticks + TicksOf(double(watch.next_ns()));
}

}  // namespace

bool AskForEpochs(const Options& options) {
  // A simulator's ranks share a thread, and switch in the middle of a slice.
  return (options.epoch_seconds > 0 || options.epoch_events > 0) &&
         options.clock != "wtime";
}

void StartEpochs(Recorder* recorder, const Options& options) noexcept {
  RANKSIGHT_REQUIRE(AskForEpochs(options));
  const std::lock_guard<std::mutex> hold(lock);
  try {
    epochs = new Epochs(recorder, options);
  } catch (...) {
    next_epoch_slice = kNever;
  }
  SetNextSlice();
}

void StartMemorySamples(Recorder* recorder) noexcept {
  const std::lock_guard<std::mutex> hold(lock);
  try {
    {
      const Hold recorder_hold(recorder);
      recorder->LookAtLibrary();
      recorder->memory_watch.Start(ReadResidentBytes(), recorder->OwnBytes());
    }
    sampled = recorder;
    next_sample = recorder->started_ticks +
                  TicksOf(double(recorder->memory_watch.next_ns()));
  } catch (...) {
    next_sample = kNever;
  }
  SetNextSlice();
}

void SampleMemoryIfDue() noexcept {
  if (!SliceIsDue(Clock::Now())) return;
  const std::unique_lock<std::mutex> hold(lock, std::try_to_lock);
  if (!hold.owns_lock() || Clock::Now() < next_sample) return;
  try {
    SampleMemory();
  } catch (...) {
    next_sample = kNever;
  }
  SetNextSlice();
}

void RunSlice(bool poll) noexcept {
  const std::unique_lock<std::mutex> hold(lock, std::try_to_lock);
  if (!hold.owns_lock()) return;
  try {
    if (Clock::Now() >= next_sample) SampleMemory();
    if (epochs != nullptr && Clock::Now() >= next_epoch_slice) {
      epochs->Slice(poll);
    }
  } catch (...) {
    next_epoch_slice = next_sample = kNever;
  }
  SetNextSlice();
}

EndedEpochs EndEpochs() noexcept {
  try {
    const std::lock_guard<std::mutex> hold(lock);
    next_sample = kNever;
    SetNextSlice();
    const std::unique_ptr<Epochs> ending(std::exchange(epochs, nullptr));
    return ending == nullptr ? EndedEpochs() : ending->End();
  } catch (...) {
    return {};
  }
}

}  // namespace ranksight::runtime
