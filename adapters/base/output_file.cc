#include "adapters/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "reduction/api/contract.h"
#include "reduction/api/write_all.h"

namespace ranksight::adapters {
namespace {

// A device or a pipe.
bool IsNoFile(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) &&
         !S_ISDIR(info.st_mode);
}

}  // namespace

OutputFile::OutputFile(const std::string& path, Packing packing)
    : ByteWriter(MakeBuffer()), path_(reduction::FollowOwnLinks(path)) {
  RANKSIGHT_REQUIRE(packing != Packing::kGzip || Deflater::IsThere());
  if (IsNoFile(path)) {
    fd_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    beside_ = path_ + ".part" + std::to_string(getpid());
    // One that a process of the same number left. A link that somebody put
    // there is not followed.
    unlink(beside_.c_str());
    fd_ = open(beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (fd_ < 0) error_ = errno;
  if (packing == Packing::kNone) return;
  deflater_ = std::make_unique<Deflater>();
  WriteRaw(GzipHead());
}

OutputFile::~OutputFile() {
  if (fd_ < 0) return;
  close(fd_);
  if (!beside_.empty()) unlink(beside_.c_str());
}

void OutputFile::Take(std::string_view bytes) {
  flushed_ += bytes.size();
  if (!packs()) return WriteRaw(bytes);
  if (bytes.empty()) return;
  in_own_part_ = true;
  packed_.clear();
  deflater_->Add(bytes, &packed_);
  WriteRaw(packed_);
}

void OutputFile::WriteRaw(std::string_view bytes) {
  if (error_ != 0 || bytes.empty()) return;
  if (!reduction::WriteAll(fd_, bytes)) error_ = errno;
}

void OutputFile::EndOwnPart() {
  Flush();
  // Nothing may stand within a part, which does not stop at whole bytes.
  if (!in_own_part_) return;
  in_own_part_ = false;
  packed_.clear();
  all_.Append(deflater_->EndPart(&packed_));
  WriteRaw(packed_);
}

void OutputFile::WritePacked(std::string_view packed) {
  RANKSIGHT_REQUIRE(packs());
  EndOwnPart();
  WriteRaw(packed);
}

void OutputFile::EndPacked(const Unpacked& part) {
  RANKSIGHT_REQUIRE(packs());
  all_.Append(part);
  flushed_ += part.bytes;
}

void OutputFile::WriteAt(uint64_t offset, std::string_view text) {
  RANKSIGHT_REQUIRE(!packs());
  RANKSIGHT_REQUIRE(offset + text.size() <= size());
  Flush();
  if (error_ != 0) return;
  if (lseek(fd_, off_t(offset), SEEK_SET) < 0 ||
      !reduction::WriteAll(fd_, text) || lseek(fd_, 0, SEEK_END) < 0) {
    error_ = errno;
  }
}

void OutputFile::Rename() {
  if (error_ == 0 && std::rename(beside_.c_str(), path_.c_str()) != 0) {
    error_ = errno;
  }
  if (error_ != 0) unlink(beside_.c_str());
}

reduction::Status OutputFile::Commit() {
  if (packs()) {
    EndOwnPart();
    WriteRaw(GzipTail(all_));
  }
  Flush();
  if (fd_ >= 0) {
    if (close(fd_) != 0 && error_ == 0) error_ = errno;
    fd_ = -1;
    if (!beside_.empty()) Rename();
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
