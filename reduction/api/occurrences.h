// Occurrences: walks the occurrences of one event of the tree on one rank,
// without the events around it.
//
// REQUIRES: the node outlives it and does not change.
// Thread-safety: one object, one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/api/comm_sizes.h"
#include "reduction/api/event.h"
#include "reduction/api/section.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

class Occurrences {
 public:
  // sizes: the rank's, for events that give shares (event.h); may be null
  // otherwise, and outlives it.
  Occurrences(const Node& node, int64_t rank, const CommSizes* sizes = nullptr);
  Occurrences(const Occurrences&) = delete;
  Occurrences& operator=(const Occurrences&) = delete;

  // Moves to the next one; false at the end, or where a parameter runs out
  // (a trace that contradicts itself; Cursor reports that).
  bool Next();
  const Event& event() const { return event_; }

 private:
  const Node& node_;
  const CommSizes* const sizes_;
  std::vector<Section> sections_;
  std::vector<SectionCursor> cursors_;
  std::vector<int64_t> values_;
  uint64_t left_ = 0;
  Event event_;
};

}  // namespace ranksight::reduction
