// What a simulated replay takes of the machine it runs on, and when it is to
// stop for that. In a file that whoever starts the replay makes and that all
// ranks, being one process, count in.
#pragma once

#include <cstdint>
#include <type_traits>

namespace ranksight::replay_engine {

// Environment of a simulated replay: the file, which holds one ReplayMeter.
inline constexpr char kReplayMeter[] = "RANKSIGHT_REPLAY_METER";

enum class MeterStop : uint64_t {
  kNone = 0,
  kEnough,         // as long as was asked for
  kLimit,          // the limit is spent
  kEstimateBeyond  // all of it would take more than the limit
};

// Seconds are processor time of the process that simulates.
struct ReplayMeter {
  // Asked for. limit_s, enough_s (of events, behind the start): 0 is none.
  double all_events = 0, limit_s = 0, enough_s = 0;
  // So far, over all ranks.
  double events = 0, start_s = 0, spent_s = 0, memory_bytes = 0;
  // Where the pace is taken from, and would be next.
  double from_events = 0, from_s = 0, mark_events = 0, mark_s = 0;
  MeterStop stop = MeterStop::kNone;
};
static_assert(std::is_trivially_copyable_v<ReplayMeter>);

// So much is spent by now, and meter->events were done. The first reading is
// the end of the start. The pace is that of the last half to three quarters of
// what was spent on events: the first of a program cost more than others.
void SetSpent(double spent_s, ReplayMeter* meter);

// What is spent, and what is left of all events at the pace so far; where there
// is none yet, or all were done, what is spent.
double EstimatedSeconds(const ReplayMeter& meter);

// Whether the replay is to stop now, and why. An estimate counts from a tenth
// of the limit on, spent on events.
MeterStop StopOf(const ReplayMeter& meter);

}  // namespace ranksight::replay_engine
