// What an archive defines: regions are MPI calls, locations ranks.
// Thread-safety: pure functions.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <vector>

#include "reduction/api/call.h"
#include "reduction/api/communicators.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters::otf2 {

// Regions are numbered without gaps, in the order of the table of calls.
OTF2_RegionRef RegionOf(reduction::Call call);

// MPI_COMM_SELF stands behind the communicators made.
inline OTF2_CommRef SelfComm(const reduction::Communicators& comms) {
  return OTF2_CommRef(comms.all().size());
}

// events: by rank. False when OTF2 reports an error.
bool WriteDefinitions(const reduction::Trace& trace,
                      const reduction::Communicators& comms,
                      const std::vector<uint64_t>& events, uint64_t last_ns,
                      OTF2_GlobalDefWriter* writer);

}  // namespace ranksight::adapters::otf2
