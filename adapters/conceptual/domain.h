// Domain: the positions at which an item of the tree may happen, one for each
// value of the loop indices around it, and on which ranks it does.
//
// Every loop becomes rectangular: it goes round as often as any rank ever
// does, and guards keep the others out. A rank's sequence of values is
// stretched to one value for each position, where values at positions that
// are left out do not matter.
// Memory: a bit for each position of the ranks whose trip counts change.
// Thread-safety: value types.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reduction/api/parameter.h"
#include "reduction/api/status.h"

namespace ranksight::adapters::conceptual {

struct Level {
  std::string index;  // variable, 0, ..., most - 1; "" where most is 1
  int64_t most = 1;
};

class Domain {
 public:
  const std::vector<Level>& levels() const { return levels_; }
  int64_t positions() const { return positions_; }

  // Inside a loop, or for an event's own repetitions. kNo when that makes too
  // many positions to look at one by one.
  reduction::Result<Domain> Inside(const reduction::Parameter& trips,
                                   const std::string& index) const;
  // A rank's values over its occurrences as values over the positions.
  reduction::Section Stretch(int64_t rank,
                             const reduction::Section& values) const;

 private:
  std::vector<Level> levels_;
  int64_t positions_ = 1;
  // Whether a position happens; ranks at whose positions it always does are
  // left out.
  std::map<int64_t, std::vector<bool>> happens_;
};

// The most that any rank ever goes round.
int64_t MostTrips(const reduction::Parameter& trips);

}  // namespace ranksight::adapters::conceptual
