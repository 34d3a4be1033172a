// RankTable: a parameter's sequences, ready to be asked rank by rank. The
// usual one (a single run of values) is found without searching.
// Thread-safety: immutable once made. REQUIRES: the parameter outlives it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "reduction/api/parameter.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

// A parameter of an event, or null where its call has none of the kind.
const Parameter* FindParameter(const Node& node, Param wanted);

class RankTable {
 public:
  struct Run {
    int64_t value = 0, stride = 0;
    uint64_t count = 0;  // 0: the rank has no such sequence
    bool single = true;  // the sequence is this run
  };
  RankTable(const Parameter& parameter, int64_t ranks);

  const Run& At(int64_t rank) const { return runs_[static_cast<size_t>(rank)]; }
  // The value that all occurrences have, if so.
  std::optional<int64_t> Constant(int64_t rank) const;
  uint64_t Count(int64_t rank) const;
  // Of amounts (amounts.h).
  uint64_t Sum(int64_t rank) const;
  Section Sequence(int64_t rank) const { return parameter_.At(rank); }

 private:
  const Parameter& parameter_;
  std::vector<Run> runs_;
};

// How often each value occurs. O(terms) for repetitions.
std::map<int64_t, uint64_t> Histogram(const Section& section);

}  // namespace ranksight::reduction
