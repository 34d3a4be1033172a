// Frames of the wire as one input: for each a byte that says what it is, its
// length in two bytes, and the frame. Checksums are mended unless that byte
// says not to.
#pragma once

#include <algorithm>
#include <utility>

#include "tests/fuzz/mend.h"
#include "tests/fuzz/target.h"

namespace ranksight::fuzz {

// Of a step's first byte; a target gives the other bits a meaning.
inline constexpr uint8_t kAsItIs = 16;

struct Step {
  uint8_t what = 0;
  Bytes frame;
};

inline std::vector<Step> StepsOf(const uint8_t* data, size_t size) {
  std::vector<Step> steps;
  for (size_t at = 0; at + 3 <= size;) {
    Step step;
    step.what = data[at];
    const size_t length =
        std::min(size - at - 3, size_t{data[at + 1]} << 8 | data[at + 2]);
    step.frame.assign(data + at + 3, data + at + 3 + length);
    if ((step.what & kAsItIs) == 0) reduction::testing::MendFrame(&step.frame);
    steps.push_back(std::move(step));
    at += 3 + length;
  }
  return steps;
}

inline void AddStep(uint8_t what, const Bytes& frame, Bytes* input) {
  input->push_back(what);
  input->push_back(static_cast<uint8_t>(frame.size() >> 8));
  input->push_back(static_cast<uint8_t>(frame.size()));
  input->insert(input->end(), frame.begin(), frame.end());
}

}  // namespace ranksight::fuzz
