// The folder's own tree: like Node, with parents and open iterations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "reduction/api/call.h"
#include "reduction/api/copy_on_write.h"
#include "reduction/api/distribution.h"
#include "reduction/api/event.h"
#include "reduction/api/section.h"
#include "reduction/api/sketch.h"
#include "reduction/api/times.h"
#include "reduction/queue/number_log.h"

namespace ranksight::reduction {

struct StoredVariant;

// Loops that stand in each other. Files may have 200 levels (codec/decode.cc).
inline constexpr int kMostLevels = 64;

// A loop or an event of one rank while it is being folded.
//
// Invariants: trips holds one value for each iteration of the parent before
// `iteration`, trailing zeros left out; `runs` is the count for `iteration`.
struct TreeNode {
  TreeNode* parent = nullptr;
  size_t index = 0;                                 // in parent->children
  std::vector<std::unique_ptr<TreeNode>> children;  // empty: an event

  Section trips;
  uint64_t iteration = 0;   // of the parent, the last one this ran in
  uint64_t runs = 0;        // in that iteration
  uint64_t iterations = 0;  // a loop's, over all its runs

  Call call = Call::MPI_Init_;
  uint32_t site = 0;
  // First and last site in code order of the events in a loop, and how many
  // levels of loops it is, itself the first; an event's own site, and 0. The
  // root has none.
  uint32_t low = 0, high = 0;
  int levels = 0;
  // An event that stands in its loop by code order, but that was come to
  // against code order, or before parts of the loop only that run earlier:
  // compilers put parts of a loop behind what follows it, so that it may as
  // well follow.
  bool may_follow = false;
  // Shared with frozen copies until it changes.
  CopyOnWrite<std::vector<Section>> params;
  Moments first_call;  // of the first occurrence
  // Times of all other occurrences, and of the first what was computed before
  // it, by predecessor in the order in which they came; behind
  // ComputeParts::kMost of them all that is left.
  struct TimesAfter {
    Predecessor after = kNoPredecessor;
    Moments first_compute;
    TimePair rest;
  };
  std::vector<std::unique_ptr<TimesAfter>> times;
  // The variant pushed last, when there is one, and how many of its last
  // occurrences are not in params yet.
  const StoredVariant* last = nullptr;
  uint64_t repeats = 0;
  // The variants of this event that are stored, and how often a call was not
  // the predicted one.
  std::vector<StoredVariant*> variants;
  uint64_t missed = 0;
  // A bit for each open parameter (see Variant), and their values that are not
  // in params yet, occurrence by occurrence.
  uint32_t open = 0;
  NumberLog literal;
  // A bit for each of the two parameters that say what was matched, and their
  // values that are not in params yet, match by match: source, tag.
  uint32_t matched = 0;
  static constexpr size_t kPerMatch = 2;
  NumberLog matches;
  // The same of the requests that a call completes of those it may
  // (CompletesSome): what came first is no part of a variant.
  uint32_t chosen = 0;
  NumberLog completed;
  // Parameters of which no values are kept, by place; empty when there are
  // none.
  std::vector<std::unique_ptr<Distribution>> distributions;

  bool is_event() const { return children.empty(); }
  size_t param_count() const { return params.get().size(); }

  // Stays where it is as long as the node.
  TimesAfter* TimesOf(Predecessor after);

  // Counts one more run in the parent's present iteration.
  void Touch() {
    const uint64_t now = parent->iterations - 1;
    if (runs != 0 && iteration != now) FlushRuns();
    iteration = now;
    ++runs;
  }
  // Moves the count of `iteration` into trips.
  void FlushRuns() {
    if (runs == 0) return;
    trips.AppendRun(0, iteration - trips.size());
    trips.Append(int64_t(runs));
    runs = 0;
  }
  bool IsOpen(size_t param) const { return (open >> param & 1) != 0; }
  // A bit for each parameter whose values are no part of a variant.
  uint32_t apart() const { return open | matched | chosen; }
  bool IsApart(size_t param) const { return (apart() >> param & 1) != 0; }
  const Distribution* DistributionOf(size_t param) const {
    return distributions.empty() ? nullptr : distributions[param].get();
  }
  // Appends values of a parameter, the list `times` times.
  void Append(size_t param, std::span<const int64_t> values, uint64_t times);
  // Brings params up to date, but for those that are apart.
  void Settle();
  // The same for those. Pauses.
  void FoldApart();
  // Keeps values of parameters that are apart: of those that are open, in
  // their order, and of matches; or all that an event has of these.
  void AppendApart(std::span<const int64_t> of_open,
                   std::span<const int64_t> of_matches);
  // Keeps a request that was completed.
  void AppendCompleted(int64_t request);
  void AppendApart(const Event& event);
  // trips with every iteration of the parent in it.
  Section AllTrips() const {
    Section all = trips;
    if (runs != 0) {
      all.AppendRun(0, iteration - all.size());
      all.Append(int64_t(runs));
    }
    all.AppendRun(0, parent->iterations - all.size());
    return all;
  }
};

}  // namespace ranksight::reduction
