// Loading a trace on all ranks: rank 0 reads, everybody decodes.
// Thread-safety: collective over MPI_COMM_WORLD, one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::replay_engine {

// All ranks get the same outcome, also when only one fails.
reduction::Result<reduction::Trace> LoadEverywhere(const std::string& path);

// The bytes of a file on all ranks, likewise.
reduction::Result<std::vector<uint8_t>> ReadEverywhere(const std::string& path);

// The worst of all ranks' statuses, with the message of the lowest rank that
// has it; the same everywhere.
reduction::Status Agree(const reduction::Status& mine);

}  // namespace ranksight::replay_engine
