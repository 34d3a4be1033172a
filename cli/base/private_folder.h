// PrivateFolder: a folder nobody else can enter, removed with its contents.
// Thread-safety: as thread-safe as std::string.
#pragma once

#include <string>

#include "reduction/api/status.h"

namespace ranksight::cli {

class PrivateFolder {
 public:
  // Below $TMPDIR, or /tmp. Mode 0700.
  static reduction::Result<PrivateFolder> Make();
  ~PrivateFolder();
  PrivateFolder(PrivateFolder&& other) noexcept;
  PrivateFolder& operator=(PrivateFolder&& other) noexcept;

  const std::string& path() const { return path_; }

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace ranksight::cli
