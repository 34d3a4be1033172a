// Functions, files and lines of one module, from its symbol table and its
// debug information where it has some.
// Thread-safety: one caller at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reduction/api/names.h"

namespace ranksight::cli {

class DebugInfo {
 public:
  virtual ~DebugInfo() = default;
  // Whether the command was built with libdw.
  static bool IsThere();
  // nullptr when the file is no module with that build id (lower-case hex),
  // or when the command was built without libdw.
  static std::unique_ptr<DebugInfo> Open(const std::string& path,
                                         const std::string& build_id);
  // The functions that an address, relative to where the module is loaded,
  // is in: one, or with those inlined there, innermost first. Empty when
  // there is no symbol.
  virtual std::vector<reduction::SourcePlace> At(uint64_t address) = 0;
};

}  // namespace ranksight::cli
