// Occurrences: walks the occurrences of one event of the tree on one rank,
// without the events around it.
//
// REQUIRES: the node outlives it and does not change.
// Thread-safety: one object, one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "reduction/api/event.h"
#include "reduction/api/section.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

class Occurrences {
 public:
  Occurrences(const reduction::Node& node, int64_t rank);
  Occurrences(const Occurrences&) = delete;
  Occurrences& operator=(const Occurrences&) = delete;

  // Moves to the next one; false at the end, or where a parameter runs out
  // (a trace that contradicts itself; Cursor reports that).
  bool Next();
  const reduction::Event& event() const { return event_; }

 private:
  const reduction::Node& node_;
  std::vector<reduction::Section> sections_;
  std::vector<reduction::SectionCursor> cursors_;
  std::vector<int64_t> values_;
  uint64_t left_ = 0;
  reduction::Event event_;
};

}  // namespace ranksight::cli
