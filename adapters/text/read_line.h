// LineReader: a line of canonical event text as an event. Sizes become
// elements of one byte; requests are null, because the text has none.
// Thread-safety: one reader, one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reduction/api/event.h"
#include "reduction/api/status.h"

namespace ranksight::adapters {

class LineReader {
 public:
  // kBadInput with what is wrong, as a number beyond reduction::kLargestKept.
  // event->site is not set.
  reduction::Status Read(std::string_view line, reduction::Event* event);
  // A number for the call and the constant part of the line last read.
  uint64_t site() const { return site_; }

 private:
  uint64_t site_ = 0;
};

}  // namespace ranksight::adapters
