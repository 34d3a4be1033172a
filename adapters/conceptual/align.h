// Aligning: a collective that ranks call from different places in a program
// is one statement in coNCePTuaL, so those places become one item.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "adapters/conceptual/resolved.h"

namespace ranksight::adapters::conceptual {

// Joins items of one parent that are the same call on parts of the same
// communicators, and puts what is around them into an order in which every
// rank still does the same. kNo where that cannot be done.
reduction::Status Align(const reduction::Trace& trace,
                        const reduction::Communicators& comms, Item* loop);

// Ranks that make a collective, by communicator (-1: alone), ascending.
std::map<int64_t, std::vector<int64_t>> MembersOf(const Item& collective);

// Members of a communicator by its number over all ranks.
uint64_t MemberCount(const reduction::Communicators& comms, int64_t number);

}  // namespace ranksight::adapters::conceptual
