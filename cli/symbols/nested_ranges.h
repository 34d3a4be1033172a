// Which of many nested scopes an address is in.
//
// 1. Scopes are numbered in the order in which a walk enters them, so that a
//    parent's number is smaller than those of its children.
// 2. An address is in the first scope that has it, in there in the first one
//    within that scope that has it, and so on: what such a walk would find.
// Thread-safety: immutable once every range has its scope. Finding takes
// O(log ranges).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ranksight::cli {

class NestedRanges {
 public:
  static constexpr int kNoScope = -1;

  // The number of a scope within `parent`, or within no other (kNoScope).
  int AddScope(int parent);
  // The scope that was added last has, besides others, the addresses from
  // `begin` up to, without, `end`. REQUIRES: there is a scope.
  void AddRange(uint64_t begin, uint64_t end);

  // The innermost scope of the address; kNoScope when none has it.
  int FindScope(uint64_t address) const;
  // The scope that this one is within, or kNoScope.
  int ParentOf(int scope) const { return parents_[size_t(scope)]; }

 private:
  using Borders = std::map<uint64_t, int>;

  // Whether `inner` stands within `outer`, or is it.
  bool IsWithin(int inner, int outer) const;
  // The border at the address, which the range around it is cut for.
  Borders::iterator CutAt(uint64_t address);

  std::vector<int> parents_;  // by scope
  // The innermost scope from each border up to the next.
  Borders innermost_ = {{0, kNoScope}};
};

}  // namespace ranksight::cli
