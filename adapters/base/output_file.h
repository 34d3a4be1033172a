// OutputFile: buffered writing beside the file, renamed when it is whole; what
// is no file (/dev/null, a pipe) is written to as it is.
// Memory is constant. After an error everything is ignored until Commit
// says what it was.
// Thread-safety: one thread.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "reduction/api/status.h"

namespace ranksight::adapters {

class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();  // without Commit nothing is left
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void Write(std::string_view text) {
    if (used_ + text.size() > kBuffer) Flush();
    if (text.size() > kBuffer) return WriteThrough(text);
    text.copy(buffer_.data() + used_, text.size());
    used_ += text.size();
  }
  void Write(char c) { Write(std::string_view(&c, 1)); }
  void WriteNumber(int64_t value) {
    if (used_ + kDigits > kBuffer) Flush();
    char* const at = buffer_.data() + used_;
    used_ += size_t(std::to_chars(at, at + kDigits, value).ptr - at);
  }
  // Bytes written so far.
  uint64_t size() const { return flushed_ + used_; }
  // Writes at a place that was written before.
  void WriteAt(uint64_t offset, std::string_view text);
  // kIo when anything could not be written.
  [[nodiscard]] reduction::Status Commit();

 private:
  static constexpr size_t kBuffer = 1 << 16;
  static constexpr size_t kDigits = 24;  // more than any number has
  void Flush();
  void WriteThrough(std::string_view text);
  void Rename();
  std::string path_, beside_;  // beside_ is empty for what is no file
  int fd_ = -1;
  std::string buffer_;
  size_t used_ = 0;
  uint64_t flushed_ = 0;
  int error_ = 0;
};

// A whole small file.
[[nodiscard]] reduction::Status WriteSmallFile(const std::string& path,
                                               std::string_view text);

}  // namespace ranksight::adapters
