// A HostPlan as the kernel sees it. Thread-safety: pure function.
#pragma once

#include "bgq_support/load/kernel.h"
#include "bgq_support/load/plan.h"

namespace ranksight::bgq_support {

// All but the pointers, which an engine sets to its own memory.
inline Plan PlanWithoutMemory(const EngineInput& input) {
  Plan plan;
  plan.dims = input.torus.dims();
  plan.nodes = input.torus.nodes();
  plan.both_ways = input.both_ways;
  for (int i = 0; i < plan.dims; ++i) {
    const auto at = static_cast<size_t>(i);
    plan.length[i] = input.torus.dimensions()[at].length;
    plan.wraps[i] = input.torus.dimensions()[at].wraps;
    plan.step[i] = input.plan.step[at];
    plan.first_turn[i] = input.plan.first_turn[at];
  }
  plan.first_turn[plan.dims] = input.plan.first_turn.back();
  return plan;
}

}  // namespace ranksight::bgq_support
