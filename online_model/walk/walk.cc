#include "online_model/walk/walk.h"

#include <vector>

#include "online_model/walk/walker.h"

namespace ranksight::online_model {

Costs WithoutJitter(Costs costs) {
  for (EventCost& e : costs.events) {
    for (ComputeSpread& s : e.spread) s.within = 0;
  }
  return costs;
}

Costs Slower(Costs costs, double factor) {
  for (EventCost& e : costs.events) e.local *= factor;
  for (std::vector<double>& contexts : costs.compute) {
    for (double& seconds : contexts) seconds *= factor;
  }
  return costs;
}

reduction::Result<Walked> Walk(const Program& program, const Costs& costs,
                               const Network& network, const Stop& stop) {
  return Walker(program, costs, network, stop).Run();
}

}  // namespace ranksight::online_model
