// Collectives with a root as messages, for walks that know the machine's links:
// down or up a binomial tree, in which a member deals with its children one
// after the other, or flat, where the root deals with each member itself
// (Thakur, Rabenseifner, Gropp, "Optimization of collective communication
// operations in MPICH", IJHPCA 2005).
//
// Thread-safety: pure functions. Complexity: O(messages of the member).
#pragma once

#include <cstdint>
#include <vector>

#include "online_model/walk/program.h"

namespace ranksight::online_model {

// Whether data goes from the root to the others, or from them to it.
inline bool IsDown(CollectiveForm form) {
  return form == CollectiveForm::kTreeDown || form == CollectiveForm::kFanOut;
}
inline bool IsUp(CollectiveForm form) {
  return form == CollectiveForm::kTreeUp || form == CollectiveForm::kFanIn;
}

// Whether one of so many members is walked as messages.
bool InMessages(bool flat, int64_t members);

// What a member does, one after the other.
struct RootedStep {
  enum class Kind : uint8_t { kSend, kReceive, kWait };
  Kind kind = Kind::kWait;
  uint32_t member = 0;  // to whom, or from whom
  uint32_t slot = 0;    // of a message; the first that is waited for
  uint32_t count = 0;   // of slots from there on that are waited for
  double bytes = 0;
};

// Of the member at `place` among so many, where that at `root` is the root and
// `bytes` are moved altogether. REQUIRES: IsDown(form) or IsUp(form).
std::vector<RootedStep> RootedSteps(CollectiveForm form, bool flat,
                                    uint32_t members, uint32_t place,
                                    uint32_t root, double bytes);

}  // namespace ranksight::online_model
