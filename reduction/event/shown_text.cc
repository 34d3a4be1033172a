#include "cli/base/text.h"

#include <algorithm>
#include <cstdint>

namespace ranksight::cli {
namespace {

bool IsControl(std::string_view character) {
  const auto first = static_cast<uint8_t>(character[0]);
  if (character.size() == 1) {
    return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F;
  }
  return character.size() == 2 && first == 0xC2 &&
         static_cast<uint8_t>(character[1]) < 0xA0;
}

}  // namespace

size_t Utf8Length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t b = byte(0);
  if (b < 0x80) return 1;
  const size_t length = b >= 0xF0 ? 4 : b >= 0xE0 ? 3 : 2;
  if (b < 0xC2 || b > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const uint8_t second = byte(1);
  if (b == 0xE0 && second < 0xA0) return 0;
  if (b == 0xED && second > 0x9F) return 0;
  if (b == 0xF0 && second < 0x90) return 0;
  if (b == 0xF4 && second > 0x8F) return 0;
  return length;
}

std::string Harmless(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    const std::string_view character = text.substr(0, length);
    if (length == 0 || IsControl(character)) {
      out += '?';
    } else {
      out += character;
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string OneLine(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\t'; }, '?');
  return text;
}

}  // namespace ranksight::cli
