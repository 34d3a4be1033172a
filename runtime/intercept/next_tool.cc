#include "runtime/intercept/next_tool.h"

#include <dlfcn.h>

#include "runtime/intercept/next_function.h"

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

// The MPI library's own MPI_X lies with its PMPI_X; a tool has none. mpi_base:
// where the MPI library lies once that is known, so that programs without a
// second tool, which are nearly all, ask once.
void* FunctionOfNextTool(const NextCall& call, const void** mpi_base) {
  void* const next = NextFunction(call.name);
  Dl_info library;
  if (next == nullptr || dladdr(next, &library) == 0 ||
      library.dli_fbase == *mpi_base) {
    return nullptr;
  }
  if (!Defines(library, call.pname)) return next;
  *mpi_base = library.dli_fbase;
  return nullptr;
}

// What a program gets that calls a function which its MPI library lacks: only
// one that asked whether it is there and found ours. It is given no arguments.
// The number is MPI_ERR_OTHER of the standard's binary interface: against
// another, functions that are not there are not compiled in.
int AnswerMissing() {
  constexpr int kMpiErrOther = 16;
  return kMpiErrOther;
}

}  // namespace

void ChainToNextTool() noexcept {
  const void* mpi_base = nullptr;
  for (auto table = kNextCallTables; *table != nullptr; ++table) {
    for (const NextCall* call = *table; call->name != nullptr; ++call) {
      void* const next = FunctionOfNextTool(*call, &mpi_base);
      if (next != nullptr) *call->address = next;
      if (*call->address == nullptr) {
        *call->address = reinterpret_cast<void*>(&AnswerMissing);
      }
    }
  }
}

}  // namespace ranksight::runtime
