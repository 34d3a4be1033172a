// The functions of one compilation unit by address, from one walk over its
// debug information: libdw would walk for each address.
// Thread-safety: immutable. REQUIRES: the debug information outlives it.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <vector>

#include "cli/symbols/nested_ranges.h"

namespace ranksight::cli {

class UnitFunctions {
 public:
  explicit UnitFunctions(Dwarf_Die* unit);

  // The functions that the address of the debug information is in: what was
  // inlined there, innermost first, and last the function that has a body of
  // its own. Empty when it is in none.
  std::vector<Dwarf_Die> FunctionsAt(Dwarf_Addr address) const;

 private:
  // Adds the scopes below the entry, which is in the scope `parent`.
  void AddScopesBelow(Dwarf_Die* entry, int parent, int depth);

  NestedRanges ranges_;
  std::vector<Dwarf_Die> scopes_;  // by scope
};

}  // namespace ranksight::cli
