// Replay: performs one rank of a trace, call by call and in its own time.
//
// The trace is walked with a cursor and never expanded, so memory depends on
// its structure and on what is outstanding, not on ranks or events.
//
// Thread-safety: one replay per thread; the trace may be shared.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reduction/api/event.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"
#include "replay_engine/api/alignment.h"
#include "replay_engine/api/backend.h"
#include "replay_engine/api/clock.h"
#include "replay_engine/api/tuning.h"

namespace ranksight::replay_engine {

// Environment of a simulated replay: a file that it makes when all ranks have
// come to their end.
inline constexpr char kReplayEnded[] = "RANKSIGHT_REPLAY_ENDED";
// And factors of call sites, as --site-scale has them, a line each: words would
// be taken apart by the launcher's shell.
inline constexpr char kSiteScales[] = "RANKSIGHT_SITE_SCALES";
// And of the network that smpi/platform.cc makes: its name, or a file and links
// upwards (network.h); how fast links are, a class a line; and how messages are
// routed ("valiant", or nothing).
inline constexpr char kNetworkName[] = "RANKSIGHT_NETWORK";
inline constexpr char kNetworkFile[] = "RANKSIGHT_NETWORK_FILE";
inline constexpr char kNetworkUplinks[] = "RANKSIGHT_NETWORK_UPLINKS";
inline constexpr char kNetworkSpeeds[] = "RANKSIGHT_NETWORK_SPEEDS";
inline constexpr char kNetworkRouting[] = "RANKSIGHT_NETWORK_ROUTING";

struct ReplayOptions {
  bool compute = true;        // reproduce the computation between calls
  bool mean_compute = false;  // its mean each time, not drawn
  double compute_scale = 1;   // >= 0
  // On top of compute_scale: computation before the calls of a site, by its
  // index in the trace; sites beyond the end have 1.
  std::vector<double> site_scale;
  // Receives and probes ask for any source and tag where the program did. Else
  // they ask for what they matched in the recording, where the trace says so:
  // the same messages meet, whatever the timing.
  bool wildcards = false;
  // What receives and probes that are then still open ask for, in the order
  // made: this rank's of an Alignment for the same wildcards and bytes. Null:
  // they stay open. Must outlive the replay.
  const std::vector<Match>* alignment = nullptr;
  uint64_t seed = 1;
  // Called before each event, where it is not empty.
  std::function<void()> each_event;
  // Off unless a placement is given; that must outlive the replay.
  Tuning tuning;
  const Placement* placement = nullptr;
};

struct RankReport {
  // The event being performed or computed for, null before and after: for
  // whoever watches from a signal handler.
  const reduction::Event* current = nullptr;
  uint64_t events = 0;  // performed, MPI_Init and MPI_Finalize included
  uint64_t aborts = 0;  // MPI_Abort events passed over
  uint64_t moved = 0;   // posts that tuning put into another place
  int64_t elapsed_ns = 0;
  int64_t compute_ns = 0;  // computation asked for
  // Own work that did not fit into the computation it was taken from.
  int64_t late_ns = 0;
};

// Performs the events of `rank`, from behind MPI_Init to before
// MPI_Finalize. *report is filled as far as the replay came. kBadInput when
// the trace contradicts itself, else what the backend says; the message
// names rank, position and call.
// REQUIRES: 0 <= rank < trace.meta.ranks.
reduction::Status Replay(const reduction::Trace& trace, int64_t rank,
                         const ReplayOptions& options, Backend& backend,
                         Clock& clock, RankReport* report);

// Seconds far beyond what any event takes in such a replay: a rank that does
// not get past one in that time does not get on at all.
unsigned StallLimit_s(const reduction::Trace& trace,
                      const ReplayOptions& options);

// One line naming what the trace says it could not hold (and a replay hence
// cannot do), "" when there is nothing.
std::string DescribeGaps(const reduction::Trace& trace);

// A communicator that the rank names and that no call of it makes, so that a
// replay would end in the middle; nothing where there is none.
std::optional<int64_t> UnmadeCommunicator(const reduction::Trace& trace,
                                          int64_t rank);

}  // namespace ranksight::replay_engine
