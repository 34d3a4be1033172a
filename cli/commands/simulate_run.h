// One simulation under SimGrid's SMPI: the platform, the run, and what it says.
// Thread-safety: one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/base/machine_options.h"
#include "cli/base/vary.h"
#include "cli/base/work_options.h"
#include "cli/look/simulation_needs.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

struct SimulateOptions {
  std::string file, platform, hosts, record, smpirun = "smpirun";
  std::vector<std::string> config;
  PlaceOptions places;
  WorkOptions work;
  VaryOptions vary;
  bool json = false, partial = false;
  // Processor time; 0: no limit. estimate: only what all of it would take.
  double limit_seconds = 0;
  bool estimate = false;
  uint64_t seed = 1;
  // auto: SimGrid where it can hold the ranks, within the limit.
  std::string engine = "auto";  // simgrid, links
};

// What the tool has said, or what an estimate says, and the status that it
// ended with.
struct Ended {
  int status = 0;
  std::string output, errors;
};

// What simulating a trace under SimGrid will take; nothing known where it is
// not to be asked. kBadInput where bytes do not fit in 64 bits.
reduction::Result<SimulationNeeds> NeedsOf(const SimulateOptions& options,
                                           const reduction::Trace& trace);
// Says so on stderr.
void SayNeeds(const SimulateOptions& options, const SimulationNeeds& needs);

// One simulation from its start to its end, `what` it is on a terminal; needs:
// of the same options (NeedsOf). By our
// own walk where it is to be, or where SimGrid cannot hold the ranks or not
// within the limit, which is then said. kNo where it did not come to an end,
// and then it was said where ranks stand, and where it would take or took more
// than the limit; kIo where SimGrid or its launcher gave up.
reduction::Result<Ended> SimulateOne(const SimulateOptions& options,
                                     const reduction::Trace& trace,
                                     const SimulationNeeds& needs,
                                     const std::string& what);

}  // namespace ranksight::cli
