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

// Grows whenever a handle or an address may have come to mean something else
// than it did: what was compared with it before says nothing any more.
class Meanings {
 public:
  static uint64_t Changes() { return changes_.load(std::memory_order_relaxed); }
  static void Change() { changes_.fetch_add(1, std::memory_order_relaxed); }

 private:
  static inline std::atomic<uint64_t> changes_{0};
};

}  // namespace ranksight::runtime
