#include "adapters/base/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

namespace ranksight::adapters {

OutputFile::OutputFile(const std::string& path)
    : path_(path),
      beside_(path + ".part" + std::to_string(getpid())),
      buffer_(kBuffer, '\0') {
  file_ = std::fopen(beside_.c_str(), "wb");
  if (file_ == nullptr) {
    error_ = errno;
  } else {
    std::setvbuf(file_, nullptr, _IONBF, 0);
  }
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  unlink(beside_.c_str());
}

void OutputFile::WriteThrough(std::string_view text) {
  flushed_ += text.size();
  if (error_ != 0 || text.empty()) return;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) {
    error_ = errno;
  }
}

void OutputFile::Flush() {
  WriteThrough(std::string_view(buffer_.data(), used_));
  used_ = 0;
}

void OutputFile::WriteNumber(int64_t value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  Write(std::string_view(digits, size_t(end - digits)));
}

void OutputFile::WriteAt(uint64_t offset, std::string_view text) {
  Flush();
  if (error_ != 0) return;
  if (std::fseek(file_, long(offset), SEEK_SET) != 0 ||
      std::fwrite(text.data(), 1, text.size(), file_) != text.size() ||
      std::fseek(file_, 0, SEEK_END) != 0) {
    error_ = errno;
  }
}

reduction::Status OutputFile::Commit() {
  Flush();
  if (file_ != nullptr) {
    if (std::fclose(file_) != 0 && error_ == 0) error_ = errno;
    file_ = nullptr;
    if (error_ == 0 && std::rename(beside_.c_str(), path_.c_str()) != 0) {
      error_ = errno;
    }
    if (error_ != 0) unlink(beside_.c_str());
  }
  if (error_ == 0) return reduction::Status::Ok();
  return reduction::Status::Io(path_ + ": " + std::strerror(error_));
}

reduction::Status WriteSmallFile(const std::string& path,
                                 std::string_view text) {
  OutputFile file(path);
  file.Write(text);
  return file.Commit();
}

}  // namespace ranksight::adapters
