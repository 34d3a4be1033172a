// What the readers of host names share: numbers, names, places in the text.
// Thread-safety: pure functions.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bgq_support/api/hosts.h"

namespace ranksight::bgq_support {

inline bool IsNameCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
}

// 1 to kMostSlots, digits alone.
inline std::optional<int32_t> SlotCount(std::string_view text) {
  int32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || after != end || value < 1 || value > kMostSlots) {
    return std::nullopt;
  }
  return value;
}

// Text of a message: what does not print is left out.
inline std::string Quoted(std::string_view text) {
  constexpr size_t kMost = 40;
  std::string quoted = "'";
  for (const char c : text.substr(0, kMost)) {
    if (c >= ' ' && c <= '~') quoted += c;
  }
  return quoted + (text.size() > kMost ? "...'" : "'");
}

}  // namespace ranksight::bgq_support
