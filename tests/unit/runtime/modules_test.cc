// Addresses held against the kernel's list of what is mapped, and build ids
// against those that stand in the files.
#include "runtime/capture/modules.h"

#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace ranksight::runtime {
namespace {

struct MappedRange {
  uintptr_t begin = 0, end = 0;
  bool runs = false;
  std::string path;
};

// Of files only.
std::vector<MappedRange> MappedFiles() {
  std::vector<MappedRange> ranges;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string addresses, access, offset, device, inode, path;
    words >> addresses >> access >> offset >> device >> inode >> path;
    if (path.empty() || path[0] != '/') continue;
    const size_t dash = addresses.find('-');
    ranges.push_back({std::stoull(addresses.substr(0, dash), nullptr, 16),
                      std::stoull(addresses.substr(dash + 1), nullptr, 16),
                      access.find('x') != access.npos, path});
  }
  return ranges;
}

// By the section headers, which no loaded module has. "" where there is none.
std::string BuildIdInFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  const std::string bytes = all.str();
  ElfW(Ehdr) head;
  if (bytes.size() < sizeof head) return "";
  std::memcpy(&head, bytes.data(), sizeof head);
  for (size_t i = 0; i < head.e_shnum; ++i) {
    ElfW(Shdr) section;
    std::memcpy(&section, bytes.data() + head.e_shoff + i * sizeof section,
                sizeof section);
    if (section.sh_type != SHT_NOTE) continue;
    ElfW(Nhdr) note;
    std::memcpy(&note, bytes.data() + section.sh_offset, sizeof note);
    if (note.n_type != NT_GNU_BUILD_ID) continue;
    std::string text;
    for (size_t k = 0; k < note.n_descsz; ++k) {
      char digits[3];
      const auto byte =
          uint8_t(bytes[section.sh_offset + sizeof note + note.n_namesz + k]);
      std::snprintf(digits, sizeof digits, "%02x", byte);
      text += digits;
    }
    return text;
  }
  return "";
}

TEST(Modules, AnAddressIsInTheFileThatIsMappedThere) {
  Modules modules;
  size_t looked_at = 0;
  for (const MappedRange& range : MappedFiles()) {
    if (!range.runs) continue;  // fonts and locales are mapped, too
    for (const uintptr_t at : {range.begin, range.end - 1}) {
      const LoadedModule* module = modules.Find(at);
      ASSERT_NE(module, nullptr) << range.path;
      // Links lead to files of other names.
      const auto file = std::filesystem::path(range.path);
      EXPECT_EQ(module->id.build_id, BuildIdInFile(range.path)) << range.path;
      EXPECT_EQ(module->id.name.substr(0, module->id.name.find(".so")),
                file.filename().string().substr(0, module->id.name.find(".so")))
          << range.path;
      ++looked_at;
    }
  }
  EXPECT_GE(looked_at, 4u);  // the program and the C library at least
}

TEST(Modules, TheProgramIsTheExecutableAndIsSeen) {
  Modules modules;
  const auto own = std::filesystem::read_symlink("/proc/self/exe");
  EXPECT_EQ(modules.Executable().name, own.filename().string());
  EXPECT_EQ(modules.Executable().build_id, BuildIdInFile(own.string()));
  const LoadedModule* module =
      modules.Find(reinterpret_cast<uintptr_t>(&BuildIdInFile));
  ASSERT_NE(module, nullptr);
  EXPECT_FALSE(module->hidden);
  EXPECT_FALSE(module->may_go);
}

TEST(Modules, TheLibrariesThatSayNothingAboutAProgramAreHidden) {
  Modules modules;
  // Of the C library, by its own table: a pointer may be a jump of ours.
  void* const in_libc = dlsym(RTLD_DEFAULT, "malloc_usable_size");
  ASSERT_NE(in_libc, nullptr);
  const LoadedModule* module =
      modules.Find(reinterpret_cast<uintptr_t>(in_libc));
  ASSERT_NE(module, nullptr);
  // A sanitizer stands in front of it.
  EXPECT_TRUE(module->hidden || !module->id.name.starts_with("libc"));
}

TEST(Modules, WhatIsNoCodeIsInNone) {
  Modules modules;
  int on_stack = 0;
  const auto on_heap = std::make_unique<int>();
  EXPECT_EQ(modules.Find(0), nullptr);
  EXPECT_EQ(modules.Find(UINTPTR_MAX), nullptr);
  EXPECT_EQ(modules.Find(reinterpret_cast<uintptr_t>(&on_stack)), nullptr);
  EXPECT_EQ(modules.Find(reinterpret_cast<uintptr_t>(on_heap.get())), nullptr);
}

}  // namespace
}  // namespace ranksight::runtime
