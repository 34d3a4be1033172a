// ByteWriter: bytes gathered in a buffer of constant size before they go on.
// Thread-safety: one thread.
#pragma once

#include <charconv>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace ranksight::adapters {

class ByteWriter {
 public:
  static constexpr size_t kBuffer = 1 << 16;
  static constexpr size_t kDigits = 24;  // more than any number has
  ByteWriter(const ByteWriter&) = delete;
  ByteWriter& operator=(const ByteWriter&) = delete;

  void Write(std::string_view text) {
    if (used_ + text.size() > kBuffer) Flush();
    if (text.size() > kBuffer) return Take(text);
    text.copy(buffer_.get() + used_, text.size());
    used_ += text.size();
  }
  void Write(char c) {
    if (used_ == kBuffer) Flush();
    buffer_[used_++] = c;
  }
  // Room for so many bytes, at most kBuffer; then behind the last one written.
  char* Room(size_t bytes) {
    if (used_ + bytes > kBuffer) Flush();
    return buffer_.get() + used_;
  }
  void WroteUntil(const char* end) { used_ = size_t(end - buffer_.get()); }
  void WriteNumber(int64_t value) {
    if (used_ + kDigits > kBuffer) Flush();
    char* const at = buffer_.get() + used_;
    used_ += size_t(std::to_chars(at, at + kDigits, value).ptr - at);
  }

 protected:
  using Buffer = std::unique_ptr<char[]>;
  static Buffer MakeBuffer() {
    return std::make_unique_for_overwrite<char[]>(kBuffer);
  }
  explicit ByteWriter(Buffer buffer) : buffer_(std::move(buffer)) {}
  ~ByteWriter() = default;
  // Passes on what is gathered; what is not passed on is lost.
  void Flush() {
    Take({buffer_.get(), used_});
    used_ = 0;
  }
  size_t gathered() const { return used_; }
  // For another writer; this one writes no more.
  Buffer TakeBuffer() { return std::move(buffer_); }

 private:
  virtual void Take(std::string_view bytes) = 0;
  Buffer buffer_;
  size_t used_ = 0;
};

}  // namespace ranksight::adapters
