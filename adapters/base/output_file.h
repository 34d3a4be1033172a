// OutputFile: buffered writing beside the file, renamed when it is whole; what
// is no file (/dev/null, a pipe) is written to as it is.
// Memory is constant. After an error everything is ignored until Commit
// says what it was.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "adapters/base/byte_writer.h"
#include "adapters/base/deflate.h"
#include "reduction/api/status.h"

namespace ranksight::adapters {

class OutputFile final : public ByteWriter {
 public:
  enum class Packing { kNone, kGzip };
  // REQUIRES: of kGzip, Deflater::IsThere().
  explicit OutputFile(const std::string& path,
                      Packing packing = Packing::kNone);
  ~OutputFile();  // without Commit nothing is left
  bool packs() const { return deflater_ != nullptr; }
  // Bytes written so far, before they are packed.
  uint64_t size() const { return flushed_ + gathered(); }
  // Parts that were packed elsewhere: some bytes of one, and then what it is.
  // REQUIRES: packs().
  void WritePacked(std::string_view packed);
  void EndPacked(const Unpacked& part);
  // Writes at a place that was written before. REQUIRES: !packs().
  void WriteAt(uint64_t offset, std::string_view text);
  // kIo when anything could not be written.
  [[nodiscard]] reduction::Status Commit();

 private:
  void Take(std::string_view bytes) override;
  void WriteRaw(std::string_view bytes);
  void EndOwnPart();
  void Rename();
  std::string path_, beside_;  // beside_ is empty for what is no file
  int fd_ = -1;
  uint64_t flushed_ = 0;
  int error_ = 0;
  std::unique_ptr<Deflater> deflater_;
  std::string packed_;
  bool in_own_part_ = false;
  Unpacked all_;
};

// A whole small file.
[[nodiscard]] reduction::Status WriteSmallFile(const std::string& path,
                                               std::string_view text);

}  // namespace ranksight::adapters
