#include "cli/base/json.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cmath>

#include "reduction/api/contract.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

// A character of the first plane.
uint32_t CodeOf(std::string_view character) {
  const auto byte = [&](size_t i) {
    return uint32_t(static_cast<uint8_t>(character[i]));
  };
  if (character.size() == 1) return byte(0);
  if (character.size() == 2) return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
  return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
}

void AppendControl(std::string_view character, std::string* out) {
  switch (character[0]) {
    case '\n':
      *out += "\\n";
      return;
    case '\t':
      *out += "\\t";
      return;
    case '\r':
      *out += "\\r";
      return;
    default:
      *out += fmt::format("\\u{:04x}", CodeOf(character));
  }
}

}  // namespace

std::string JsonString(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const size_t length = reduction::Utf8Length(text);
    const char c = text[0];
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (reduction::IsObeyed(text.substr(0, length))) {
      AppendControl(text.substr(0, length), &out);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
  return out;
}

void JsonWriter::Separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_members_.empty()) return;
  if (has_members_.back()) text_ += ',';
  has_members_.back() = true;
}

void JsonWriter::Open(char bracket) {
  Separate();
  text_ += bracket;
  has_members_.push_back(false);
}

void JsonWriter::Close(char bracket) {
  RANKSIGHT_REQUIRE(!has_members_.empty() && !after_key_);
  text_ += bracket;
  has_members_.pop_back();
  if (has_members_.empty()) text_ += '\n';
}

JsonWriter& JsonWriter::BeginObject() {
  Open('{');
  return *this;
}
JsonWriter& JsonWriter::EndObject() {
  Close('}');
  return *this;
}
JsonWriter& JsonWriter::BeginArray() {
  Open('[');
  return *this;
}
JsonWriter& JsonWriter::EndArray() {
  Close(']');
  return *this;
}

JsonWriter& JsonWriter::Key(std::string_view name) {
  RANKSIGHT_REQUIRE(!has_members_.empty() && !after_key_);
  Separate();
  text_ += JsonString(name);
  text_ += ':';
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::Value(std::string_view text) {
  return Raw(JsonString(text));
}

JsonWriter& JsonWriter::Value(double number) {
  if (!std::isfinite(number)) return Raw("null");
  std::array<char, 32> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return Raw({buffer.data(), static_cast<size_t>(end - buffer.data())});
}

JsonWriter& JsonWriter::Value(bool yes) { return Raw(yes ? "true" : "false"); }

JsonWriter& JsonWriter::Raw(std::string_view json) {
  Separate();
  while (!json.empty() && json.back() == '\n') json.remove_suffix(1);
  text_ += json;
  return *this;
}

std::string JsonWriter::Take() {
  std::string out;
  out.swap(text_);
  return out;
}

}  // namespace ranksight::cli
