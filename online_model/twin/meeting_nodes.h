// Nodes at which ranks call one collective of all of them: one line of a
// program stands in several loops, and compilers copy it.
// Thread-safety: pure functions. Complexity: O(collective calls).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "online_model/twin/input_run.h"

namespace ranksight::online_model {

// By node, the first of those that it meets, or itself.
std::vector<int> NodesThatMeet(const TwinTree& tree, const InputRun& input);

// Between which collectives of all ranks messages are, where the trips of loops
// around these have no law; anew in each iteration of a loop.
struct MeetingsOfTalks {
  std::vector<bool> meets;       // by node: a collective of all
  std::vector<uint32_t> before;  // by talk of the run, how many its rank made
  std::vector<uint32_t> around;  // by talk, how many its iteration makes in all
};
// Nothing where ranks make different numbers of them, or none has such trips.
std::optional<MeetingsOfTalks> FindMeetings(const TwinTree& tree, int loop,
                                            const InputRun& input);

}  // namespace ranksight::online_model
