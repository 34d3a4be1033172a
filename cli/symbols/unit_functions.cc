#include "cli/symbols/unit_functions.h"

#include <dwarf.h>

namespace ranksight::cli {
namespace {

bool IsFunction(Dwarf_Die* entry) {
  const int tag = dwarf_tag(entry);
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

// What has addresses and may hold functions that were inlined.
bool IsScope(Dwarf_Die* entry) {
  switch (dwarf_tag(entry)) {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_with_stmt:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
      return true;
    default:
      return false;
  }
}

// Where functions stand that are no part of its own addresses, if it has any:
// those of a namespace or a Fortran module, and those that one contains.
bool HoldsFunctions(Dwarf_Die* entry) {
  const int tag = dwarf_tag(entry);
  return tag == DW_TAG_module || tag == DW_TAG_namespace ||
         tag == DW_TAG_subprogram;
}

}  // namespace

UnitFunctions::UnitFunctions(Dwarf_Die* unit) {
  AddScopesBelow(unit, NestedRanges::kNoScope, 0);
}

void UnitFunctions::AddScopesBelow(Dwarf_Die* entry, int parent, int depth) {
  // No program nests deeper, and a damaged file would end the process.
  constexpr int kDeepest = 256;
  Dwarf_Die child;
  if (depth == kDeepest || dwarf_child(entry, &child) != 0) return;
  do {
    int scope = parent;
    bool has_addresses = false;
    if (IsScope(&child)) {
      Dwarf_Addr base = 0, begin = 0, end = 0;
      ptrdiff_t next = 0;
      while ((next = dwarf_ranges(&child, next, &base, &begin, &end)) > 0) {
        if (!has_addresses) {
          scope = ranges_.AddScope(parent);
          scopes_.push_back(child);
          has_addresses = true;
        }
        ranges_.AddRange(begin, end);
      }
    }
    // Of what has no addresses, as declarations and what is inlined everywhere,
    // only functions with a body of their own are to be found.
    if (has_addresses || HoldsFunctions(&child)) {
      AddScopesBelow(&child, scope, depth + 1);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

std::vector<Dwarf_Die> UnitFunctions::FunctionsAt(Dwarf_Addr address) const {
  std::vector<Dwarf_Die> functions;
  for (int scope = ranges_.FindScope(address); scope != NestedRanges::kNoScope;
       scope = ranges_.ParentOf(scope)) {
    Dwarf_Die entry = scopes_[size_t(scope)];
    if (!IsFunction(&entry)) continue;
    functions.push_back(entry);
    if (dwarf_tag(&entry) == DW_TAG_subprogram) break;
  }
  return functions;
}

}  // namespace ranksight::cli
