#include <array>

#include "reduction/api/codec.h"
#include "reduction/api/pause.h"

namespace ranksight::reduction {
namespace {

constexpr uint32_t kPolynomial = 0x82f63b78;  // Castagnoli, reflected

// kTables[k][b]: byte b followed by k zero bytes ("slicing by 8").
constexpr auto kTables = [] {
  std::array<std::array<uint32_t, 256>, 8> tables{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b;
    for (int i = 0; i < 8; ++i) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    }
    tables[0][b] = crc;
  }
  for (size_t k = 1; k < 8; ++k) {
    for (size_t b = 0; b < 256; ++b) {
      const uint32_t before = tables[k - 1][b];
      tables[k][b] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}();

constexpr size_t kBytesBetweenPauses = 1024;

}  // namespace

uint32_t Crc32c(std::span<const uint8_t> bytes, uint32_t seed) {
  uint32_t crc = ~seed;
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    if (i % kBytesBetweenPauses == 0) Pause();
    const uint8_t* p = bytes.data() + i;
    // Eight bytes at a time: four go through the running value, four through
    // tables of their own.
    crc ^= p[0] | uint32_t{p[1]} << 8 | uint32_t{p[2]} << 16 |
           uint32_t{p[3]} << 24;
    crc = kTables[7][crc & 0xff] ^ kTables[6][(crc >> 8) & 0xff] ^
          kTables[5][(crc >> 16) & 0xff] ^ kTables[4][crc >> 24] ^
          kTables[3][p[4]] ^ kTables[2][p[5]] ^ kTables[1][p[6]] ^
          kTables[0][p[7]];
  }
  for (; i < bytes.size(); ++i) {
    crc = (crc >> 8) ^ kTables[0][(crc ^ bytes[i]) & 0xff];
  }
  return ~crc;
}

}  // namespace ranksight::reduction
