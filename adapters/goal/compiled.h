// CompiledRank: one rank of a compiled GOAL schedule, byte for byte what
// LogGOPSim's txt2bin makes of the text: how many operations, those that are
// behind nothing, a record of 39 bytes for each, and for each those behind its
// end, then those behind its start. Byte order is the machine's own, as there.
// Memory: the rank, some 47 bytes an operation and 12 for each that it is
// behind.
// Thread-safety: one rank, one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "adapters/base/operation_graph.h"

namespace ranksight::adapters::goal {

class CompiledRank : public OperationSink {
 public:
  void Add(const Operation& operation,
           std::span<const Dependency> behind) override;
  // False when there are more operations than 32 bits can number.
  bool fits() const { return fits_; }
  // REQUIRES: fits(). To be called once.
  std::string TakeBytes();

 private:
  // `by` is behind `on`; operations numbered from 0.
  struct Edge {
    uint32_t on, by;
    bool started_only;
  };
  std::vector<uint32_t> PutPlaces();
  uint32_t operations_ = 0;
  bool fits_ = true;
  std::string records_;
  std::vector<uint32_t> free_;  // behind nothing
  std::vector<Edge> edges_;
};

// What stands before the ranks: the table is of each rank's begin and end.
std::string CompiledHead(const std::vector<uint64_t>& sizes);

}  // namespace ranksight::adapters::goal
