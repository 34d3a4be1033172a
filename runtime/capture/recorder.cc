#include "runtime/capture/recorder.h"

#include <pthread.h>
#include <time.h>

#include "runtime/capture/clock.h"

namespace ranksight::runtime {
namespace {

std::atomic<Recorder*> active{nullptr};
Recorder* only = nullptr;

// A forked child shares nothing with the ranks and must leave them alone.
void StopInChild() {
  active.store(nullptr);
  only = nullptr;
}

int64_t UnixNow() {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
}

}  // namespace

Recorder* Recorder::Active() { return active.load(std::memory_order_acquire); }

Recorder* Recorder::Get() { return only; }

Recorder* Recorder::Start(int rank, int ranks) {
  // Never destroyed: wrappers may run until the very end of the process.
  only = new Recorder;
  only->rank = rank;
  only->ranks = ranks;
  only->tables.comms.Start();
  only->started_ticks = Clock::Now();
  only->started_unix_ns = UnixNow();
  pthread_atfork(nullptr, nullptr, StopInChild);
  only->SetActive(true);
  return only;
}

void Recorder::SetActive(bool on) { active.store(on ? this : nullptr); }

void Recorder::Fold(reduction::Event* event, uint32_t site,
                    uint64_t compute_ticks, uint64_t call_ticks) {
  if (!event->Complete()) {
    ++losses["incomplete_event"];
    return;
  }
  event->site = site;
  folder.Push(*event, Clock::ToNs(compute_ticks), Clock::ToNs(call_ticks));
}

void Recorder::CountPoll(reduction::Call call) {
  ++polls[std::string(reduction::Info(call).name)];
}

void Recorder::Fail(const char* why) noexcept {
  SetActive(false);
  try {
    ++losses[why];
  } catch (...) {
    // Without memory even for the reason, the latch alone must do.
    return;
  }
}

ThreadState& ThisThread() {
  static thread_local ThreadState state;
  return state;
}

}  // namespace ranksight::runtime
