// What each event costs at the measured sizes, and by law at another.
//
// Computation before an event is known as a mean with its spread, and by the
// event before it where runs keep that apart. In older runs, where the spread
// is what two kinds of places would give (before the first message of
// a stage and before the others, on ranks at an edge and in the middle), it
// is told apart by the event's contexts; else it is imbalance and jitter.
// Thread-safety: value types.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
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
  struct Computation {
    double seconds = 0, count = 0;
    reduction::Moments moments;  // ns, of the run seen first
    // By the number of the event before, kAny for none, where runs keep it
    // apart; ns, of all runs.
    struct Behind {
      reduction::Moments moments, ranks;
    };
    std::map<uint32_t, Behind> behind;

    // event_at: the number of the event at a call site.
    void AddBehind(const reduction::ComputeParts& parts, Occasion occasion,
                   const std::map<reduction::Predecessor, uint32_t>& event_at,
                   double scale);
  };
  struct Event {
    std::array<Computation, kOccasions> computation;
    double call = 0;
    reduction::Moments ranks;  // computation of ranks, ns, of that run
    double squares = 0;        // of runs' means, for their spread
    double runs = 0;           // in which it happened
    double Occurrences() const {
      return computation[kFirst].count + computation[kLater].count;
    }
    double Compute() const {
      return computation[kFirst].seconds + computation[kLater].seconds;
    }
  };
  std::vector<Event> events;
  // By context, of one run; by AddProgram.
  std::array<std::vector<double>, kOccasions> occurrences;
  double runs = 0, seconds = 0;
  // Computation but first occurrences, rank seconds: sum over runs, and of
  // squares.
  double later = 0, later_squares = 0;
};

// How much computation differs between ranks and from one occurrence to the
// next, relative to its mean, in places of one kind or of several.
class WorkSpread {
 public:
  void Add(const reduction::Moments& rest, const reduction::Moments& ranks) {
    const double n = double(rest.count), mean = rest.Mean();
    squares_ += n * mean * mean;
    between_ += n * ranks.Variance();
    least_ += n * mean * ranks.min;
    most_ += n * mean * ranks.max;
    const double within = std::max(0.0, rest.Variance() - ranks.Variance());
    within_ += n * within;
    of_chance_ += double(ranks.count) * within;
  }
  bool known() const { return squares_ > 0; }
  double between() const { return std::sqrt(between_ / squares_); }
  double within() const { return std::sqrt(within_ / squares_); }
  double least() const { return least_ / squares_; }
  double most() const { return most_ / squares_; }
  // What `between` would be by chance, of as many occurrences a rank.
  double jitter() const { return std::sqrt(of_chance_ / squares_); }

 private:
  double squares_ = 0, between_ = 0, within_ = 0, of_chance_ = 0;
  double least_ = 0, most_ = 0;
};

class CostTable {
 public:
  // scale: by which its times are multiplied.
  void Add(const reduction::Trace& trace, double scale = 1);
  // The number of an event of `trace`.
  uint32_t NumberOf(const reduction::Trace& trace,
                    const reduction::Node& event);
  // The same by what its computation is told apart by: Operation::kAny where
  // nothing is before.
  std::map<reduction::Predecessor, uint32_t> EventAtSite(
      const reduction::Trace& trace);
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
  // Of the computation in a walk, the share at places that no run has.
  double ShareUnseen(const Program& program, const Costs& costs) const;
  // All computation by a law of its own, rank seconds.
  double ComputedByLaw(double ranks) const;
  // By law, from the sizes below `below`. *half_width: half of the 90 %
  // interval of all computation but first occurrences, rank seconds.
  Costs Extrapolate(const Program& program, int64_t below,
                    double* half_width) const;

 private:
  // Which contexts of an event are the same kind of place.
  struct Kinds {
    std::vector<uint32_t> kind;   // by context
    std::vector<bool> separated;  // by event
    // By event, whether by what the runs say of the event before, the first of
    // those alike then being the kind. Else there are two, 1 the heavy one.
    std::vector<bool> recorded;
  };
  bool IsRecorded(size_t event, Occasion occasion) const;
  // Whether computation behind two calls takes as long at all sizes that know
  // both, of which there is one at least; the first such call, by call.
  bool TakeAsLong(size_t event, Occasion occasion, uint32_t one,
                  uint32_t other) const;
  std::map<uint32_t, uint32_t> AlikeBehind(size_t event,
                                           Occasion occasion) const;
  void Separate(Occasion occasion);
  double ComputeAt(const SizeCosts& size, Occasion occasion,
                   uint32_t context) const;
  EventCost EventAt(const SizeCosts& size, size_t event) const;
  // That of the size, of those that have the event, which is nearest by
  // factors.
  EventCost EventNear(double ranks, size_t event, int64_t below) const;
  WorkSpread SpreadOfFirst(const SizeCosts& size, size_t event) const;
  WorkSpread SpreadAt(const SizeCosts& size, size_t event) const;
  // Not known where fewer than three sizes have the event.
  Uneven UnevenByLaw(double ranks, size_t event, int64_t below) const;
  // How often contexts of the same kind as this one occur; all of its event
  // where kinds are not told apart.
  double OfKind(const std::vector<double>& occurrences, Occasion occasion,
                uint32_t context) const;
  // Whatever stands behind one event: how often, and what it computes.
  struct BehindOne {
    double occurrences = 0, seconds = 0;
  };
  BehindOne ComputeBehind(const SizeCosts& size, Occasion occasion,
                          uint32_t after) const;
  double OccurrencesBehind(const std::vector<double>& occurrences,
                           uint32_t after) const;
  // Of those, how many are of contexts that no run of fewer ranks than `below`
  // has.
  double NewBehind(const std::vector<double>& occurrences, Occasion occasion,
                   uint32_t after, int64_t below) const;
  // Whether what the size says of a context is of the context's kind: it
  // occurs there, or its kind does, told apart from the other.
  bool Tells(const SizeCosts& size, Occasion occasion, uint32_t context) const;
  bool IsSeen(const SizeCosts& size, Occasion occasion, uint32_t context) const;
  Estimate ComputeByLaw(const Program& program, Occasion occasion,
                        uint32_t context, int64_t below) const;
  // Of all computation but first occurrences, rank seconds; by a law of its
  // own.
  Estimate AllByLaw(double ranks, int64_t below) const;

  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<reduction::Call> calls_;
  std::map<int64_t, SizeCosts> sizes_;
  ContextTable contexts_;
  std::vector<std::vector<uint32_t>> of_event_;  // contexts
  std::array<Kinds, kOccasions> kinds_;
};

}  // namespace ranksight::online_model
