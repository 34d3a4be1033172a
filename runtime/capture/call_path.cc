#include "runtime/capture/call_path.h"

#include <sys/auxv.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <vector>

namespace ranksight::runtime {
namespace {

constexpr int kMaxFrames = 128;
// Power of two. Doubling it halves the unwinding of programs with thousands
// of paths at the cost of cache space in every thread.
constexpr size_t kEntries = 512;
// Bytes of start-up code that may hold the frame below main.
constexpr uintptr_t kStartCode = 96;

struct Unwound {
  void* caller;
  bool started = false;
  int count = 0;
  std::array<uintptr_t, kMaxFrames> address;
  std::array<const uintptr_t*, kMaxFrames> slot;
};

// What unwinding found for one stack position.
struct Known {
  void* caller = nullptr;
  void* frame = nullptr;
  uint32_t site = 0;
  bool slots_hold = false;
  std::vector<std::pair<const uintptr_t*, uintptr_t>> slots;
};

_Unwind_Reason_Code Visit(_Unwind_Context* context, void* data) {
  auto* u = static_cast<Unwound*>(data);
  const uintptr_t ip = _Unwind_GetIP(context);
  if (ip == 0) return _URC_END_OF_STACK;
  if (!u->started && ip != uintptr_t(u->caller)) return _URC_NO_REASON;
  u->started = true;
  if (u->count == kMaxFrames) return _URC_END_OF_STACK;
  // The address that led here was pushed just below this frame.
  u->slot[size_t(u->count)] =
      reinterpret_cast<const uintptr_t*>(_Unwind_GetCFA(context)) - 1;
  u->address[size_t(u->count)] = ip;
  ++u->count;
  return _URC_NO_REASON;
}

bool IsStartCode(uintptr_t address) {
  static const uintptr_t entry = getauxval(AT_ENTRY);
  return entry <= address && address < entry + kStartCode;
}

bool StillThere(const Known& known) {
  return std::all_of(known.slots.begin(), known.slots.end(),
                     [](const auto& s) { return *s.first == s.second; });
}

Known& EntryFor(void* caller, void* frame) {
  static thread_local std::array<Known, kEntries> cache;
  const uintptr_t key = uintptr_t(caller) * 31 + uintptr_t(frame) / 16;
  return cache[(key ^ (key >> 12)) % kEntries];
}

}  // namespace

uint32_t CallPaths::Find(void* caller, void* frame, reduction::Folder* folder) {
  Known& known = EntryFor(caller, frame);
  if (known.caller == caller && known.frame == frame && known.slots_hold &&
      StillThere(known)) {
    return known.site;
  }
  Unwound u;
  u.caller = caller;
  _Unwind_Backtrace(Visit, &u);
  reduction::CallSite site;
  known.slots.clear();
  known.slots_hold = u.count > 0;
  for (int i = 0; i < u.count; ++i) {
    const uintptr_t address = u.address[size_t(i)];
    const uintptr_t* slot = u.slot[size_t(i)];
    // Addresses of threads' start code may lie beyond what may be read.
    const LoadedModule* module = modules_.Find(address);
    if (module == nullptr || module->hidden || IsStartCode(address)) continue;
    known.slots_hold = known.slots_hold && *slot == address;
    known.slots.emplace_back(slot, address);
    site.frames.push_back(
        {folder->AddModule(module->id), uint64_t(address - module->base)});
  }
  std::reverse(site.frames.begin(), site.frames.end());
  known.caller = caller;
  known.frame = frame;
  known.site = folder->AddSite(site);
  return known.site;
}

}  // namespace ranksight::runtime
