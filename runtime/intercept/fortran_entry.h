// One PMPI function that MPICH's mpi_f08 calls past the C entry point, and
// how the shared library stands in for it (see
// docs/design/0010-fortran-entries.md).
//
// Thread-safety: any thread; what is found is the same for all.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/intercept/next_function.h"

namespace ranksight::runtime {

class FortranEntry {
 public:
  // pmpi: the C function; fortran: its caller in the Fortran library.
  // through_helper: called by a function beside that one.
  constexpr FortranEntry(const char* pmpi, const char* fortran,
                         bool through_helper)
      : pmpi_(pmpi), fortran_(fortran), through_helper_(through_helper) {}

  // Looks for the Fortran caller among the libraries loaded.
  void FindCaller() noexcept;
  // False in every C program: nothing lies in the empty range.
  bool CalledFromFortran(const void* address) const {
    const auto a = reinterpret_cast<uintptr_t>(address);
    const uintptr_t begin = begin_.load(std::memory_order_relaxed);
    return a - begin < size_.load(std::memory_order_relaxed);
  }
  // The MPI library's own function.
  template <class Function>
  Function Next() {
    void* next = next_.load(std::memory_order_relaxed);
    if (next == nullptr) {
      next = NextFunction(pmpi_);
      next_.store(next, std::memory_order_relaxed);
    }
    return reinterpret_cast<Function>(next);
  }

 private:
  const char* pmpi_;
  const char* fortran_;
  bool through_helper_;
  std::atomic<void*> next_{nullptr};
  std::atomic<uintptr_t> begin_{0};
  std::atomic<uintptr_t> size_{0};
};

// FindCaller for all, and the wrappers' way round the entries. Runs when the
// library is loaded: a Fortran part that is opened later stays unseen.
void FindFortranCallers() noexcept;

}  // namespace ranksight::runtime
