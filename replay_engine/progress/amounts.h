// What a member gives and takes in a collective, so far as MPI wants it to go
// together with what the others do. Lists of amounts are told by sums over what
// goes from one to another, given less taken, that come to 0 where both agree;
// that they do by chance is as likely as that two numbers of 64 bits are one.
//
// Thread-safety: pure functions. Complexity: O(lists of the call).
#pragma once

#include <cstdint>

#include "reduction/api/event.h"

namespace ranksight::replay_engine {

struct Amounts {
  static constexpr int64_t kNone = -1;  // it says nothing of that
  int64_t alike = kNone;                // bytes that all have to say
  // To each of those that it gives to, from each of those it takes from, where
  // that is the same of all.
  int64_t given = kNone, taken = kNone;
  uint64_t lists = 0;
};

// place, size: of the member in the communicator. Nothing of other calls than
// collectives.
Amounts AmountsOf(const reduction::Event& e, bool is_root, int64_t place,
                  int64_t size);

}  // namespace ranksight::replay_engine
