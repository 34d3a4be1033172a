#include "cli/base/private_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace ranksight::cli {

using reduction::Result;
using reduction::Status;

Result<PrivateFolder> PrivateFolder::Make() {
  const char* parent = std::getenv("TMPDIR");
  std::string path = parent != nullptr && *parent != '\0' ? parent : "/tmp";
  path += "/ranksight-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) {
    return Status::Io(path + ": " + std::strerror(errno));
  }
  return PrivateFolder(std::move(path));
}

PrivateFolder::~PrivateFolder() {
  std::error_code error;
  if (!path_.empty()) std::filesystem::remove_all(path_, error);
}

PrivateFolder::PrivateFolder(PrivateFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

PrivateFolder& PrivateFolder::operator=(PrivateFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

}  // namespace ranksight::cli
