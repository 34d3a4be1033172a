#include "replay_engine/backend_mpi/buffers.h"

#include <algorithm>
#include <bit>
#include <string>

#include "replay_engine/compute/random.h"

namespace ranksight::replay_engine {

reduction::Result<void*> Buffers::Grow(Area* area, uint64_t bytes) {
  constexpr uint64_t kSmallest = 64 << 10;
  constexpr uint64_t kLargest = uint64_t{1} << 46;
  constexpr size_t kPage = 4096;
  const uint64_t size = std::bit_ceil(std::clamp(bytes, kSmallest, kLargest));
  void* block = bytes > kLargest ? nullptr : std::aligned_alloc(kPage, size);
  if (block == nullptr) {
    return reduction::Status::Io("no memory for a message of " +
                                 std::to_string(bytes) + " bytes");
  }
  // Every page is touched now, not while the replay is timed; but programs post
  // receives far longer than what comes, and have no memory for the rest
  // either.
  constexpr uint64_t kReceived = 64 << 20;
  const uint64_t touched = area == &receive_ ? std::min(size, kReceived) : size;
  Random random(seed_ + (area == &send_ ? 0 : 1));
  auto* words = static_cast<uint64_t*>(block);
  for (uint64_t i = 0; i < touched / sizeof(uint64_t); ++i) {
    words[i] = random.Next();
  }
  area->blocks.emplace_back(block);
  area->bytes = size;
  return block;
}

}  // namespace ranksight::replay_engine
