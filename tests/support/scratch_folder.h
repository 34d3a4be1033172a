// A folder of a test's own: empty at first, gone at the end with all that is
// in it. Thread-safety: one owner.
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace ranksight::support {

// Ends the process when there is no room for it.
class ScratchFolder {
 public:
  ScratchFolder()
      : path_((std::filesystem::temp_directory_path() / "ranksight-test-XXXXXX")
                  .string()) {
    if (::mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }
  // Replaces the file `name` in it; mode 0600.
  void Put(const std::string& name, std::string_view content) const {
    const int file = ::open((path_ + "/" + name).c_str(),
                            O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || ::write(file, content.data(), content.size()) !=
                        static_cast<ssize_t>(content.size())) {
      std::abort();
    }
    (void)::close(file);
  }

 private:
  std::string path_;
};

}  // namespace ranksight::support
