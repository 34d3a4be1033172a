// Lists of 64-bit numbers whose length the reader knows already, in the
// shortest of four modes (FORMAT.md, "Lists").
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reduction/base/bytes.h"

namespace ranksight::reduction {

enum class ListMode : uint8_t {
  kEqual = 0,
  kPlain = 1,
  kRuns = 2,
  kPacked = 3
};
inline constexpr size_t kPackedBlock = 128;

void WriteList(std::span<const uint64_t> values, ByteWriter* out);
void WriteSignedList(std::span<const int64_t> values, ByteWriter* out);

// Exactly n numbers; empty when the reader has failed. Spends n.
std::vector<uint64_t> ReadList(uint64_t n, ByteReader* in);
std::vector<int64_t> ReadSignedList(uint64_t n, ByteReader* in);

}  // namespace ranksight::reduction
