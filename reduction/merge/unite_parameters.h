// Unites parameters, equal ones once: of those that share their pieces
// (parameter.h), each pair is united when it is first met.
//
// Complexity: O(1) for a pair met before.
// Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <unordered_map>

#include "reduction/api/parameter.h"

namespace ranksight::reduction {

class ParameterUniter {
 public:
  // Unites b into *a; ranked as Parameter::Merge has it.
  void Unite(Parameter* a, Parameter b, bool ranked);
  // Frees what is remembered, in steps between which it pauses.
  void Discard();

 private:
  struct Key {
    const void *a, *b;
    bool ranked;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  // Both stay as they were, so that no other comes to have their identity.
  struct Union {
    Parameter a, b, all;
  };
  std::unordered_map<Key, Union, KeyHash> known_;
};

}  // namespace ranksight::reduction
