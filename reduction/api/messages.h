// A collective as messages between two ranks, for formats that have no
// collectives, or none over parts of the ranks: barriers by dissemination,
// broadcasts and reductions along binomial trees, gathers and scatters
// straight to and from the root, allgathers round a ring, alltoalls in
// shifted pairs, scans along a chain.
//
// Every member makes the messages that the others expect, whatever it knows
// of their sizes from its own arguments.
// Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/api/event.h"

namespace ranksight::reduction {

struct Message {
  bool sends = false;
  int64_t peer = 0;  // place in the communicator
  int64_t bytes = 0;
  // Messages of one round happen at once; a round begins when the one before
  // it has ended.
  int round = 0;
};

// The messages of member `place` of `size`, with the root's place. False
// when the call is no collective that moves data or waits.
bool MessagesOf(const Event& e, int64_t place, int64_t size, int64_t root,
                std::vector<Message>* messages);

}  // namespace ranksight::reduction
