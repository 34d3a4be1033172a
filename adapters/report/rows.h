// What tables and reports say: one row for each call at each call site.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/api/adapter.h"

namespace ranksight::adapters::report {

struct Row {
  std::string_view call;
  uint32_t number = 0;  // of the call site in the trace
  std::string site;     // innermost frame first
  uint64_t count = 0;
  int64_t sent = 0, received = 0;      // bytes, all ranks
  double call_ns = 0, compute_ns = 0;  // sums over all ranks
  double least_ns = 0, most_ns = 0;    // of one call
};

// In the order of the tree; counts events. Walks every rank.
reduction::Result<std::vector<Row>> Rows(const reduction::Trace& trace,
                                         Conversion* conversion);

}  // namespace ranksight::adapters::report
