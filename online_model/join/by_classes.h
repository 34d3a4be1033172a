// The program of a trace that is walked as of classes of ranks
// (rank_classes.h), as far as looking around them as far as is quick tells all
// that matters.
// Thread-safety: one thread.
#pragma once

#include <functional>

#include "online_model/join/costs.h"
#include "online_model/join/stamp.h"
#include "online_model/walk/program.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// One walk, and the costs that it was made with.
using TimedWalk =
    std::function<reduction::Result<WalkedTimes>(const Program& program)>;

// *blur: how far off the time may be since ranks are looked at no farther,
// relative. kNo where there are no such classes, or where what is farther away
// matters; and what a walk says.
reduction::Result<Program> CompileByClasses(const reduction::Trace& trace,
                                            CostTable* costs,
                                            const TimedWalk& walk,
                                            double* blur);

}  // namespace ranksight::online_model
