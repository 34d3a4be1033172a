// EventValues: the parameters of one node's events on one rank, one event after
// the other. Most events of a node differ from the one before in a few values
// only, or in none: how many such follow is found once for all of them, and
// then those values alone are read.
//
// Invariants: the values are those of the sections, whatever is passed over.
// Complexity: a step is O(values that may differ); what was passed over is
// caught up with where a run of such events ends, O(1) a value.
// Thread-safety: as thread-safe as int.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reduction/api/event.h"
#include "reduction/api/section.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

// Where among a call's parameters that stands which says how long an array is.
size_t LengthPlace(Call call, size_t array);

// A section from its beginning, a run of equal values at a time.
class RunValues {
 public:
  explicit RunValues(const Section* section)
      : section_(section), next_(section) {}
  uint64_t left() const { return next_.left() + run_; }
  // REQUIRES: left() > 0.
  int64_t Next() {
    if (run_ == 0) value_ = next_.NextRun(&run_);
    --run_;
    return value_;
  }
  // REQUIRES: values <= left().
  void Pass(uint64_t values);
  // How many of the next blocks of `length` values are known to be like the
  // last one. REQUIRES: the last `length` values were one block.
  uint64_t BlocksLikeLast(uint64_t length) const;

 private:
  const Section* section_;
  SectionCursor next_;
  int64_t value_ = 0;
  uint64_t run_ = 0;  // how often the value is still to come
};

class EventValues {
 public:
  // Where an event is put together; one serves all nodes.
  struct Space {
    std::vector<int64_t> values;
    std::vector<uint32_t> offsets;
    Event wide;  // of more values than a node keeps
  };

  // Begins with the first event. node and sections, those of the rank by
  // parameter, outlive it and do not change; not copied from then on.
  void Begin(const Node* node, const std::vector<Section>& sections);
  // The next event, valid until any node's next; null where a parameter ends
  // early: then *parameter is its place.
  Event* Next(Space* space, size_t* parameter) {
    if (alike_ == 0) return Read(space, parameter);
    --alike_;
    for (const Part& part : moving_) {
      for (uint32_t i = 0; i < part.count; ++i) part.at[i] = part.from->Next();
    }
    return &event_;
  }

 private:
  // A parameter in event_.
  struct Part {
    RunValues* from;
    int64_t* at;
    uint32_t count;
  };

  Event* Read(Space* space, size_t* parameter);
  bool ReadParameter(size_t i, Space* space);
  void CatchUp();
  void LookAhead();
  bool HasSteadyLength(size_t i) const;

  const Node* node_ = nullptr;
  const std::vector<int8_t>* length_places_ = nullptr;
  std::vector<RunValues> params_;
  Event event_;
  uint64_t alike_ = 0;   // events to come that differ in moving_ alone
  uint64_t passed_ = 0;  // values of each of still_ that were not read, events
  int wait_ = 0;         // events until it is worth looking ahead again
  std::vector<Part> moving_, still_;
};

}  // namespace ranksight::reduction
