#include "runtime/capture/call_path.h"

#include <sys/auxv.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/capture/handle_key.h"

namespace ranksight::runtime {
namespace {

constexpr int kMaxFrames = 128;
// Paths a thread knows before it forgets them all and starts anew. Doubling
// it doubles the memory a program with endless stack positions takes.
constexpr size_t kMaxPaths = 8192;
// Bytes of start-up code that may hold the frame below main.
constexpr uintptr_t kStartCode = 96;
// Alignment makes frames of a fixed size differ by less.
constexpr uintptr_t kAlignment = 64;

bool IsStartCode(uintptr_t address) {
  static const uintptr_t entry = getauxval(AT_ENTRY);
  return entry <= address && address < entry + kStartCode;
}

// The paths of this thread, by caller and frame.
struct PathsOfThread {
  std::unordered_map<uintptr_t, std::vector<KnownPath>> known;
  size_t count = 0;
  uint64_t changes = 0;  // of CallPaths when they were found
};

// Not destroyed with the other objects of a thread: those may make calls.
constinit thread_local PathsOfThread* of_this_thread = nullptr;

PathsOfThread& OfThisThread() {
  if (of_this_thread == nullptr) of_this_thread = new PathsOfThread;
  return *of_this_thread;
}

}  // namespace

struct CallPaths::Unwound {
  void* caller;
  bool started = false;
  int count = 0;
  std::array<uintptr_t, kMaxFrames> address;
  std::array<const uintptr_t*, kMaxFrames> slot;

  static _Unwind_Reason_Code Visit(_Unwind_Context* context, void* data) {
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
};

void CallPaths::Changed() {
  ++changes_;
  Meanings::Change();
}

// Notes the size of every frame. False when the path goes through one whose
// size varies.
bool CallPaths::SizesHold(const Unwound& u) {
  bool hold = true;
  for (size_t i = 0; i + 1 < size_t(u.count); ++i) {
    const auto bytes = uintptr_t(u.slot[i + 1]) - uintptr_t(u.slot[i]);
    const auto [it, added] = frame_bytes_.try_emplace(u.address[i], bytes);
    if (!added && it->second != 0 && bytes + kAlignment > it->second &&
        it->second + kAlignment > bytes) {
      continue;
    }
    if (added) continue;
    hold = false;
    if (it->second != 0) Changed();
    it->second = 0;
  }
  return hold;
}

// False when the path's addresses do not tell it.
bool CallPaths::Resolve(const Unwound& u, KnownPath* known,
                        reduction::Folder* folder) {
  reduction::CallSite site;
  bool hold = u.count > 0 && SizesHold(u);
  for (size_t i = 0; i < size_t(u.count); ++i) {
    // Addresses of threads' start code may lie beyond what may be read.
    const LoadedModule* module = modules_.Find(u.address[i]);
    if (module == nullptr || module->hidden || IsStartCode(u.address[i])) {
      continue;
    }
    known->may_go = known->may_go || module->may_go;
    hold = hold && *u.slot[i] == u.address[i];
    known->slots.push_back({u.slot[i], u.address[i]});
    site.frames.push_back(
        {folder->AddModule(module->id), uint64_t(u.address[i] - module->base)});
  }
  std::reverse(site.frames.begin(), site.frames.end());
  const size_t calls = site.frames.size();
  for (uint32_t r = region_; r != 0; r = regions_[r].outer) {
    const auto place = site.frames.begin() + long(calls);
    site.frames.insert(
        place,
        {folder->AddModule(reduction::RegionModule(regions_[r].name)), 0});
  }
  known->site = folder->AddSite(site);
  return hold;
}

void CallPaths::EnterRegion(uint32_t region) {
  region_ = region;
  Meanings::Enter(region);
}

void CallPaths::BeginRegion(const std::string& name) {
  const auto [it, added] =
      inner_.try_emplace({region_, name}, uint32_t(regions_.size()));
  if (added) {
    if (regions_.size() == Meanings::kMostRegions) {
      inner_.erase(it);
      return;
    }
    regions_.push_back({region_, name});
  }
  EnterRegion(it->second);
}

void CallPaths::EndRegion(const std::string& name) {
  for (uint32_t r = region_; r != 0; r = regions_[r].outer) {
    if (regions_[r].name == name) return EnterRegion(regions_[r].outer);
  }
}

void CallPaths::ForgetThread() {
  delete of_this_thread;
  of_this_thread = nullptr;
}

const KnownPath& CallPaths::Find(void* caller, void* frame,
                                 reduction::Folder* folder) {
  PathsOfThread& mine = OfThisThread();
  if (modules_.Unloaded()) Changed();
  if (mine.changes != changes_ || mine.count > kMaxPaths) {
    mine.known.clear();
    mine.count = 0;
    mine.changes = changes_;
  }
  auto& here = mine.known[uintptr_t(caller) * 31 + uintptr_t(frame) / 16];
  for (size_t i = 0; i < here.size(); ++i) {
    const KnownPath& k = here[i];
    if (k.caller != caller || k.frame != frame || k.region != region_ ||
        !k.slots_hold || !StillThere(k.slots)) {
      continue;
    }
    // What came last comes first.
    if (i != 0) std::swap(here[0], here[i]);
    return here[0];
  }
  Unwound u;
  u.caller = caller;
  _Unwind_Backtrace(Unwound::Visit, &u);
  KnownPath path;
  path.caller = caller;
  path.frame = frame;
  path.region = region_;
  path.slots_hold = Resolve(u, &path, folder);
  // One that cannot be known again has room for itself only.
  std::erase_if(here, [](const KnownPath& k) { return !k.slots_hold; });
  here.push_back(std::move(path));
  ++mine.count;
  return here.back();
}

}  // namespace ranksight::runtime
