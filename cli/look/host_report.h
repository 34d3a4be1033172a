// What `ranksight map --hosts` says about where ranks sit.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "cli/base/host_options.h"
#include "cli/look/flows.h"
#include "cli/symbols/site_names.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

// A placement with its traffic: of all calls and of each call site, in the
// order of the trace's traffic.
struct PlacedTraffic {
  std::string name;  // "given", "best", ...
  std::string how;
  bgq_support::Mapping mapping;
  bgq_support::HostTraffic total;
  std::vector<bgq_support::HostTraffic> sites;
};

struct HostReport {
  const reduction::Trace& trace;
  const TraceTraffic& traffic;
  const RanksOnHosts& places;
  std::vector<PlacedTraffic> placements;
  SiteNames* names = nullptr;  // of call sites, for the text
};

std::string HostText(const HostReport& report);
std::string HostJson(const HostReport& report);

}  // namespace ranksight::cli
