// Another tool of the profiling interface behind us in LD_PRELOAD or in the
// link line: what our wrappers call are its MPI_X then, which call PMPI_X.
// Without one they call PMPI_X.
//
// Thread-safety: while the library is loaded, before any call.
#pragma once

namespace ranksight::runtime {

// A call, and where the address lies that its wrapper calls.
struct NextCall {
  const char* name;   // nullptr ends a table
  const char* pname;  // of the profiling interface
  void** address;
};

// In the generated files; ended by nullptr.
extern const NextCall* const kNextCallTables[];

// Puts the functions of the next tool into all of them. The shared library's,
// for nothing is next of what is linked statically.
void ChainToNextTool() noexcept;

}  // namespace ranksight::runtime
