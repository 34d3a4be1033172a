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

bool IsOnStack(const void* place) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  void* lowest = nullptr;
  size_t bytes = 0;
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  const auto from = uintptr_t(lowest), at = uintptr_t(place);
  return at >= from && at - from < bytes;
}

// The wrapper that a thread is inside of lies above those that its call
// makes, and returns where it did. Of places on other stacks nothing is known.
bool WasLeft(const void* frame) {
  const auto* inside = static_cast<void* const*>(hot.inside_frame);
  if (inside == nullptr) return false;
  if (frame == inside || inside[1] != hot.inside_word) return true;
  return frame > inside && IsOnStack(inside) && IsOnStack(frame);
}

}  // namespace

bool StillInside(const void* frame) noexcept {
  if (!WasLeft(frame)) return true;
  Recorder* r = Recorder::Get();
  if (r != nullptr) r->CountLeft();
  hot.SetInFlight(0);
  hot.claimed = false;
  hot.expected = Recorder::Active() != nullptr ? &kNothing : &kOutside;
  return false;
}

bool PrepareThread() noexcept {
  if (hot.rest != nullptr) return true;
  hot.rest = new (std::nothrow) ThreadState;
  if (hot.rest == nullptr) return false;
  pthread_setspecific(Key(), hot.rest);
  return true;
}

}  // namespace ranksight::runtime
