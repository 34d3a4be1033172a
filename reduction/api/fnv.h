// Fnv: the FNV-1a hash, of bytes or of whole words, for hash tables and for
// names of things. No checksum: who knows it finds collisions.
// Thread-safety: value type.
#pragma once

#include <cstdint>

namespace ranksight::reduction {

class Fnv {
 public:
  // A byte, or a word at once (which gives another hash than its bytes).
  Fnv& Add(uint64_t v) {
    hash_ = (hash_ ^ v) * 1099511628211u;
    return *this;
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 14695981039346656037u;
};

}  // namespace ranksight::reduction
