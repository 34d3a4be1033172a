#include "bgq_support/load/plan.h"

#include <algorithm>

namespace ranksight::bgq_support {

HostPlan::HostPlan(const Torus& torus, const Routing& routing) {
  const Turns all = TurnsOf(torus, routing);
  // Twice, so that half of a message may go each way round.
  scale = 2 * all.scale;
  for (const auto& of_dim : all.of_dim) {
    first_turn.push_back(static_cast<int>(turns.size()));
    turns.insert(turns.end(), of_dim.begin(), of_dim.end());
  }
  first_turn.push_back(static_cast<int>(turns.size()));
  step.assign(static_cast<size_t>(torus.dims()), 1);
  for (size_t i = step.size() - 1; i-- > 0;) {
    step[i] = step[i + 1] * torus.dimensions()[i + 1].length;
  }
  coordinates.reserve(static_cast<size_t>(torus.nodes()) * step.size());
  Coordinates at(step.size(), 0);
  for (int node = 0; node < torus.nodes(); ++node) {
    coordinates.insert(coordinates.end(), at.begin(), at.end());
    for (size_t i = at.size(); i-- > 0;) {
      if (++at[i] < torus.dimensions()[i].length) break;
      at[i] = 0;
    }
  }
}

std::vector<Flow> CutFlows(const std::vector<Flow>& flows) {
  // Large enough that a piece costs much more than handing it out, small
  // enough that one flow of all ranks keeps every core busy.
  constexpr int64_t kMost = 512;
  std::vector<Flow> pieces;
  pieces.reserve(flows.size());
  for (const Flow& flow : flows) {
    for (int64_t begin = 0; begin < flow.count; begin += kMost) {
      Flow piece = flow;
      piece.rank += begin * flow.stride;
      piece.peer += begin * flow.peer_stride;
      piece.count = std::min(kMost, flow.count - begin);
      pieces.push_back(piece);
    }
  }
  return pieces;
}

}  // namespace ranksight::bgq_support
