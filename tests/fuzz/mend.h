// Makes the checksums of a damaged trace or frame right again, so that the
// damage reaches the code behind them. Shares no code with the container.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reduction/api/codec.h"

namespace ranksight::reduction::testing {

inline void PutChecksum(std::vector<uint8_t>* bytes, size_t from, size_t to) {
  const uint32_t crc =
      Crc32c(std::span<const uint8_t>(*bytes).subspan(from, to - from));
  for (size_t i = 0; i < 4; ++i) (*bytes)[to + i] = uint8_t(crc >> (8 * i));
}

// Chunk by chunk as far as the lengths lead.
inline void MendChecksums(std::vector<uint8_t>* bytes) {
  size_t at = 9;
  const auto varint = [&] {
    uint64_t v = 0;
    for (int shift = 0; shift < 63 && at < bytes->size(); shift += 7) {
      const uint8_t byte = (*bytes)[at++];
      v |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) break;
    }
    return v;
  };
  while (at + 2 < bytes->size()) {
    const size_t start = at;
    const bool compressed = (*bytes)[at + 1] != 0;
    at += 2;
    const uint64_t size = varint();
    if (compressed) (void)varint();
    if (bytes->size() < at + 4 || size > bytes->size() - at - 4) return;
    at += size;
    PutChecksum(bytes, start, at);
    at += 4;
  }
}

inline void MendFrame(std::vector<uint8_t>* bytes) {
  if (bytes->size() >= 4) PutChecksum(bytes, 0, bytes->size() - 4);
}

}  // namespace ranksight::reduction::testing
