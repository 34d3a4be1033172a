#include "runtime/capture/resident.h"

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <span>

namespace ranksight::runtime {
namespace {

// Opens a file of /proc and closes it again.
class ProcFile {
 public:
  explicit ProcFile(const char* path) noexcept
      : error_(errno), fd_(open(path, O_RDONLY | O_CLOEXEC)) {}
  ~ProcFile() {
    if (fd_ >= 0) close(fd_);
    errno = error_;
  }
  ProcFile(const ProcFile&) = delete;
  ProcFile& operator=(const ProcFile&) = delete;

  // How many bytes were there; 0 where none can be read.
  size_t Read(std::span<char> to, off_t from) const noexcept {
    if (fd_ < 0) return 0;
    const ssize_t n = pread(fd_, to.data(), to.size(), from);
    return n > 0 ? size_t(n) : 0;
  }

 private:
  int error_;
  int fd_;
};

std::optional<uint64_t> TakeAmount(std::string_view* text) {
  const size_t digit = text->find_first_not_of(" \t");
  if (digit == std::string_view::npos) return std::nullopt;
  text->remove_prefix(digit);
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc()) return std::nullopt;
  text->remove_prefix(size_t(end - text->data()));
  return number;
}

// The line "NAME:  1234 kB", in bytes.
std::optional<uint64_t> BytesOf(std::string_view name, std::string_view text) {
  constexpr uint64_t kKib = 1024;
  size_t at = text.find(name);
  // Names are found at the beginning of a line alone.
  while (at != std::string_view::npos && at > 0 && text[at - 1] != '\n') {
    at = text.find(name, at + 1);
  }
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + name.size());
  const auto kib = TakeAmount(&text);
  if (!kib || *kib > UINT64_MAX / kKib) return std::nullopt;
  return *kib * kKib;
}

uint64_t PageBytes() { return uint64_t(sysconf(_SC_PAGESIZE)); }

// Adds the pages from begin to end that are there.
void AddPages(const ProcFile& pagemap, uintptr_t begin, uintptr_t end,
              LibraryPages* pages) {
  constexpr int kPresent = 63, kOfFile = 61;
  const uint64_t page = PageBytes();
  std::array<uint64_t, 64> entries;
  const uint64_t last = (end + page - 1) / page;
  for (uint64_t next = begin / page; next < last;) {
    const size_t want = std::min<uint64_t>(entries.size(), last - next);
    const std::span<char> to(reinterpret_cast<char*>(entries.data()),
                             want * sizeof(uint64_t));
    const size_t got =
        pagemap.Read(to, off_t(next * sizeof(uint64_t))) / sizeof(uint64_t);
    if (got == 0) return;
    for (size_t i = 0; i < got; ++i) {
      if ((entries[i] >> kPresent & 1) == 0) continue;
      (entries[i] >> kOfFile & 1 ? pages->file_bytes : pages->other_bytes) +=
          page;
    }
    next += got;
  }
}

struct LibrarySearch {
  ProcFile pagemap{"/proc/self/pagemap"};
  LibraryPages pages;
};

bool IsOurs(std::string_view path) {
  return path.substr(path.rfind('/') + 1).starts_with("libranksight");
}

int AddLibrary(dl_phdr_info* info, size_t, void* data) noexcept {
  auto* search = static_cast<LibrarySearch*>(data);
  if (info->dlpi_name == nullptr || !IsOurs(info->dlpi_name)) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    AddPages(search->pagemap, begin, begin + segment.p_memsz, &search->pages);
  }
  return 0;
}

}  // namespace

std::optional<uint64_t> ParseStatm(std::string_view text, uint64_t page_bytes) {
  // The first number is what is mapped.
  if (!TakeAmount(&text)) return std::nullopt;
  const auto pages = TakeAmount(&text);
  if (!pages || *pages > UINT64_MAX / page_bytes) return std::nullopt;
  return *pages * page_bytes;
}

std::optional<Resident> ParseStatus(std::string_view text) {
  const auto all = BytesOf("VmRSS:", text);
  if (!all) return std::nullopt;
  Resident resident;
  resident.all_bytes = *all;
  // Kernels count what is there now in steps, and may say less as the most.
  resident.most_bytes = std::max(*all, BytesOf("VmHWM:", text).value_or(0));
  resident.file_bytes = BytesOf("RssFile:", text).value_or(0);
  resident.shared_bytes = BytesOf("RssShmem:", text).value_or(0);
  return resident;
}

std::optional<uint64_t> ReadResidentBytes() noexcept {
  std::array<char, 128> text;
  const size_t size = ProcFile("/proc/self/statm").Read(text, 0);
  return ParseStatm({text.data(), size}, PageBytes());
}

std::optional<Resident> ReadResident() noexcept {
  std::array<char, 4096> text;
  const size_t size = ProcFile("/proc/self/status").Read(text, 0);
  return ParseStatus({text.data(), size});
}

LibraryPages ReadLibraryPages() noexcept {
  LibrarySearch search;
  dl_iterate_phdr(AddLibrary, &search);
  return search.pages;
}

}  // namespace ranksight::runtime
