// The call path of the wrapper being run, as a site of the folder.
//
// Unwinding costs microseconds, so it is done once for each path. A path is
// known again when the return addresses still lie where they lay on the
// stack last time, at the same stack position and under the same immediate
// caller; then nothing is unwound. A frame that has had different sizes at
// one and the same call (alloca, arrays of variable length) could leave an
// old address in place: paths through such a frame are always unwound.
//
// Thread-safety: Find must be called by one thread at a time (the recorder's
// lock); what is known is per thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reduction/api/folder.h"
#include "runtime/capture/modules.h"

namespace ranksight::runtime {

// A return address and where it lay on the stack.
struct Slot {
  const uintptr_t* place;
  uintptr_t address;
};

// The frame address of the function it stands in; where it can, without having
// it set up a register for that.
[[gnu::always_inline]] inline void* FrameAddress() {
#if defined(__x86_64__) && !defined(__clang__)
  // Above it lie the caller's frame address and the return address.
  return static_cast<void**>(__builtin_dwarf_cfa()) - 2;
#else
  return __builtin_frame_address(0);
#endif
}

// What unwinding found at one stack position.
struct KnownPath {
  void* caller = nullptr;
  void* frame = nullptr;
  uint32_t site = 0;
  uint32_t region = 0;
  bool slots_hold = false;  // the slots tell the path
  bool may_go = false;      // until a module is unloaded
  std::vector<Slot> slots;  // innermost first
};

// Whether every address lies where it lay. REQUIRES: the frame is that of
// the path, on the calling thread's stack; one at least.
[[gnu::always_inline]] inline bool StillThere(const Slot* next,
                                              const Slot* end) {
  do {
    if (*next->place != next->address) return false;
  } while (++next != end);
  return true;
}

inline bool StillThere(const std::vector<Slot>& slots) {
  return slots.empty() || StillThere(slots.data(), slots.data() + slots.size());
}

class CallPaths {
 public:
  // caller: return address of the wrapper; frame: its frame address. The
  // path is valid until the thread's next Find.
  const KnownPath& Find(void* caller, void* frame, reduction::Folder* folder);
  // Frees what is known of the calling thread.
  static void ForgetThread();
  Modules& modules() { return modules_; }
  // Regions of the program, which nest: their names are frames inside the
  // innermost call. End closes what was begun inside it as well; the end of
  // what is not open says nothing.
  void BeginRegion(const std::string& name);
  void EndRegion(const std::string& name);

 private:
  struct Region {
    uint32_t outer = 0;
    std::string name;
  };
  void EnterRegion(uint32_t region);
  struct Unwound;
  void Changed();
  bool SizesHold(const Unwound& u);
  bool Resolve(const Unwound& u, KnownPath* known, reduction::Folder* folder);

  Modules modules_;
  std::vector<Region> regions_{1};  // 0: none
  std::map<std::pair<uint32_t, std::string>, uint32_t> inner_;
  uint32_t region_ = 0;
  // Bytes of the frame that a call returns into, by return address; 0 when
  // it varies.
  std::unordered_map<uintptr_t, uintptr_t> frame_bytes_;
  // Grows when paths known before may be told by their slots no more.
  uint64_t changes_ = 0;
};

}  // namespace ranksight::runtime
