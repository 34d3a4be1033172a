// Reading in a process of its own: what a library does on damaged files,
// ending the process and reading on for ever included, stays there.
//
// The child gets memory and processor time in proportion to the files; it
// inherits no other thread, so `read` must use none and print nothing.
// Thread-safety: pure functions but for the process.
#pragma once

#include <cstdint>
#include <functional>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters::otf2 {

struct ApartLimits {
  uint64_t cpu_seconds = 0;
  uint64_t memory_bytes = 0;  // beyond what this process has
};

// For an archive of so many bytes: some ten times what whole ones need on a
// slow machine, so doubling them only makes damaged ones wait longer.
ApartLimits LimitsFor(uint64_t bytes);

// What read returns. kBadInput "0: ..." when the child ends before that, kIo
// when there can be none.
reduction::Result<reduction::Trace> ReadApart(
    const ApartLimits& limits,
    const std::function<reduction::Result<reduction::Trace>()>& read);

}  // namespace ranksight::adapters::otf2
