// What ranks will hold in memory at rank counts nobody has run, and how many
// nodes hold a run: peak resident bytes, our own runtime's part taken off.
//
// A rank's peak is A / N^p + B + C g(N): what is divided among ranks, what each
// keeps, and what grows with their number (tables with an entry for each rank,
// messages that nobody asked for yet). The divided part is a volume (p = 1), a
// surface (2/3, 1/2), or both are tried; g is N, its root, or its logarithm.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reduction/api/trace.h"

namespace ranksight::online_model {

struct MemoryPoint {
  int64_t ranks = 0;
  bool refused = false;  // what stands below is not to be relied on
  std::string reason;
  double bytes = 0, low = 0, high = 0;  // of a mean rank; 90 % interval
  double most = 0, most_high = 0;       // of the rank that holds most
  // Of `bytes`: what is divided among ranks, kept by each, and grows with them.
  double divided = 0, kept = 0, growing = 0;
  double node = 0, node_high = 0;  // of a node full of ranks
  // Where there is a limit: the most ranks that fit on a node for sure, with
  // that many the fewest nodes that hold the run. 0: not even one fits.
  int64_t ranks_that_fit = 0, nodes = 0;
};

struct NodeMemory {
  double bytes = 0;            // 0: no limit
  int64_t ranks_per_node = 0;  // 0: as the runs had them
};

struct MemoryForecast {
  std::vector<int64_t> measured;  // rank counts
  std::vector<double> measured_bytes;
  std::string law;  // of a mean rank, "512 MiB / N + 12.0 MiB + 96.0 KiB N"
  // Of each node once: programs and libraries.
  double file_bytes = 0;
  NodeMemory node;  // ranks_per_node found where it was not given
  std::vector<MemoryPoint> points;
  // With a limit: the fewest nodes, full of ranks, that hold a run of that many
  // ranks for sure. 0: none up to the most that is forecast.
  int64_t fewest_nodes = 0;
};

// Nothing where fewer than three rank counts are known.
std::optional<MemoryForecast> ForecastMemory(
    std::span<const reduction::Trace> runs, std::span<const int64_t> ranks,
    const NodeMemory& node);

// A table for people; every line ends with a newline.
std::string ToText(const MemoryForecast& forecast);

}  // namespace ranksight::online_model
