// Phases: what a program does again and again, how often, and how much of the
// time that is (the view of PAS2P: Wong, Rexachs, Luque 2015).
//
// A phase is what one loop does itself at each iteration, or what stands
// outside of loops; its weight is how often it runs on a rank. The relevant
// phases are the fewest that take 95 % of the time.
// Thread-safety: pure functions. Complexity: as the structure is long.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/base/json.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

struct Phase {
  std::string first;     // call and call site of its first event
  uint64_t events = 0;   // call sites
  double calls = 0;      // per run
  double weight = 0;     // runs on a rank, mean over all ranks
  double seconds = 0;    // on a rank, mean over all ranks: all runs
  double share = 0;      // of the time of all phases
  std::string equation;  // of the weight, where the trace carries laws
  bool relevant = false;
};

// Longest first.
std::vector<Phase> PhasesOf(const reduction::Trace& trace);

std::string PhasesText(const std::vector<Phase>& phases);
// An array.
void WritePhases(const std::vector<Phase>& phases, JsonWriter* json);

}  // namespace ranksight::cli
