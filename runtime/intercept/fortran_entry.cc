#include "runtime/intercept/fortran_entry.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

namespace ranksight::runtime {
namespace {

struct Search {
  uintptr_t address;  // in the module looked for
  uintptr_t begin = 0, end = 0;
};

int FindModule(dl_phdr_info* info, size_t, void* data) {
  auto* search = static_cast<Search*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    if (search->address - begin >= segment.p_memsz) continue;
    search->begin = begin;
    search->end = begin + segment.p_memsz;
    return 1;
  }
  return 0;
}

}  // namespace

void FortranEntry::FindCaller() noexcept {
  if (pmpi_ == nullptr || size_.load(std::memory_order_relaxed) != 0) return;
  void* const caller = dlsym(RTLD_DEFAULT, fortran_);
  if (caller == nullptr) return;
  Dl_info info;
  ElfW(Sym)* symbol = nullptr;
  if (dladdr1(caller, &info, reinterpret_cast<void**>(&symbol),
              RTLD_DL_SYMENT) == 0 ||
      symbol == nullptr) {
    return;
  }
  // Calls come from within that function, or, where it calls through helpers,
  // from anywhere in its module.
  uintptr_t begin = reinterpret_cast<uintptr_t>(caller);
  uintptr_t size = symbol->st_size;
  if (through_helper_) {
    Search search{begin};
    dl_iterate_phdr(FindModule, &search);
    begin = search.begin;
    size = search.end - search.begin;
  }
  begin_.store(begin, std::memory_order_relaxed);
  size_.store(size, std::memory_order_relaxed);
}

namespace {

// Before those without a priority.
[[gnu::constructor(200)]] void FindAtLoading() { FindFortranCallers(); }

}  // namespace

}  // namespace ranksight::runtime
