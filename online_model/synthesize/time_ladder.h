// Times of traces that laws give at any rank count: the sketches of the input
// that the laws are attached to, moved to the means that a forecast gave at
// some rank counts (joined.h).
//
// A ladder holds those means; between two of its rank counts, and beyond the
// last, they follow a power of the rank count. Thread-safety: value types.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "reduction/api/trace.h"

namespace ranksight::online_model {

struct TimeLadder {
  struct Means {
    double compute = 0, call = 0;  // ns per occurrence; 0: not known
    // Computation behind each predecessor that the event's rest has in the
    // base; empty where it is not told apart.
    std::vector<double> after;
  };
  std::vector<int64_t> ranks;              // ascending
  std::vector<double> nanoseconds;         // of the run, 0: not known
  std::vector<std::vector<Means>> events;  // by event of the tree, by step

  // REQUIRES: event < events.size().
  Means At(size_t event, int64_t at_ranks) const;
  double NanosecondsAt(int64_t at_ranks) const;
  bool TellsApart() const;
};

// How many values Means::after has.
size_t PartsOf(const reduction::Node& event);

// How many times as long an occurrence of an event takes.
struct TimeFactors {
  double compute = 1, call = 1;
  // Computation behind each predecessor (PartsOf); `compute` where it is empty.
  std::vector<double> after;
};

// Gives the events of a trace the distributions that those of the same call
// site have in `base`, moved by these factors. factors: of an event of base,
// and which one of its tree that is. REQUIRES: both have the same sites.
void MoveTimes(const reduction::Trace& base,
               const std::function<TimeFactors(const reduction::Node& from,
                                               size_t event)>& factors,
               reduction::Trace* target);

// That every rank took so long.
void SetElapsed(double nanoseconds, reduction::Meta* meta);

// target: instantiated from base's tree, meta.ranks set. Without rank counts in
// the ladder means stay as they are in base. Also sets target->meta.elapsed
// when the ladder knows it.
void ScaleTimes(const TimeLadder& ladder, const reduction::Trace& base,
                reduction::Trace* target);

}  // namespace ranksight::online_model
