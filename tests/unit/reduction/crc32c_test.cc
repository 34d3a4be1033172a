#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "reduction/api/codec.h"

namespace ranksight::reduction {
namespace {

std::vector<uint8_t> Bytes(std::string_view s) { return {s.begin(), s.end()}; }

// Bit by bit, straight from the definition.
uint32_t Slow(const std::vector<uint8_t>& bytes) {
  uint32_t crc = 0xffffffff;
  for (const uint8_t b : bytes) {
    crc ^= b;
    for (int i = 0; i < 8; ++i) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78u : 0u);
    }
  }
  return ~crc;
}

// RFC 3720, appendix B.4.
TEST(Crc32c, GivesTheValuesOfTheStandard) {
  EXPECT_EQ(Crc32c(Bytes("123456789")), 0xe3069283u);
  EXPECT_EQ(Crc32c(std::vector<uint8_t>(32, 0)), 0x8a9136aau);
  EXPECT_EQ(Crc32c(std::vector<uint8_t>(32, 0xff)), 0x62a8ab43u);
  std::vector<uint8_t> up(32);
  for (size_t i = 0; i < 32; ++i) up[i] = uint8_t(i);
  EXPECT_EQ(Crc32c(up), 0x46dd794eu);
}

TEST(Crc32c, AgreesWithTheDefinitionAtEveryLength) {
  std::vector<uint8_t> bytes;
  for (int n = 0; n < 100; ++n) {
    EXPECT_EQ(Crc32c(bytes), Slow(bytes)) << n;
    bytes.push_back(uint8_t(n * 37 + 11));
  }
}

TEST(Crc32c, GoesOnFromASeed) {
  const auto all = Bytes("123456789");
  EXPECT_EQ(Crc32c(Bytes("56789"), Crc32c(Bytes("1234"))), Crc32c(all));
}

}  // namespace
}  // namespace ranksight::reduction
