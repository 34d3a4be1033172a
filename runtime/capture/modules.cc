#include "runtime/capture/modules.h"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>

#include "runtime/front/front.h"

namespace ranksight::runtime {
namespace {

std::string BaseName(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string ExecutablePath() {
  char path[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", path, sizeof path);
  return n > 0 ? std::string(path, size_t(n)) : std::string();
}

std::string Hex(const unsigned char* bytes, size_t size) {
  static const char* digits = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

// The NT_GNU_BUILD_ID note of a mapped module, "" when it has none.
std::string BuildId(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const char* at =
        reinterpret_cast<const char*>(info.dlpi_addr + segment.p_vaddr);
    const char* end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char* name = at + sizeof note;
      const char* value = name + ((note.n_namesz + 3u) & ~3u);
      const char* next = value + ((note.n_descsz + 3u) & ~3u);
      if (next > end) break;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
          std::memcmp(name, "GNU", 4) == 0) {
        return Hex(reinterpret_cast<const unsigned char*>(value),
                   note.n_descsz);
      }
      at = next;
    }
  }
  return "";
}

bool IsHidden(const std::string& name) {
  static const char* const kPrefixes[] = {
      "libranksight", "libmpi",     "libpmpi",     "libc.so",
      "libc-",        "ld-linux",   "ld64",        "libpthread",
      "libmpich",     "linux-vdso", "libopen-pal", "libsimgrid"};
  return std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&name](const char* p) { return name.rfind(p, 0) == 0; });
}

// Modules loaded before the program ran, with this one; the loader's list
// begins with them. A flavour is opened, but never goes.
size_t startup_modules = SIZE_MAX;

[[gnu::constructor]] void CountStartupModules() {
  if (ranksight_front_modules != nullptr) {
    startup_modules = ranksight_front_modules();
    return;
  }
  startup_modules = 0;
  dl_iterate_phdr(
      [](dl_phdr_info*, size_t, void*) {
        ++startup_modules;
        return 0;
      },
      nullptr);
}

uint64_t Unloads() {
  uint64_t unloads = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        *static_cast<uint64_t*>(data) = info->dlpi_subs;
        return 1;
      },
      &unloads);
  return unloads;
}

struct Loaded {
  std::vector<LoadedModule>* modules;
  size_t count = 0;
  bool failed = false;
};

LoadedModule Describe(const dl_phdr_info& info, size_t number) {
  LoadedModule m;
  m.may_go = number >= startup_modules;
  m.base = info.dlpi_addr;
  m.begin = UINTPTR_MAX;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    m.begin = std::min<uintptr_t>(m.begin, m.base + segment.p_vaddr);
    m.end =
        std::max<uintptr_t>(m.end, m.base + segment.p_vaddr + segment.p_memsz);
  }
  // The first module is the executable; it has no name of its own.
  const bool first = number == 0;
  m.id.name = BaseName(first ? ExecutablePath() : info.dlpi_name);
  m.id.build_id = BuildId(info);
  m.hidden = !first && IsHidden(m.id.name);
  return m;
}

// The C library calls this. An exception that went through its frames would
// end the program: they bring the unwinder of another library.
int AddModule(dl_phdr_info* info, size_t, void* data) noexcept {
  auto* loaded = static_cast<Loaded*>(data);
  try {
    LoadedModule m = Describe(*info, loaded->count++);
    if (m.begin < m.end) loaded->modules->push_back(std::move(m));
  } catch (...) {
    loaded->failed = true;
  }
  return loaded->failed ? 1 : 0;
}

// SimGrid's simulator loads a copy of the program for each rank, named
// PROGRAM_PID_RANK.so; the name of the program, or the name as it is.
std::string WithoutCopyNumber(const std::string& name) {
  const size_t mark = name.rfind("_" + std::to_string(getpid()) + "_");
  const bool copy = mark != std::string::npos && name.ends_with(".so");
  return copy ? name.substr(0, mark) : name;
}

bool Holds(const LoadedModule& m, uintptr_t address) {
  return m.begin <= address && address < m.end;
}

// In the simulator the program is the module that this code is part of.
size_t ProgramIn(std::vector<LoadedModule>* modules) {
  if ((*modules)[0].id.name != "smpimain") return 0;
  (*modules)[0].hidden = true;
  size_t program = 0;
  for (size_t i = 1; i < modules->size(); ++i) {
    LoadedModule& m = (*modules)[i];
    m.id.name = WithoutCopyNumber(m.id.name);
    if (Holds(m, reinterpret_cast<uintptr_t>(&ProgramIn))) program = i;
  }
  return program;
}

}  // namespace

const LoadedModule* Modules::Find(uintptr_t address) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    for (const LoadedModule& m : modules_) {
      if (Holds(m, address)) return &m;
    }
    if (attempt == 0) Reload();
  }
  return nullptr;
}

bool Modules::Unloaded() {
  if (!some_may_go_) return false;
  const uint64_t unloads = Unloads();
  if (unloads == unloads_) return false;
  unloads_ = unloads;
  Reload();
  return true;
}

const reduction::Module& Modules::Executable() {
  if (modules_.empty()) Reload();
  return executable_;
}

void Modules::Reload() {
  modules_.clear();
  Loaded loaded{&modules_};
  dl_iterate_phdr(AddModule, &loaded);
  if (loaded.failed) {
    modules_.clear();
    throw std::bad_alloc();
  }
  if (!modules_.empty()) executable_ = modules_[ProgramIn(&modules_)].id;
  some_may_go_ = std::any_of(modules_.begin(), modules_.end(),
                             [](const LoadedModule& m) { return m.may_go; });
}

}  // namespace ranksight::runtime
