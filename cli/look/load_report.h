// What each rank has to do (reduction/api/rank_loads.h) and where ranks sit, as
// a table or as JSON.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reduction/api/trace.h"

namespace ranksight::cli {

// How ranks can be laid out, by what the trace says of the run.
struct RankLayout {
  enum class Kind {
    kHosts,    // a host after the other, as the launcher said how many are on
               // each
    kGrid,     // the grid of all ranks that the program had MPI make
    kNetwork,  // a torus or another network that somebody else knows of
    kPlain,    // neither is known; all may be on one host
  };
  Kind kind = Kind::kPlain;
  // Of hosts: ranks on each; of a grid: its sides, the last one the quickest.
  std::vector<int64_t> sides;
  std::vector<int64_t> places;  // of the ranks in it; empty: in their order
};
RankLayout LayoutOf(const reduction::Trace& trace);

std::string LoadText(const reduction::Trace& trace);

// {"ranks", "block": ranks in a row but perhaps the last, "layout": "hosts",
// "grid", "network" or "plain", "sides", "has_calls", "basis", "rows":
// [[compute_ns, call_ns, waiting_ns], ...]}: the mean of the ranks of each
// block, as many blocks as may be. "places" of the ranks in the sides' grid,
// where they are not in their order. on: where ranks sit, if that is known
// better than by the trace.
std::string LoadJson(const reduction::Trace& trace, int64_t most_blocks,
                     const std::optional<RankLayout>& on = std::nullopt);

}  // namespace ranksight::cli
