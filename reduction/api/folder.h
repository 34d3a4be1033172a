// Folder: one rank's events, folded as they come.
//
// Structure comes from call paths. A call site that comes again while the
// folder stands behind it closes a loop over everything in between, so every
// (call, site) is in the tree once, however its loop was left or which
// events an iteration skipped; arguments and trip counts play no part. They
// become sections. This is the loop-nesting tree of Havlak (1997) and
// Ramalingam (1999), built from the path taken instead of a flow graph.
//
// Invariants: expanding the tree gives the events pushed, in order; but of
// requests that calls right behind one another completed in the order in which
// they happened to come (CompletesSome), the oldest is taken to have come
// first, so that neither the size of a trace nor its laws depend on that. The
// same events give the same tree.
//
// A folder also remembers what came last, and predicts what comes next: what
// followed the last time things stood like this. As long as it is right,
// Follow costs two durations kept; sketches, sections and the tree catch up
// when it was wrong, or when somebody looks, and then whole rounds at once.
// Predicted or not, the trace is the same.
//
// Complexity: Push is O(depth of nesting + parameters) plus what
// Section::Append costs.
// Thread-safety: one folder belongs to one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "reduction/api/event.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

// One event with one combination of values, as a folder remembers it. Where
// an event's values hardly ever come again, some of its parameters are *open*:
// a variant is then one combination of the others, and each occurrence brings
// values of its own for these. What was matched (Param::kMatched, kMatchedTags)
// is never part of a variant: only for how many matches an occurrence has to
// bring source and tag. Nor is it which requests a call completed of those that
// it might have (CompletesSome), only how many.
struct Variant {
  // Of the event, whatever its values, behind this predecessor.
  TimePair* times = nullptr;
  Predecessor after = kNoPredecessor;
  uint32_t open = 0;  // a bit for each open parameter of Info(call).params
  // For the folder's user: what it takes to recognise the event.
  const void* hint = nullptr;
  uint64_t seen = 0;  // the folder's events when it came last, itself included
};

// What a folder held at one moment. Taking it costs a copy of the queue's
// counters and times; parameters are shared until either changes. Making a
// trace of it can wait, and pauses (pause.h); another thread may do so while
// the folder goes on.
class FrozenQueue {
 public:
  virtual ~FrozenQueue() = default;
  // As Folder::Snapshot at that moment.
  virtual Trace ToTrace(int64_t rank, int64_t ranks) const = 0;
};

class Folder {
 public:
  enum class Prediction { kOn, kOff };
  // no_hint: the hint of variants that were given none.
  explicit Folder(Prediction prediction = Prediction::kOn,
                  const void* no_hint = nullptr);
  ~Folder();
  Folder(Folder&&) noexcept;
  Folder& operator=(Folder&&) noexcept;

  // Registers a call site and returns its index for Event::site. Registering
  // the same frames again gives the same index. code_order must follow the
  // order of frames (used to place optional events among loops).
  uint32_t AddModule(const Module& module);
  uint32_t AddSite(const CallSite& site);

  // REQUIRES: event.Complete(), event.site from AddSite.
  // The variant pushed; nullptr when it is not remembered.
  Variant* Push(const Event& event, uint64_t compute_ns, uint64_t call_ns);

  // What is expected to be pushed next; nullptr when nothing is.
  Variant* predicted() const {
    return *front_.at == *front_.nowhere ? nullptr : *front_.at;
  }
  // Its hint; no_hint when nothing is expected.
  const void* predicted_hint() const { return (*front_.at)->hint; }
  // Makes the variant the predicted one, if it is remembered still. The trace
  // does not depend on it. What is predicted may have changed when it is not.
  bool Predict(const Variant* variant);
  // Pushes the predicted event. REQUIRES: predicted() != nullptr.
  void Follow(uint64_t compute_ns, uint64_t call_ns);
  // The same. The durations are kept as they are, in ticks of the clock, and
  // added up later. REQUIRES: HasRoom().
  void FollowInTicks(int64_t compute_ticks, int64_t call_ticks) {
    *taken_end_++ = {compute_ticks, call_ticks};
    front_.Advance();
  }
  bool HasRoom() const { return taken_end_ != taken_ + kMostTaken; }
  // Adds them up, which makes room. Done by itself before somebody looks.
  void AddUpTicks() const;
  // Whether as many have been kept as StopAt says; without it, as there is room
  // for. For a caller in a hurry, who asks nothing else.
  bool AtStop() const { return taken_end_ == stop_; }
  // Until AddUpTicks. REQUIRES: not as many are kept; n <= kMostTaken.
  void StopAt(size_t n) { stop_ = taken_ + n; }
  // Nanoseconds in a tick; 1 at first.
  void SetTickNs(double ns) { tick_ns_ = ns; }

  // What the predicted event brings, before it is pushed by Follow or
  // FollowInTicks: the values of its open parameters, in order, source and tag
  // of each of its matches, and the requests that it completed of those that it
  // might have.
  void AppendApart(std::span<const int64_t> open,
                   std::span<const int64_t> matches,
                   std::span<const int64_t> completed = {});

  // The values of the variant's parameter, by its place in Info(call).params;
  // zeros for what each occurrence brings.
  static std::span<const int64_t> ValuesOf(const Variant& variant,
                                           size_t param);
  // The event that the variant stands for.
  static Event EventOf(const Variant& variant);

  uint64_t events() const {
    return front_.remembered + front_.followed +
           static_cast<uint64_t>(taken_end_ - taken_);
  }
  // Rough bytes held.
  uint64_t memory_bytes() const;
  // Those of them that values without a rule take: what the end of a run
  // (Snapshot, writing, merging) takes time for.
  uint64_t value_bytes() const;
  // Turns amounts that follow no rule and take more room than a distribution
  // into one, from here on: what was and what comes. Bytes in total stay exact
  // (distribution.h) as long as only events are pushed for which
  // KeepsBytesExact is true. Returns how many parameters it turned.
  size_t SpareMemory();
  bool KeepsBytesExact(const Event& event) const;

  // Brings the queue up to date, as what follows does, too: right after it
  // there is little left for Freeze to do but to copy.
  void CatchUp() const;
  // The queue so far as a trace of the single rank `rank` in a world of
  // `ranks`, meta otherwise empty. The folder can go on.
  Trace Snapshot(int64_t rank, int64_t ranks) const;
  // REQUIRES: the folder outlives the result.
  std::unique_ptr<const FrozenQueue> Freeze() const;

  // Adding up many at once costs less than each at its time, between two
  // readings of the clock that wait for it. Doubling it changes nothing.
  static constexpr size_t kMostTaken = 64;

 private:
  // What came last, and the prediction: what came `distance` events ago comes
  // again. As long as it does, nothing is written: the events that follow are
  // those of the round, which are the last `distance` remembered, over and
  // over.
  struct Front {
    // Longest distance. A power of two. Doubling it predicts loops of twice
    // as many events, at 16 bytes for each.
    static constexpr uint64_t kMemory = 8192;
    // Twice over, one behind the other, so that no round is broken at its end.
    Variant** ring = nullptr;
    // Holds what stands for an event that is not remembered.
    Variant* const* nowhere = nullptr;
    uint64_t head = 0;        // place in the ring of the next one remembered
    uint64_t remembered = 0;  // events so far, but for those that followed:
    uint64_t followed = 0;    // those of them whose times have been added
    uint64_t distance = 0;    // 0: nothing is predicted
    uint64_t in_tree = 0;     // events that the tree knows of
    // The place of what is predicted, and the end of the round.
    Variant* const* at = nullptr;
    Variant* const* end = nullptr;

    [[gnu::always_inline]] void Advance() {
      if (++at == end) at -= distance;
    }
    // What came `ago` events before the next one remembered.
    Variant* Back(uint64_t ago) const { return ring[(head - ago) % kMemory]; }
    void Remember(Variant* variant) {
      variant->seen = ++remembered;
      Append(variant);
    }
    void Append(Variant* variant) {
      ring[head] = ring[head + kMemory] = variant;
      head = (head + 1) % kMemory;
    }
    // Predicts the first event of the round.
    void BeginRound() {
      end = ring + head + kMemory;
      at = distance == 0 ? nowhere : end - distance;
    }
    // Remembers what followed. REQUIRES: all times have been added.
    void Settle();
  };
  struct Impl;
  // Mutable: catching up with a prediction changes nothing that can be seen.
  mutable Front front_;
  TimePair::Ticks* taken_ = nullptr;  // of the last events
  mutable TimePair::Ticks* taken_end_ = nullptr;
  mutable TimePair::Ticks* stop_ = nullptr;
  double tick_ns_ = 1;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ranksight::reduction
