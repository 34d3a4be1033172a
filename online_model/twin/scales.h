// Scales: by how much amounts and messages of a twin differ from those of the
// ranks that its own are like. Trips: scale_trips.h.
// Thread-safety: pure functions but for what they are given to change.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "online_model/twin/plan.h"

namespace ranksight::online_model {

// By how much something grows from what like ranks have to what was fitted:
// from an eighth to eightfold, and 1 where either is none.
double GrowthOverLike(double fitted, double like);
// How many ranks of `ranks` are like each of `known`. O(ranks).
std::vector<double> TimesTaken(int64_t ranks, int64_t known);

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

}  // namespace ranksight::online_model
