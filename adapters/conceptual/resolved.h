// Resolved: the tree of a trace with what each event does on each rank, as
// coNCePTuaL can say it: messages to and from ranks of the world, receives
// with the sources that they matched, persistent requests where they start,
// waits where nothing is left to wait for, collectives with their members.
//
// Memory: the structure of the trace, and as much again for what is derived;
// receives that asked for any source are held one by one for one rank.
// Complexity: a walk over all events of all ranks.
// Thread-safety: value types.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "reduction/api/communicators.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters::conceptual {

// A message that an event sends or receives; its peer is kPeerNull where
// there is none.
struct Half {
  bool sends = false;
  bool waits = false;  // until it is complete
  reduction::Parameter peer, tag, bytes;
};

struct Item {
  const reduction::Node* node = nullptr;
  reduction::Parameter trips;
  std::vector<Item> children;  // of a loop

  // Of an event, over its occurrences.
  std::vector<Half> halves;
  // 1 where afterwards nothing that began is incomplete, and something was.
  reduction::Parameter awaits;
  // Of a collective: number of the communicator over all ranks (-1: the rank
  // alone), root, bytes (kNone where unknown).
  reduction::Parameter comm, root, amount;
  // What is computed before it, ns: the mean behind the call that the rank
  // came from.
  reduction::Parameter compute;
};

struct Resolved {
  Item root;
  std::set<std::string> notes;  // what is done otherwise
};

// kNo with the reason where a call has no form or a match is not known.
reduction::Result<Resolved> Resolve(const reduction::Trace& trace,
                                    const reduction::Communicators& comms);

}  // namespace ranksight::adapters::conceptual
