// Nanoseconds since an arbitrary start, by RANKSIGHT_CLOCK: the time-stamp
// counter (default where it is invariant), CLOCK_MONOTONIC, or MPI_Wtime for
// simulators. Thread-safety: Choose before any thread calls Now.
#pragma once

#include <cstdint>
#include <string>

namespace ranksight::runtime {

class Clock {
 public:
  // name: "tsc", "monotonic", "wtime"; anything else is the default.
  static void Choose(const std::string& name);
  // The counter's rate is measured between Choose and Calibrate.
  static void Calibrate();
  // Ticks; cheap.
  static uint64_t Now();
  // Nanoseconds in a difference of ticks.
  static uint64_t ToNs(uint64_t ticks);
};

}  // namespace ranksight::runtime
