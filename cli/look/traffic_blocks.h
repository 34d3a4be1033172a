// Who sends how much to whom with neighbouring ranks taken together, so that
// any number of ranks fits a page.
// Thread-safety: pure function.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "reduction/api/traffic.h"

namespace ranksight::cli {

struct TrafficBlocks {
  int64_t ranks = 0;
  int64_t block = 1;  // ranks in each, the last one may have fewer
  int64_t side = 0;   // blocks
  std::map<std::pair<int64_t, int64_t>, reduction::Traffic>
      cells;  // from, to; not zero
};

// In at most `most` x `most` blocks. Errors are those of TrafficFrom.
reduction::Result<TrafficBlocks> BlocksOf(const reduction::Trace& trace,
                                          int64_t most);

}  // namespace ranksight::cli
