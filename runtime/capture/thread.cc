#include "runtime/capture/thread.h"

#include <pthread.h>

#include <new>

#include "runtime/capture/recorder.h"

namespace ranksight::runtime {

const Hint kNothing, kLogging, kInside, kOutside;
constinit thread_local HotThread hot;

namespace {

void ForgetThread(void* state) {
  if (Recorder* r = Recorder::Get()) r->ThreadEnds();
  delete static_cast<ThreadState*>(state);
  CallPaths::ForgetThread();
  hot.rest = nullptr;
  hot.expected = &kOutside;
}

// Not the destructor of a thread_local: that would have to be registered in
// a way that keeps the library from being unloaded.
pthread_key_t Key() {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    pthread_key_create(&made, ForgetThread);
    return made;
  }();
  return key;
}

}  // namespace

bool PrepareThread() noexcept {
  if (hot.rest != nullptr) return true;
  hot.rest = new (std::nothrow) ThreadState;
  if (hot.rest == nullptr) return false;
  pthread_setspecific(Key(), hot.rest);
  return true;
}

}  // namespace ranksight::runtime
