// Times of one event of a trace, over all its occurrences on all ranks:
// computation before the call, and time in it. Nanoseconds.
//
// What is computed before an event depends on where its rank comes from: in a
// wavefront a rank computes before its first send, and which of the sends that
// is depends on the neighbours it has. So computation is also kept apart by
// predecessor, the call site of the event before on the same rank (the paths
// of Wu, Mueller, "ScalaExtrap", PPoPP 2011, told apart the same way).
// Thread-safety: value types.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reduction/api/sketch.h"

namespace ranksight::reduction {

// One of the two. The first occurrence on each rank (cold caches, connection
// set-up) is kept apart from the rest. Spread between ranks is kept apart from
// jitter within a rank.
struct TimeSummary {
  Moments first;
  Sketch rest;    // all occurrences but each rank's first
  Moments ranks;  // a value for each rank: the mean of its rest, or its first
                  // where there is no rest

  void Merge(const TimeSummary& other);
  double Total() const { return first.sum + rest.moments().sum; }
  uint64_t Occurrences() const { return first.count + rest.moments().count; }
  // Of a rank's first occurrence, or of any other; of those there are, where
  // there are only the others; 0 where there is none.
  double Mean(bool is_first) const;
  // Share of the variance that lies between ranks, 0..1. What the means of
  // ranks differ by chance alone is taken off.
  double ShareBetweenRanks() const;
  // Of the variance, the share that is jitter, 0..1: noise that differs from
  // rank to rank. All of it where it is small, and hardly any where it is
  // large: what differs much from one occurrence to the next is the program's
  // doing, on all ranks alike.
  double JitterShare() const;
  bool operator==(const TimeSummary&) const = default;
};

// An index into Sites::sites, or one of these.
using Predecessor = uint32_t;
// More predecessors than are told apart, or some between which computation
// does not differ.
inline constexpr Predecessor kAnyPredecessor = UINT32_MAX;
// The event is a rank's first.
inline constexpr Predecessor kNoPredecessor = UINT32_MAX - 1;

// Computation by predecessor: of the ranks' first occurrences, or of the rest.
// Nearly every event has one predecessor, which takes no more than its name.
// Invariants: a sole predecessor, or several parts, strictly ascending by
// predecessor and at most kMost, or neither: nothing is known.
class ComputeParts {
 public:
  enum class Kind { kFirst, kRest };
  struct Part {
    Predecessor after = kAnyPredecessor;
    TimeSummary compute;  // what belongs to the kind
    bool operator==(const Part&) const = default;
  };
  // Doubling it doubles what programs with many paths take.
  static constexpr size_t kMost = 8;

  // All computation is behind this one.
  static ComputeParts Of(Predecessor sole);
  // parts: in any order, none twice.
  static ComputeParts Of(std::vector<Part> parts);
  size_t size() const { return sole_ ? 1 : apart_.size(); }
  const std::optional<Predecessor>& sole() const { return sole_; }
  // The parts; empty where computation is not told apart.
  const std::vector<Part>& apart() const { return apart_; }
  // nullptr where nothing is known but the whole.
  const TimeSummary* Find(Predecessor after) const;
  // whole, of_other: what is divided here and there, before they are merged.
  void Merge(const ComputeParts& other, Kind kind, const TimeSummary& whole,
             const TimeSummary& of_other);
  void Unite();  // into one part of any predecessor
  // Call site i becomes map[i].
  void Remap(const std::vector<uint32_t>& map);
  // f(predecessor, TimeSummary*) for each part that has a summary of its own.
  template <class F>
  void Change(F&& f) {
    for (Part& p : apart_) f(p.after, &p.compute);
  }
  bool operator==(const ComputeParts&) const = default;

 private:
  void Add(Part part);
  void Settle();

  std::optional<Predecessor> sole_;
  std::vector<Part> apart_;
};

struct EventTimes {
  TimeSummary compute, call;
  ComputeParts first_after, rest_after;  // of compute

  void Merge(const EventTimes& other);
  // Computation of occurrences that are no rank's first.
  const TimeSummary& RestAfter(Predecessor after) const;
  // The same; nullptr where it is not known what is computed behind just this.
  const TimeSummary* KnownRestAfter(Predecessor after) const;
  // Mean of a rank's first occurrence, or of any other.
  double MeanCompute(bool is_first, Predecessor after) const;
  // Total over all occurrences and ranks.
  double TotalCompute() const { return compute.Total(); }
  double TotalCall() const { return call.Total(); }
  bool operator==(const EventTimes&) const = default;
};

}  // namespace ranksight::reduction
