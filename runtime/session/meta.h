// What a trace says about its run.
#pragma once

#include "reduction/api/trace.h"
#include "runtime/capture/recorder.h"
#include "runtime/session/options.h"

namespace ranksight::runtime {

// The run as this rank knows it now. Calibrates the clock.
// REQUIRES: recorder->lock is held.
reduction::Meta MetaOf(Recorder* recorder, const Options& options);

}  // namespace ranksight::runtime
