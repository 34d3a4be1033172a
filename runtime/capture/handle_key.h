// MPI handles (ints in one MPI, pointers in another) as map keys.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

namespace ranksight::runtime {

template <class Handle>
uint64_t KeyOf(Handle handle) {
  static_assert(sizeof(Handle) <= sizeof(uint64_t));
  uint64_t key = 0;
  std::memcpy(&key, &handle, sizeof handle);
  return key;
}

// Differs whenever a handle or an address may have come to mean something else
// than it did: what was compared with it before says nothing any more. In one
// region of the program it is what it was there before, otherwise.
class Meanings {
 public:
  static constexpr uint64_t kMostRegions = uint64_t{1} << 24;
  static uint64_t Changes() { return changes_.load(std::memory_order_relaxed); }
  static void Change() {
    changes_.fetch_add(kMostRegions, std::memory_order_relaxed);
  }
  // region < kMostRegions; 0: none. One caller at a time.
  static void Enter(uint64_t region) {
    const uint64_t now = changes_.load(std::memory_order_relaxed);
    changes_.fetch_add(region - now % kMostRegions, std::memory_order_relaxed);
  }

 private:
  static inline std::atomic<uint64_t> changes_{0};
};

}  // namespace ranksight::runtime
