// What Linux says this process holds in memory. Files are opened, read and
// closed again: one that stayed open might be closed by the program, and its
// number be a file of the program's then. errno stays as it was.
// Thread-safety: all functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ranksight::runtime {

struct Resident {
  uint64_t all_bytes = 0;
  uint64_t most_bytes = 0;    // since the process began
  uint64_t file_bytes = 0;    // pages of files
  uint64_t shared_bytes = 0;  // shared with other processes, of no file
};

// Of /proc/self/statm, the text of which is given: cheap.
std::optional<uint64_t> ParseStatm(std::string_view text, uint64_t page_bytes);
// Of /proc/self/status.
std::optional<Resident> ParseStatus(std::string_view text);

// Nothing where the system does not say.
std::optional<uint64_t> ReadResidentBytes() noexcept;
std::optional<Resident> ReadResident() noexcept;

// What the libraries of this runtime hold, code and data. Nothing where it is
// part of the program, or where the system does not say.
struct LibraryPages {
  uint64_t file_bytes = 0, other_bytes = 0;
};
LibraryPages ReadLibraryPages() noexcept;

}  // namespace ranksight::runtime
