// Which loaded module an address is in, by build id. No allocation for
// addresses in modules already known. Thread-safety: one caller at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reduction/api/site.h"

namespace ranksight::runtime {

struct LoadedModule {
  uintptr_t base = 0, begin = 0, end = 0;
  reduction::Module id;
  // Part of the MPI library, the C library or this one: its frames say
  // nothing about the program.
  bool hidden = false;
  // Loaded by the running program, which may unload it.
  bool may_go = false;
};

class Modules {
 public:
  // nullptr for an address in no module. Valid until the next Find.
  const LoadedModule* Find(uintptr_t address);
  // Whether a module has been unloaded since the last call, or the first
  // Find; addresses may belong to others then. Asks the loader only when
  // there are modules that may go.
  bool Unloaded();
  // The executable itself; in a simulator the program that it runs.
  const reduction::Module& Executable();

 private:
  void Reload();
  std::vector<LoadedModule> modules_;
  bool some_may_go_ = false;
  uint64_t unloads_ = 0;
  reduction::Module executable_;
};

}  // namespace ranksight::runtime
