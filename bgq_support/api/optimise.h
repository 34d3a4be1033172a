// A better mapping for given traffic: lower maximum link load first, fewer
// bytes times hops second, never worse than the default order or a mapping that
// is known.
//
// Looks at
//   known     the mappings that the caller has
//   orders    all permutations of the machine's letters and T
//   layouts   the ranks as a grid whose shape is found from the traffic; the
//             prime digits of its coordinates are dealt out to the digits of
//             the machine's coordinates, plain or folded (reflected Gray
//             codes, so that neighbours on the grid are neighbours on the
//             torus); local search swaps digits. With fewer ranks than
//             places on boxes of the machine that they fill
//   swaps     of two ranks, or of one and a free place, where the traffic is
//             small enough
// Many candidates are compared by a sample of the messages, the best of them
// exactly.
//
// Bhatele et al., "Mapping applications with collectives over
// sub-communicators on torus networks", SC 2012; Abdel-Gawad et al., "RAHTM",
// SC 2014, for the objective.
// Deterministic: the same input and seed give the same mapping.
// Thread-safety: as ComputeLoads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bgq_support/api/load.h"

namespace ranksight::bgq_support {

struct OptimiseOptions {
  int ranks_per_node = 1;
  uint64_t seed = 1;
  // Messages looked at in exact evaluations, all together; twice as many
  // take twice as long. About 10 s on two cores.
  int64_t message_budget = 200'000'000;
  std::vector<KnownMapping> known;  // of as many ranks, on this machine
  // Told now and then about how much of the search is done, above 0 and below
  // 1, never less than before: it may end sooner. Empty: nobody.
  std::function<void(double share)> tell_share = {};
};

struct OptimisedMapping {
  Mapping mapping;
  LinkLoads loads;
  std::string how;  // "order DCBAET", "grid 8x8x8 folded, digits swapped", ...
};

// The best mapping found. nullopt with *reason
// as for ComputeLoads and Mapping::FromOrder.
std::optional<OptimisedMapping> Optimise(const Machine& machine, int64_t ranks,
                                         const Routing& routing,
                                         const Traffic& traffic,
                                         const OptimiseOptions& options,
                                         std::string* reason);

}  // namespace ranksight::bgq_support
