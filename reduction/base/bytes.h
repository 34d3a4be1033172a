// Writing and reading bytes: the primitives of FORMAT.md and WIRE.md.
// Little-endian whatever the machine.
//
// ByteReader treats its input as hostile. The first failure sticks: from
// then on every read gives 0, at_end() holds, and status() tells where and
// why. So callers read a whole record and look once, but must look before
// they size an allocation or a loop by what they read.
//
// Thread-safety: value types.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::reduction {

// Signed numbers so that small ones and the special values of call.h become
// small unsigned ones: special kSpecialMax - d (d < 8) is d, all others are
// 8 + zigzag. REQUIRES: |v| <= kMaxMagnitude.
inline constexpr int64_t kMaxMagnitude = int64_t{1} << 62;
uint64_t CodeOfSigned(int64_t v);
// False when no value has this code.
bool SignedOfCode(uint64_t code, int64_t* v);

// The nearest float, at most the largest finite one; 0 for what is not finite.
float ToFloat(double v);

class ByteWriter {
 public:
  void U8(uint8_t v) { bytes_.push_back(v); }
  void U32(uint32_t v);
  void U64(uint64_t v);
  void Varint(uint64_t v);
  void Signed(int64_t v) { Varint(CodeOfSigned(v)); }
  // A finite double: 1 + v as a varint when v is a whole number in
  // [0, 2^53], else 0 and the 8 bytes. What is not finite becomes 0.
  void Double(double v);
  // As ToFloat says.
  void Float(double v);
  void String(std::string_view s);
  void Raw(std::span<const uint8_t> bytes);

  size_t size() const { return bytes_.size(); }
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  std::vector<uint8_t> Take() { return std::move(bytes_); }

 private:
  std::vector<uint8_t> bytes_;
};

// Bytes a varint takes.
inline int VarintSize(uint64_t v) {
  return (static_cast<int>(std::bit_width(v | 1)) + 6) / 7;
}
// Differences modulo 2^64 as codes: small ones, of either sign, are short.
inline uint64_t Zigzag(uint64_t delta) {
  return (delta << 1) ^ (uint64_t{0} - (delta >> 63));
}
inline uint64_t Unzigzag(uint64_t z) {
  return (z >> 1) ^ (uint64_t{0} - (z & 1));
}

class ByteReader {
 public:
  // Error offsets are base + position. budget bounds what may be made of
  // the input: see Spend.
  ByteReader(std::span<const uint8_t> data, uint64_t base, uint64_t budget)
      : data_(data), base_(base), budget_(budget) {}

  uint8_t U8();
  uint32_t U32();
  uint64_t U64();
  // Only the shortest form is accepted, so bytes and values correspond.
  uint64_t Varint();
  // A varint that must be at most limit.
  uint64_t Varint(uint64_t limit, const char* what);
  int64_t Signed();
  double Double();
  double Float();
  std::string String();
  std::span<const uint8_t> Raw(uint64_t size);

  // Accounts for n elements about to be made. False (and failed) when the
  // whole input does not justify that many.
  bool Spend(uint64_t n);
  uint64_t budget() const { return budget_; }

  bool Fail(const std::string& why);
  // Fails with the error of a reader of a part of this input.
  void Adopt(const Status& error);
  bool ok() const { return status_.ok(); }
  bool at_end() const { return pos_ == data_.size(); }
  size_t left() const { return data_.size() - pos_; }
  uint64_t offset() const { return base_ + pos_; }
  const Status& status() const { return status_; }

 private:
  std::span<const uint8_t> data_;
  uint64_t base_;
  uint64_t budget_;
  size_t pos_ = 0;
  Status status_;
};

}  // namespace ranksight::reduction
