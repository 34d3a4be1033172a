// LineReader: a line of canonical event text as an event. Sizes become
// elements of one byte; requests are null, because the text has none.
// Thread-safety: one reader, one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "reduction/api/comm_sizes.h"
#include "reduction/api/event.h"
#include "reduction/api/status.h"

namespace ranksight::adapters {

// "any", "null", "root", "none" or a number that a trace can hold, as the text
// says values; tag: of a field that is a tag.
bool ReadValue(std::string_view text, bool tag, int64_t* value);

class LineReader {
 public:
  // sizes: of the communicators that the rank has before the first line.
  explicit LineReader(reduction::CommSizes sizes) : sizes_(std::move(sizes)) {}
  // kBadInput with what is wrong, as a number beyond reduction::kLargestKept.
  // event->site is not set. REQUIRES: lines are read in their order; they name
  // communicators that others made.
  reduction::Status Read(std::string_view line, reduction::Event* event);
  // A number for the call and the constant part of the line last read.
  uint64_t site() const { return site_; }

 private:
  int64_t ShareOf(const reduction::Event& event, int64_t bytes) const;

  reduction::CommSizes sizes_;
  uint64_t site_ = 0;
};

}  // namespace ranksight::adapters
