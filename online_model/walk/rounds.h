// Collectives as messages, for walks that know the machine's links: in rounds,
// in each of which every member sends one message and receives one. In a tree
// the distance between partners doubles from round to round; in an exchange of
// all with all each of n - 1 rounds has another one (Thakur, Rabenseifner,
// Gropp, "Optimization of collective communication operations in MPICH", IJHPCA
// 2005).
//
// Thread-safety: pure functions. Complexity: O(messages x hops).
#pragma once

#include <vector>

#include "online_model/walk/traffic.h"

namespace ranksight::online_model {

// Whether a collective of this form is walked in rounds: it is such an
// exchange, links are known, and the messages are not too many.
bool InRounds(const Links* links, CollectiveForm form, size_t members);

struct RoundMember {
  uint32_t rank = 0;
  double clock = 0;  // when it comes, and then, when it is through
};
// members: in the order of their ranks in the communicator. bytes: that one
// member moves. REQUIRES: InRounds.
void WalkRounds(const Network& network, CollectiveForm form, double bytes,
                Traffic* traffic, std::vector<RoundMember>* members);

}  // namespace ranksight::online_model
