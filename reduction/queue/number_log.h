// Integers kept for a while, one after another, in as few bytes as each needs.
//
// Memory that grows is what an irregular call costs most: a page that is
// touched for the first time costs as much as a hundred numbers written.
// Complexity: O(1) a number. Thread-safety: as std::deque.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "reduction/base/bytes.h"

namespace ranksight::reduction {

class NumberLog {
 public:
  void Append(int64_t v) {
    uint64_t z = Zigzag(v);
    for (; z >= kMore; z >>= kBits) bytes_.push_back(uint8_t(z | kMore));
    bytes_.push_back(uint8_t(z));
    ++size_;
  }
  // Numbers.
  size_t size() const { return size_; }
  void Clear() {
    bytes_.clear();
    size_ = 0;
  }
  uint64_t memory_bytes() const { return bytes_.size(); }

  // Reads from the first on.
  class Cursor {
   public:
    explicit Cursor(const NumberLog& log) : at_(log.bytes_.begin()) {}
    // REQUIRES: there is another.
    int64_t Next() {
      uint64_t z = 0;
      int shift = 0;
      for (; *at_ >= kMore; ++at_, shift += kBits) {
        z |= uint64_t(*at_ & (kMore - 1)) << shift;
      }
      z |= uint64_t(*at_++) << shift;
      return int64_t(Unzigzag(z));
    }

   private:
    std::deque<uint8_t>::const_iterator at_;
  };

 private:
  static constexpr int kBits = 7;
  static constexpr uint8_t kMore = 1 << kBits;

  std::deque<uint8_t> bytes_;
  size_t size_ = 0;
};

}  // namespace ranksight::reduction
