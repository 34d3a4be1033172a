// OpenRegions: what a Kokkos program has begun and not ended, handed on as
// regions of the trace through the runtime's C interface (docs/api.md).
//
// 1. Regions nest: ending one ends what was begun inside it, here as there.
// 2. Where the runtime is absent nothing happens.
// Thread-safety: any thread; the regions belong to the process, as they do
// in the runtime. Never throws: without memory nothing more is handed on.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace ranksight::kokkos_tools {

enum class Kind { kRegion, kKernel, kDeepCopy, kFence };

class OpenRegions {
 public:
  // The number to end it by; 0 when it was not begun.
  uint64_t Begin(Kind kind, std::string_view prefix, std::string_view name);
  // By number; nothing when it is not open.
  void End(uint64_t id);
  // The innermost of a kind that is ended without a number.
  void EndLast(Kind kind);
  void EndAll();
  // Looks for the runtime, which must be loaded.
  void Connect();

 private:
  struct Region {
    Kind kind;
    uint64_t id;
    std::string name;
  };
  using Call = void (*)(const char*);
  void EndAt(size_t place);
  std::mutex mutex_;
  std::vector<Region> open_;  // outermost first
  uint64_t last_id_ = 0;
  Call begin_ = nullptr;
  Call end_ = nullptr;
};

}  // namespace ranksight::kokkos_tools
