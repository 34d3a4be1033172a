// Options that name a machine and where ranks sit on it, as `map`,
// `simulate` and `replay` take them.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bgq_support/api/machine.h"
#include "bgq_support/api/mapping.h"
#include "bgq_support/api/network.h"
#include "reduction/api/status.h"

namespace ranksight::cli {

// kUsage with the names that are known.
reduction::Result<bgq_support::Machine> ParseMachine(const std::string& torus);

// ranks_per_node, or as few as will do where it is 0.
int RanksPerNode(const bgq_support::Machine& machine, int64_t ranks,
                 int ranks_per_node);

// Where ranks sit: on a torus, or on the network of --topology.
struct PlaceOptions {
  std::string torus, topology, routing, map, order;
  int ranks_per_node = 0;
};
// The network of --topology, its messages routed as --routing says. kUsage.
reduction::Result<bgq_support::Network> ParseNetwork(
    const PlaceOptions& options);
// As few as will do where the option says nothing.
int RanksPerNode(const bgq_support::Network& network, int64_t ranks,
                 int ranks_per_node);
// By --map, or in order, so many on each node. kUsage, kIo, kBadInput.
reduction::Result<bgq_support::Mapping> PlaceOn(
    const bgq_support::Network& network, const PlaceOptions& options,
    int64_t ranks, int ranks_per_node);

// In the words of the replay engine's tool, which knows tori alone.
void AppendPlaceWords(const PlaceOptions& options,
                      std::vector<std::string>* words);

// kIo, or kBadInput "file:line: reason".
reduction::Result<bgq_support::Mapping> ReadMapFile(
    const std::string& path, const bgq_support::Machine& machine,
    int64_t ranks);
reduction::Result<bgq_support::Mapping> ReadMapFile(
    const std::string& path, const bgq_support::Network& network,
    int64_t ranks);

}  // namespace ranksight::cli
