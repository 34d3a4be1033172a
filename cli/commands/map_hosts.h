// `ranksight map --hosts`: traffic between the hosts of a cluster, and a better
// order of ranks. Thread-safety: as one command.
#pragma once

#include <cstdint>
#include <string>

#include "cli/base/host_options.h"

namespace ranksight::cli {

struct MapHostsOptions {
  std::string file;
  HostOptions places;
  std::string map;     // another order to look at, a hostfile
  std::string output;  // of the best order
  std::string form = "list";
  uint64_t seed = 1;
  int effort = 1;
  bool json = false;
};

// The exit code.
int MapOnHosts(const MapHostsOptions& options);

}  // namespace ranksight::cli
