// Integers kept for a while, one after another, in as few bytes as each needs.
//
// Memory that grows is what an irregular call costs most: a page that is
// touched for the first time costs as much as a hundred numbers written.
// Complexity: O(1) a number. Thread-safety: as std::deque.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "reduction/base/bytes.h"

namespace ranksight::reduction {

class NumberLog {
  using Bytes = std::deque<uint8_t>;

 public:
  NumberLog() = default;
  NumberLog(const NumberLog& other) { *this = other; }
  NumberLog& operator=(const NumberLog& other) {
    if (this == &other) return *this;
    bytes_ =
        other.size_ == 0 ? nullptr : std::make_unique<Bytes>(*other.bytes_);
    size_ = other.size_;
    return *this;
  }

  void Append(int64_t v) {
    if (bytes_ == nullptr) bytes_ = std::make_unique<Bytes>();
    uint64_t z = Zigzag(v);
    for (; z >= kMore; z >>= kBits) bytes_->push_back(uint8_t(z | kMore));
    bytes_->push_back(uint8_t(z));
    ++size_;
  }
  // Numbers.
  size_t size() const { return size_; }
  void Clear() {
    if (bytes_ != nullptr) bytes_->clear();
    size_ = 0;
  }
  uint64_t memory_bytes() const {
    return bytes_ == nullptr ? 0 : bytes_->size();
  }

  // Reads from the first on.
  class Cursor {
   public:
    explicit Cursor(const NumberLog& log) {
      if (log.bytes_ != nullptr) at_ = log.bytes_->begin();
    }
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
    Bytes::const_iterator at_;
  };

 private:
  static constexpr int kBits = 7;
  static constexpr uint8_t kMore = 1 << kBits;

  // Most events have none, and an empty deque takes half a kilobyte.
  std::unique_ptr<Bytes> bytes_;
  size_t size_ = 0;
};

}  // namespace ranksight::reduction
