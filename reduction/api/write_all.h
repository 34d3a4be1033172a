// Bytes into open files.
// Thread-safety: as of write(2).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ranksight::reduction {

// Writes all of it, in as many pieces as the system takes, through
// interruptions. False with errno set; how much was written then is not known.
[[nodiscard]] bool WriteAll(int fd, std::span<const uint8_t> bytes);
[[nodiscard]] inline bool WriteAll(int fd, std::string_view text) {
  return WriteAll(fd,
                  {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

}  // namespace ranksight::reduction
