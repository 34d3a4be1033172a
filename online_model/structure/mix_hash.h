// A hash of values one after the other. Thread-safety: pure function.
#pragma once

#include <cstdint>

namespace ranksight::online_model {

// The hash of what `hash` is of, and `v` behind it.
inline uint64_t MixHash(uint64_t hash, uint64_t v) {
  hash ^= v + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccd;
}

}  // namespace ranksight::online_model
