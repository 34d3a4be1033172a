#include "reduction/api/shown_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>

#include "reduction/api/contract.h"

namespace ranksight::reduction {
namespace {

// The code point of a character of three bytes.
uint32_t CodeOfThree(std::string_view character) {
  const auto bits = [&](size_t i, uint8_t mask) {
    return uint32_t(static_cast<uint8_t>(character[i]) & mask);
  };
  return bits(0, 0x0F) << 12 | bits(1, 0x3F) << 6 | bits(2, 0x3F);
}

bool SetsDirectionOrEndsLine(uint32_t code) {
  return code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::string Shown(std::string_view text, bool lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    const std::string_view character = text.substr(0, length);
    const bool kept = lines && (text[0] == '\n' || text[0] == '\t');
    if (length == 0 || (!kept && IsObeyed(character))) {
      out += '?';
    } else {
      out += character;
    }
    text.remove_prefix(std::max<size_t>(1, length));
  }
  return out;
}

}  // namespace

size_t Utf8Length(std::string_view text) {
  RANKSIGHT_REQUIRE(!text.empty());
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t b = byte(0);
  if (b < 0x80) return 1;
  const size_t length = b >= 0xF0 ? 4 : b >= 0xE0 ? 3 : 2;
  if (b < 0xC2 || b > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Forms longer than need be, halves of surrogate pairs, and numbers that no
  // character has.
  const uint8_t second = byte(1);
  if (b == 0xE0 && second < 0xA0) return 0;
  if (b == 0xED && second > 0x9F) return 0;
  if (b == 0xF0 && second < 0x90) return 0;
  if (b == 0xF4 && second > 0x8F) return 0;
  return length;
}

bool IsObeyed(std::string_view character) {
  RANKSIGHT_REQUIRE(!character.empty());
  const auto first = static_cast<uint8_t>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  // C1, and the mark of Arabic letters.
  if (character.size() == 2) {
    const auto second = static_cast<uint8_t>(character[1]);
    return (first == 0xC2 && second < 0xA0) ||
           (first == 0xD8 && second == 0x9C);
  }
  return character.size() == 3 &&
         SetsDirectionOrEndsLine(CodeOfThree(character));
}

std::string ShownName(std::string_view name) { return Shown(name, false); }
std::string Harmless(std::string_view text) { return Shown(text, true); }

std::string ShownBytes(double bytes) {
  static constexpr const char* kUnits[] = {"B",   "KiB", "MiB", "GiB",
                                           "TiB", "PiB", "EiB"};
  constexpr double kStep = 1024;
  if (!std::isfinite(bytes)) return "unknown";
  size_t unit = 0;
  // 1023.5 would round to 1024.
  while (unit + 1 < std::size(kUnits) && std::fabs(bytes) >= kStep - 0.5) {
    bytes /= kStep;
    ++unit;
  }
  const double size = std::fabs(bytes);
  const bool whole = unit == 0 || size >= 99.95;
  const int digits = whole ? 0 : size >= 9.995 ? 1 : 2;
  char text[64];
  std::snprintf(text, sizeof text, "%.*f %s", digits, bytes, kUnits[unit]);
  return text;
}

}  // namespace ranksight::reduction
