// What simulating a trace under SimGrid will take of this machine, told from
// the compressed trace before anything is simulated.
//
// The constants are from simulations of nine programs on 64 to 1,024 ranks
// (docs/commands/simulate.md): times lie within a third and three times of
// what is said, for they depend on how many messages are under way at once.
//
// Complexity: as TotalsBySite. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

class JsonWriter;

// From one number to another, both ends given.
struct NeededRange {
  double low = 0, high = 0;
};

struct SimulationNeeds {
  int64_t ranks = 0;
  double events = 0, messages = 0;
  double seconds = 0;         // of processor time, the middle
  NeededRange seconds_range;  // and where it will lie
  // high: as much as could ever be held, were no message received before all
  // ranks meet.
  NeededRange memory;
  double mappings = 0;  // of memory, which systems give so many of
};

// file_bytes: of the trace's file, which every rank holds decoded. bytes_scale:
// of messages. kBadInput where bytes do not fit in 64 bits.
reduction::Result<SimulationNeeds> NeedsOf(const reduction::Trace& trace,
                                           uint64_t file_bytes,
                                           double bytes_scale = 1);

// What this machine has left of it; 0: not known.
struct SimulationRoom {
  double memory = 0, mappings = 0;
};
SimulationRoom RoomHere();

// Why SimGrid cannot hold so many ranks here; empty where it can.
std::string WhyTooLarge(const SimulationNeeds& needs,
                        const SimulationRoom& room);

// Likewise, within so many seconds of processor time.
std::string WhyTooLong(const SimulationNeeds& needs, double limit_seconds);

// "about 21.7 s of processor time (7 s to 65 s) and 2.1 GB to 2.9 GB of memory
// for 1024 ranks, 312320 events".
std::string NeedsText(const SimulationNeeds& needs);
// As an object.
void AddNeeds(const SimulationNeeds& needs, JsonWriter* json);

}  // namespace ranksight::cli
