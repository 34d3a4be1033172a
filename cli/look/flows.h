// The messages of a whole trace by call site, compressed as bgq_support's
// link loads take them, without walking events where sequences are regular.
//
// Counted: blocking and non-blocking sends, the send half of the sendrecv
// family, starts of persistent sends, and collectives on any communicator that
// can be rebuilt, by the algorithms that libraries usually take
// (collective_flows.h; all-to-all: every pair exchanges its share), one that
// members call from several places at the first. Left out,
// and named: neighbourhood, persistent and one-sided ones, and calls whose
// communicators or sizes are not regular enough.
//
// Complexity: O(structure x ranks) where a call's peers or byte counts stay
// the same over its occurrences, O(occurrences) for the rest.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bgq_support/api/load.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

struct SiteTraffic {
  reduction::Call call = reduction::Call::MPI_Init_;
  uint32_t site = 0;
  // Position of the part of the program it belongs to: which child of the
  // trace's root.
  size_t phase = 0;
  uint64_t messages = 0;
  bgq_support::Traffic traffic;
};

struct TraceTraffic {
  std::vector<SiteTraffic> sites;  // in tree order
  // Calls left out, by name, and how often they were made.
  std::map<std::string, uint64_t> left_out;
};

// kBadInput when a peer lies outside the run, sequences contradict each other,
// or bytes do not fit in 64 bits.
reduction::Result<TraceTraffic> TrafficOf(const reduction::Trace& trace);

// All sites together.
bgq_support::Traffic Total(const TraceTraffic& traffic);

}  // namespace ranksight::cli
