// A trace in simulated time on the links of a network, by a walk of all its
// ranks: for more ranks than other simulators hold. Computation takes what the
// trace says; nothing is fitted to runs. Messages of more than 64 KiB wait for
// their receives; messages on a link have equal parts of it, and cost their
// senders no processor time.
//
// Where ranks are too many to be walked each by itself, those that do the same
// are one, and messages then meet on no link.
//
// Thread-safety: pure function. Complexity: O(messages x hops), or as
// rank_classes.h has it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "online_model/api/links.h"
#include "online_model/api/machine.h"
#include "online_model/api/stop.h"
#include "online_model/api/what_if.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

struct LinkNetwork {
  std::shared_ptr<const Links> links;  // with a place for each rank
  // What they take over a node's link alone, by length.
  std::vector<AtBytes> messages;
  // Of a message on average, where links are not walked.
  double mean_hops = 0;
};

// Of a link of so many seconds of latency and for a byte, by the factors that
// SimGrid's SMPI has by default (3.32, smpi/lat-factor and smpi/bw-factor), so
// that both say the same.
std::vector<AtBytes> SmpiMessages(double latency, double byte);

struct SimulatedRun {
  double seconds = 0;
  double computed = 0;  // seconds of a mean rank
  // Messages met on links. Else ranks were walked as so many actors, and the
  // time may be off by this part since these looked no farther around them.
  bool on_links = false;
  int64_t actors = 0;
  double blur = 0;
};

// Traces of more events are walked by classes of ranks: 40 bytes each.
inline constexpr uint64_t kMostEventsOnLinks = uint64_t{1} << 25;

// what_if: but for its links. kNo where the ranks cannot be walked, with the
// reason; what `stop` says when it says so; kUsage for a site of what_if that
// is none of the trace.
reduction::Result<SimulatedRun> SimulateOnLinks(const reduction::Trace& trace,
                                                const LinkNetwork& network,
                                                const WhatIf& what_if,
                                                const Stop& stop = {});

}  // namespace ranksight::online_model
