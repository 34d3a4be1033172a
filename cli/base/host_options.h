// Options that name the hosts of a cluster and where ranks sit on them, as
// `map` and `simulate` take them.
// Thread-safety: pure functions, but for the environment that they read.
#pragma once

#include <cstdint>
#include <string>

#include "bgq_support/api/host_traffic.h"
#include "bgq_support/api/hosts.h"
#include "reduction/api/status.h"

namespace ranksight::cli {

struct HostOptions {
  std::string hosts;         // a hostfile, or "slurm": its environment
  std::string distribution;  // block, cyclic, plane=N; empty: as listed
  std::string node;          // 2x16, here, an XML file of lstopo; empty: none
  int ranks_per_node = 0;    // 0: as the hosts say
};

struct RanksOnHosts {
  bgq_support::HostList list;
  bgq_support::Mapping mapping;
  bgq_support::PackageRule rule;
  bool by_srun = false;  // in Slurm's words, from options or the environment
  int hosts() const { return static_cast<int>(list.names.size()); }
};

// kUsage, kIo, or kBadInput "file:line:column: reason"; of Slurm's words with
// the variable's name in place of the file's.
reduction::Result<RanksOnHosts> PlaceRanks(const HostOptions& options,
                                           int64_t ranks);

// The ranks of another hostfile, whose names must be among these hosts' and
// which must have places for all ranks, no more on a host than it takes.
reduction::Result<bgq_support::Mapping> ReadOtherOrder(
    const std::string& path, const RanksOnHosts& places);

}  // namespace ranksight::cli
