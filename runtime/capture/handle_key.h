// MPI handles (ints in one MPI, pointers in another) as map keys.
#pragma once

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

}  // namespace ranksight::runtime
