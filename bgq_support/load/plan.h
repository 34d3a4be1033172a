// Everything an engine needs for one computation, prepared on the host.
// Thread-safety: value types.
#pragma once

#include <cstdint>
#include <vector>

#include "bgq_support/api/load.h"

namespace ranksight::bgq_support {

struct HostPlan {
  HostPlan(const Torus& torus, const Routing& routing);

  std::vector<int> first_turn;
  std::vector<Turn> turns;
  std::vector<int32_t> coordinates;  // dims for each node
  std::vector<int64_t> step;
  uint64_t scale = 1;  // of turns and half-way cases
};

// Flows cut to pieces of about equal work.
std::vector<Flow> CutFlows(const std::vector<Flow>& flows);

// The engines. They add what the flows carry to `differences` and sum up.
// REQUIRES: checked flows; differences has 2 * dims * nodes entries, zero or
// as AddExchanges left them. Return the bytes that stayed within nodes.
struct EngineInput {
  const Torus& torus;
  bool both_ways;
  const HostPlan& plan;
  const std::vector<int32_t>& node_of_rank;
  const std::vector<Flow>& flows;
};
uint64_t RunOnThreads(const EngineInput& input,
                      std::vector<uint64_t>* differences);
uint64_t RunOnKokkos(const EngineInput& input,
                     std::vector<uint64_t>* differences);
// Whether Kokkos' default execution space works in parallel.
bool KokkosIsParallel();

// Adds what exchanges carry to `differences`, not summed up. *local grows by
// the bytes that stay within nodes.
void AddExchanges(const EngineInput& input,
                  const std::vector<Exchange>& exchanges,
                  std::vector<uint64_t>* differences, uint64_t* local);

}  // namespace ranksight::bgq_support
