// The MPI records of an OTF2 archive, read by the library alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ranksight::adapters {

// Of one location, in order, without times: "send 1 3 10" (to, tag, bytes),
// "isend 1 3 10", "receive 1 3 10", "request" of a receive that does not
// block, "received 1 3 10" for it, "cancelled", "begin" and "end" of a
// collective. Places are those in the communicator.
std::vector<std::string> MpiRecords(const std::string& folder, uint64_t rank);

}  // namespace ranksight::adapters
