// Options that name a machine and where ranks sit on it, as `map`,
// `simulate` and `replay` take them.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bgq_support/api/machine.h"
#include "bgq_support/api/mapping.h"
#include "reduction/api/status.h"

namespace ranksight::cli {

// kUsage with the names that are known.
reduction::Result<bgq_support::Machine> ParseMachine(const std::string& torus);

// ranks_per_node, or as few as will do where it is 0.
int RanksPerNode(const bgq_support::Machine& machine, int64_t ranks,
                 int ranks_per_node);

// Where ranks sit, in the words of the replay engine's tool.
struct PlaceOptions {
  std::string torus, map, order;
  int ranks_per_node = 0;
};
void AppendPlaceWords(const PlaceOptions& options,
                      std::vector<std::string>* words);

// kIo, or kBadInput "file:line: reason".
reduction::Result<bgq_support::Mapping> ReadMapFile(
    const std::string& path, const bgq_support::Machine& machine,
    int64_t ranks);

}  // namespace ranksight::cli
