// Numbering: in which iteration of each loop around it every event is.
//
// The least numbers by which each rank's events come in the order of the call
// tree, and both ends of a message are in the same iteration of the loops
// around both. So a rank that has no part in some iterations (coarse levels
// of a multigrid) learns which ones those were from the ranks that have.
// Where messages reach into other iterations (a pipeline) there are no such
// numbers; then they follow from each rank's order alone. So they do where each
// rank has its own iterations (kOneChainOfRank).
// This is Lamport's logical clock (1978), by iterations.
// Thread-safety: value types, pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "online_model/parse/call_tree.h"
#include "online_model/parse/streams.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

// Deepest nest of loops.
inline constexpr size_t kMostLoops = 6;
// By loop, outermost first; 0 beyond the innermost.
using Iterations = std::array<int32_t, kMostLoops>;

// What an iteration of a loop has.
enum class IterationBody {
  kAll,       // whatever comes in the order of the loop
  kOneChain,  // what only ever comes in one go: iterations by turns do one
              // thing or another
  kOneChainOfRank,  // the same, but each rank has only iterations of its own:
                    // neighbours by turns, of which ranks at an end have fewer
  kAllOfRank  // as kAll, and of its own: levels that a rank has no part in
};
inline bool IsByChains(IterationBody body) {
  return body == IterationBody::kOneChain ||
         body == IterationBody::kOneChainOfRank;
}
inline bool IsOfRank(IterationBody body) {
  return body == IterationBody::kOneChainOfRank ||
         body == IterationBody::kAllOfRank;
}

// For each event of each rank of one trace. kNo where loops nest deeper, or an
// event comes again that stands in no loop.
reduction::Result<std::vector<std::vector<Iterations>>> NumberIterations(
    const Streams& streams, size_t trace, const CallTree& tree,
    IterationBody body);

}  // namespace ranksight::online_model
