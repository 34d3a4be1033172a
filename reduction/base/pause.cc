#include "reduction/api/pause.h"

namespace ranksight::reduction {
namespace {
thread_local PauseHook this_hook = nullptr;
}  // namespace

void SetPauseHook(PauseHook hook) { this_hook = hook; }

void Pause() {
  if (this_hook != nullptr) this_hook();
}

}  // namespace ranksight::reduction
