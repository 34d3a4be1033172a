// The times of a walk, written into the trace that was walked: what a forecast
// takes events to take is then what replays, simulations and generated programs
// of the trace take, too.
//
// Distributions keep the shape that they have in a measured run. Where work is
// uneven over the ranks they are as uneven as the walk's, and constant where
// the walk knows no spread.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <functional>

#include "online_model/join/costs.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// What was walked, and what came out.
struct WalkedTimes {
  Costs costs;
  Walked walked;
};

// Means of one event, ns an occurrence; 0 where it does not occur.
struct EventMeans {
  struct Behind {
    double count = 0, sum = 0;
    double Mean() const { return count > 0 ? sum / count : 0; }
  };
  static constexpr uint32_t kNotKnown = Operation::kAny - 1;
  // Computation, by the number of the event before, Operation::kAny for none.
  std::array<std::map<uint32_t, Behind>, kOccasions> behind;
  double call = 0;

  Behind Of(Occasion occasion) const;  // behind whatever it is
};
// By event. REQUIRES: contexts are those of the program's table.
std::vector<EventMeans> MeansOf(const ContextTable& contexts,
                                const Program& program,
                                const WalkedTimes& times);

// The events of a trace, as numbered in all programs of one table.
using NumberOfEvent =
    std::function<uint32_t(const reduction::Trace&, const reduction::Node&)>;

// means: of `made`, by event. costs: how computation is spread there; nullptr:
// as in `like`, the measured run whose distributions are taken.
void Stamp(const std::vector<EventMeans>& means, const Costs* costs,
           const NumberOfEvent& number_of, const reduction::Trace& like,
           reduction::Trace* made);

}  // namespace ranksight::online_model
