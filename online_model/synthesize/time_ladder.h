// Times of an extrapolated trace: the sketches of the largest input, moved
// to the mean that the fitted models give at the target.
//
// A ladder holds those means at some rank counts; between two of them they
// follow a power of the rank count. Thread-safety: value types.
#pragma once

#include <cstdint>
#include <span>
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

// aligned: the inputs, one of each size, with the tree of base.
TimeLadder MeasureLadder(std::span<const reduction::Trace> inputs,
                         std::span<const reduction::Trace> aligned,
                         const reduction::Trace& base,
                         std::vector<int64_t> ranks);

// Rank counts far apart, for targets not known yet.
std::vector<int64_t> WideSteps(int64_t base_ranks);

// target: instantiated from base's tree, meta.ranks set. Also sets
// target->meta.elapsed when the ladder knows it.
void ScaleTimes(const TimeLadder& ladder, const reduction::Trace& base,
                reduction::Trace* target);

}  // namespace ranksight::online_model
