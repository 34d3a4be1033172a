// Bytes into open files, and where a file that is put in place by renaming
// goes. Thread-safety: as of write(2).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ranksight::reduction {

// Writes all of it, in as many pieces as the system takes, through
// interruptions. False with errno set; how much was written then is not known.
[[nodiscard]] bool WriteAll(int fd, std::span<const uint8_t> bytes);
[[nodiscard]] inline bool WriteAll(int fd, std::string_view text) {
  return WriteAll(fd,
                  {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

// Where path leads through links, so that renaming puts a file there and leaves
// the link; what it names need not exist. Links of other users are not
// followed: whoever may write to a shared folder must not choose the file.
std::string FollowOwnLinks(const std::string& path);

}  // namespace ranksight::reduction
