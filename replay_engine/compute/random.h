// A small seeded generator (SplitMix64, Steele et al. 2014): the same
// numbers on every machine.
// Thread-safety: as thread-safe as int.
#pragma once

#include <cstdint>

namespace ranksight::replay_engine {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // In (0, 1), never an end of it.
  double Uniform() {
    return (static_cast<double>(Next() >> 11) + 0.5) * 0x1p-53;
  }

 private:
  uint64_t state_;
};

}  // namespace ranksight::replay_engine
