#include "reduction/base/bytes.h"

#include <bit>
#include <cfloat>
#include <cmath>

#include "reduction/api/call.h"
#include "reduction/api/contract.h"

namespace ranksight::reduction {
namespace {

constexpr uint64_t kSpecialCodes = 8;
constexpr double kMaxWhole = 9007199254740992.0;  // 2^53

bool IsWhole(double v) {
  return v >= 0 && v <= kMaxWhole && !std::signbit(v) && v == std::floor(v);
}

}  // namespace

uint64_t CodeOfSigned(int64_t v) {
  const uint64_t d = static_cast<uint64_t>(kSpecialMax) - uint64_t(v);
  if (v <= kSpecialMax && d < kSpecialCodes) return d;
  const uint64_t zigzag = (uint64_t(v) << 1) ^ uint64_t(v >> 63);
  return zigzag + kSpecialCodes;
}

bool SignedOfCode(uint64_t code, int64_t* v) {
  RANKSIGHT_REQUIRE(v != nullptr);
  if (code < kSpecialCodes) {
    *v = kSpecialMax - static_cast<int64_t>(code);
    return true;
  }
  const uint64_t zigzag = code - kSpecialCodes;
  *v = static_cast<int64_t>((zigzag >> 1) ^ (~(zigzag & 1) + 1));
  return *v <= kMaxMagnitude && *v >= -kMaxMagnitude &&
         CodeOfSigned(*v) == code;
}

void ByteWriter::U32(uint32_t v) {
  for (int i = 0; i < 4; ++i) U8(static_cast<uint8_t>(v >> (8 * i)));
}

void ByteWriter::U64(uint64_t v) {
  for (int i = 0; i < 8; ++i) U8(static_cast<uint8_t>(v >> (8 * i)));
}

void ByteWriter::Varint(uint64_t v) {
  for (; v >= 0x80; v >>= 7) U8(static_cast<uint8_t>(v | 0x80));
  U8(static_cast<uint8_t>(v));
}

void ByteWriter::Double(double v) {
  if (!std::isfinite(v)) v = 0;
  if (IsWhole(v)) return Varint(static_cast<uint64_t>(v) + 1);
  Varint(0);
  U64(std::bit_cast<uint64_t>(v));
}

float ToFloat(double v) {
  if (!std::isfinite(v)) v = 0;
  const double limit = static_cast<double>(FLT_MAX);
  v = v > limit ? limit : v < -limit ? -limit : v;
  return static_cast<float>(v);
}

void ByteWriter::Float(double v) { U32(std::bit_cast<uint32_t>(ToFloat(v))); }

void ByteWriter::String(std::string_view s) {
  Varint(s.size());
  bytes_.insert(bytes_.end(), s.begin(), s.end());
}

void ByteWriter::Raw(std::span<const uint8_t> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

uint8_t ByteReader::U8() {
  if (left() == 0) {
    Fail("ends too early");
    return 0;
  }
  return data_[pos_++];
}

uint32_t ByteReader::U32() {
  uint32_t v = 0;
  for (int i = 0; i < 4; ++i) v |= uint32_t{U8()} << (8 * i);
  return ok() ? v : 0;
}

uint64_t ByteReader::U64() {
  uint64_t v = 0;
  for (int i = 0; i < 8; ++i) v |= uint64_t{U8()} << (8 * i);
  return ok() ? v : 0;
}

uint64_t ByteReader::Varint() {
  uint64_t v = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t byte = U8();
    if (!ok()) return 0;
    const uint64_t bits = byte & 0x7f;
    if (shift == 63 && bits > 1) break;
    v |= bits << shift;
    if (byte < 0x80) {
      if (byte == 0 && shift > 0) break;
      return v;
    }
  }
  Fail("not a varint in its shortest form");
  return 0;
}

uint64_t ByteReader::Varint(uint64_t limit, const char* what) {
  const uint64_t v = Varint();
  if (v <= limit) return v;
  Fail(std::string(what) + " is too large");
  return 0;
}

int64_t ByteReader::Signed() {
  int64_t v = 0;
  if (SignedOfCode(Varint(), &v)) return v;
  Fail("a number is out of range");
  return 0;
}

double ByteReader::Double() {
  const uint64_t whole = Varint();
  if (whole != 0) {
    if (whole - 1 <= static_cast<uint64_t>(kMaxWhole)) return double(whole - 1);
    Fail("a whole number is too large");
    return 0;
  }
  const double v = std::bit_cast<double>(U64());
  if (ok() && (!std::isfinite(v) || IsWhole(v))) {
    Fail("not a finite double in its shortest form");
  }
  return ok() ? v : 0;
}

double ByteReader::Float() {
  const float v = std::bit_cast<float>(U32());
  if (!std::isfinite(v)) Fail("not a finite float");
  return ok() ? double{v} : 0;
}

std::string ByteReader::String() {
  const auto raw = Raw(Varint());
  return std::string(raw.begin(), raw.end());
}

std::span<const uint8_t> ByteReader::Raw(uint64_t size) {
  if (size > left()) {
    Fail("ends too early");
    return {};
  }
  const auto raw = data_.subspan(pos_, size);
  pos_ += size;
  return raw;
}

bool ByteReader::Spend(uint64_t n) {
  if (n > budget_) return Fail("describes more than its size justifies");
  budget_ -= n;
  return ok();
}

bool ByteReader::Fail(const std::string& why) {
  if (status_.ok()) {
    status_ = Status::BadInput(std::to_string(offset()) + ": " + why);
    pos_ = data_.size();
  }
  return false;
}

void ByteReader::Adopt(const Status& error) {
  if (status_.ok()) status_ = error;
  pos_ = data_.size();
}

}  // namespace ranksight::reduction
