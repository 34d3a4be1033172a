// What each event costs at the measured sizes, and by law at another.
//
// Computation before an event is known as a mean with its spread. Where the
// spread is what two kinds of places would give (before the first message of
// a stage and before the others, on ranks at an edge and in the middle), it
// is told apart by the event's contexts; else it is imbalance and jitter.
// Thread-safety: value types.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "online_model/fit/series_fit.h"
#include "online_model/walk/walk.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// Runs of one size, summed up by event; seconds over all ranks and runs.
struct SizeCosts {
  struct Event {
    double occurrences = 0;
    double compute = 0, first_compute = 0, first_count = 0, call = 0;
    reduction::Moments rest, ranks;  // ns, of the run seen first
    double squares = 0;              // of runs' means, for their spread
    double runs = 0;                 // in which it happened
  };
  std::vector<Event> events;
  std::vector<double> occurrences;  // by context, of one run; by AddProgram
  double runs = 0, seconds = 0;
};

class CostTable {
 public:
  // scale: by which its times are multiplied.
  void Add(const reduction::Trace& trace, double scale = 1);
  // The number of an event of `trace`.
  uint32_t NumberOf(const reduction::Trace& trace,
                    const reduction::Node& event);
  // Numbers of events are below.
  size_t events() const { return calls_.size(); }
  const std::map<int64_t, SizeCosts>& sizes() const { return sizes_; }
  ContextTable* contexts() { return &contexts_; }

  // Once for each size, when all runs were added.
  void AddProgram(int64_t measured, const Program& program);
  // Tells contexts apart. After AddProgram.
  void Separate();

  Costs At(int64_t measured) const;
  // In-call seconds of a run by event, sum over ranks.
  std::vector<double> InCall(int64_t measured) const;
  // By law, from the sizes below `below`. *half_width: by context, half of
  // the 90 % interval, relative.
  Costs Extrapolate(const Program& program, int64_t below,
                    std::vector<double>* half_width) const;

 private:
  // Before any occurrence but a rank's first.
  double ComputeAt(const SizeCosts& size, uint32_t context) const;
  EventCost EventAt(const SizeCosts& size, size_t event) const;

  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<reduction::Call> calls_;
  std::map<int64_t, SizeCosts> sizes_;
  ContextTable contexts_;
  std::vector<std::vector<uint32_t>> of_event_;  // contexts
  std::vector<bool> heavy_;                      // by context
  std::vector<bool> separated_;                  // by event
};

}  // namespace ranksight::online_model
