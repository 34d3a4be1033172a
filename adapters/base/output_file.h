// OutputFile: buffered writing beside the file, renamed when it is whole; what
// is no file (/dev/null, a pipe) is written to as it is.
// Memory is constant. After an error everything is ignored until Commit
// says what it was.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "adapters/base/byte_writer.h"
#include "reduction/api/status.h"

namespace ranksight::adapters {

class OutputFile final : public ByteWriter {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();  // without Commit nothing is left
  // Bytes written so far.
  uint64_t size() const { return flushed_ + gathered(); }
  // Writes at a place that was written before.
  void WriteAt(uint64_t offset, std::string_view text);
  // kIo when anything could not be written.
  [[nodiscard]] reduction::Status Commit();

 private:
  void Take(std::string_view bytes) override;
  void Rename();
  std::string path_, beside_;  // beside_ is empty for what is no file
  int fd_ = -1;
  uint64_t flushed_ = 0;
  int error_ = 0;
};

// A whole small file.
[[nodiscard]] reduction::Status WriteSmallFile(const std::string& path,
                                               std::string_view text);

}  // namespace ranksight::adapters
