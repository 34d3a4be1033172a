// JsonWriter: builds one JSON document as text, in the order written, so
// that long answers need no tree in memory.
//
// Strings that are not UTF-8 are made so: bytes that are not part of a valid
// sequence become U+FFFD. Numbers that JSON cannot hold (NaN, infinities)
// become null.
// REQUIRES: balanced Begin/End calls, a Key before every member of an object.
// Thread-safety: one writer, one thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ranksight::cli {

class JsonWriter {
 public:
  JsonWriter& BeginObject();
  JsonWriter& EndObject();
  JsonWriter& BeginArray();
  JsonWriter& EndArray();
  JsonWriter& Key(std::string_view name);
  JsonWriter& Value(std::string_view text);
  JsonWriter& Value(const char* text) { return Value(std::string_view(text)); }
  JsonWriter& Value(double number);
  JsonWriter& Value(bool yes);
  JsonWriter& Value(std::integral auto number) {
    Separate();
    text_ += std::to_string(number);
    return *this;
  }
  // A value that is JSON text already.
  JsonWriter& Raw(std::string_view json);
  // Key and value in one.
  template <class T>
  JsonWriter& Member(std::string_view name, const T& value) {
    return Key(name).Value(value);
  }

  // The text so far, a newline at its end once the document is closed.
  const std::string& text() const { return text_; }
  // Hands out the text so far and starts again behind it (for streaming).
  std::string Take();

 private:
  void Separate();
  void Open(char bracket);
  void Close(char bracket);

  std::string text_;
  std::vector<bool> has_members_;
  bool after_key_ = false;
};

// text as a JSON string with its quotes.
std::string JsonString(std::string_view text);

}  // namespace ranksight::cli
