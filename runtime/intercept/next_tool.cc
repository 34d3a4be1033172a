#include "runtime/intercept/next_tool.h"

#include <dlfcn.h>

namespace ranksight::runtime {
namespace {

// Whether a library defines that function itself, not one that it needs.
bool Defines(const Dl_info& library, const char* name) {
  void* const handle = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return true;  // nothing is known: leave it alone
  void* const function = dlsym(handle, name);
  dlclose(handle);
  Dl_info info;
  return function == nullptr || dladdr(function, &info) == 0 ||
         info.dli_fbase == library.dli_fbase;
}

// The MPI library's own MPI_X lies with its PMPI_X; a tool has none.
void* FunctionOfNextTool(const NextCall& call) {
  void* const next = dlsym(RTLD_NEXT, call.name);
  Dl_info library;
  if (next == nullptr || dladdr(next, &library) == 0) return nullptr;
  return Defines(library, call.pname) ? nullptr : next;
}

}  // namespace

void ChainToNextTool() noexcept {
  for (auto table = kNextCallTables; *table != nullptr; ++table) {
    for (const NextCall* call = *table; call->name != nullptr; ++call) {
      void* const next = FunctionOfNextTool(*call);
      if (next != nullptr) *call->address = next;
    }
  }
}

}  // namespace ranksight::runtime
