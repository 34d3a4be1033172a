// What a fuzz target gives besides libFuzzer's entry, and what all of them
// use.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "reduction/api/status.h"
#include "tests/support/scratch_folder.h"

namespace ranksight::fuzz {

using Bytes = std::vector<uint8_t>;

// Inputs from which changes start.
std::vector<Bytes> Seeds();

// Ends the process where the condition does not hold, naming the caller's line.
inline void Require(bool condition, int line = __builtin_LINE()) {
  if (condition) return;
  std::fprintf(stderr, "line %d: does not hold\n", line);
  std::abort();
}

// An error has a reason of one line.
inline void RequireReason(std::string_view reason,
                          int line = __builtin_LINE()) {
  Require(!reason.empty() && reason.find('\n') == reason.npos, line);
}

// An error of bytes names the place, "12: ...".
inline void RequireOffset(const reduction::Status& status,
                          int line = __builtin_LINE()) {
  RequireReason(status.message(), line);
  Require(status.code() == reduction::StatusCode::kBadInput, line);
  Require(status.message()[0] >= '0' && status.message()[0] <= '9', line);
}

inline Bytes ToBytes(std::string_view text) {
  return {text.begin(), text.end()};
}

inline std::string_view AsText(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

using support::ScratchFolder;

}  // namespace ranksight::fuzz
