// Scales: by how much amounts, messages and trips of a twin differ from those
// of the ranks that its own are like.
// Thread-safety: pure functions but for what they are given to change.
#pragma once

#include <span>
#include <vector>

#include "online_model/twin/plan.h"

namespace ranksight::online_model {

// Whether each rank gives something to each.
bool IsAllToAll(reduction::Call call);

// How many messages an edge has against its like: so that all are as many as
// the grid's sides tell, or as the mean of all. edges: of each input.
// iterations: how many more the loop around has than at the largest.
double MessageScale(const TwinTree& tree, const DrawnExchange& drawn,
                    std::span<const InputRun> inputs,
                    std::span<const EdgeList> edges, const WantedSize& wanted,
                    double iterations);

// How long messages of the exchange are against their like ones.
void ScaleAmounts(const TwinTree& tree, std::span<const InputRun> inputs,
                  const WantedSize& wanted, DrawnExchange* drawn);

// How long those of collectives are, site by site.
void ScaleCollectives(const TwinTree& tree, std::span<const InputRun> inputs,
                      TwinPlan* plan);

// How often loops run that have no law. Iterations until something converges
// are the same on all ranks.
void ScaleTrips(const TwinTree& tree, std::span<const InputRun> inputs,
                TwinPlan* plan);

}  // namespace ranksight::online_model
