// The ranks behind every communicator number, rebuilt from the calls that
// made the communicators.
//
// Complexity: walks every event of every rank once.
// Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

struct CommGroup {
  std::vector<int64_t> members;  // ranks of the world, in rank order
  std::vector<int64_t> dims;     // of a Cartesian one
};

// [rank][number]; null where a communicator cannot be rebuilt (it has ranks of
// some hosts, or of another group, or others' calls are missing), and numbers
// made after such a one may be absent.
using CommGroups = std::vector<std::vector<std::shared_ptr<const CommGroup>>>;

reduction::Result<CommGroups> GroupsOf(const reduction::Trace& trace);

}  // namespace ranksight::cli
