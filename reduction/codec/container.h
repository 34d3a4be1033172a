// The chunks of a trace file (FORMAT.md, "Container"): magic, version, then
// chunks with a tag, a form and a CRC-32C each, the last one kEnd.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/base/bytes.h"

namespace ranksight::reduction {

// Frozen numbers. Readers skip tags from kFirstOptional on that they do not
// know.
enum class ChunkTag : uint8_t {
  kEnd = 0,
  kMeta = 1,
  kSites = 2,
  kTree = 3,
  kTimesFull = 4,
  kTimesQuantiles = 5,
  kFirstOptional = 128,
  kPredecessors = 128,
  kLaws = 129,
  kNames = 130,
};

// Versions from which on there are: distributions; moments and sums that are
// not written because others give them; completions of several that say how
// many requests they are about. No checksum covers a version, so two
// of them differ in more than one bit.
inline constexpr uint64_t kDistributions = 2;
inline constexpr uint64_t kFirstsRepeated = 4;
inline constexpr uint64_t kOpenCounted = 7;

// How hard to compress.
enum class Effort { kNone, kFast, kSmall };

void WriteHeader(ByteWriter* out);
void WriteChunk(ChunkTag tag, std::span<const uint8_t> payload, Effort effort,
                ByteWriter* out);

struct Chunk {
  uint64_t offset = 0;  // of the payload in the file
  bool compressed = false;
  std::vector<uint8_t> payload;  // raw
};

struct Container {
  uint64_t version = 0;
  std::map<ChunkTag, Chunk> chunks;
};

// Everything up to and including kEnd. Each known tag at most once, in
// ascending order, nothing after kEnd.
Result<Container> ReadContainer(std::span<const uint8_t> bytes);

// Where the chunk with that tag stands, its head and checksum included; where
// it would stand, and nothing, when there is none. The rest is checked, too.
struct ChunkPlace {
  uint64_t begin = 0, end = 0;
};
Result<ChunkPlace> FindChunk(std::span<const uint8_t> bytes, ChunkTag tag);

// Within a compressed chunk an offset into the file means nothing: the error
// then gives the chunk's offset, and the position in the text.
Status Relocate(const Status& error, const Chunk& chunk);

}  // namespace ranksight::reduction
