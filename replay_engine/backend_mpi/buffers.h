// Buffers: the memory that all messages of a replay share. Sends take from
// one area with random content, receives go to another.
//
// Receives that are outstanding together write to the same area: nobody
// reads it, and what the network and the memory do is the same.
//
// Invariants: an area that has been handed out stays valid until the end
// (non-blocking and persistent calls keep pointers), so growing keeps the
// old block; blocks double, so all together are at most twice the largest.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::replay_engine {

class Buffers {
 public:
  explicit Buffers(uint64_t seed) : seed_(seed) {}

  // At least `bytes` bytes, aligned for every type. kIo when there is no
  // such memory.
  reduction::Result<void*> Send(uint64_t bytes) { return Get(&send_, bytes); }
  reduction::Result<void*> Receive(uint64_t bytes) {
    return Get(&receive_, bytes);
  }

 private:
  struct Free {
    void operator()(void* p) const { std::free(p); }
  };
  struct Area {
    std::vector<std::unique_ptr<void, Free>> blocks;  // the last is used
    uint64_t bytes = 0;
  };
  reduction::Result<void*> Get(Area* area, uint64_t bytes) {
    if (bytes > area->bytes || area->blocks.empty()) return Grow(area, bytes);
    return area->blocks.back().get();
  }
  reduction::Result<void*> Grow(Area* area, uint64_t bytes);

  const uint64_t seed_;
  Area send_, receive_;
};

}  // namespace ranksight::replay_engine
