// How a twin's call sites are like those of a real run: not call by call, as
// its partners are drawn, but how much there is and how it is spread over
// ranks. Thread-safety: pure functions. Complexity: O(events of both).
#pragma once

#include <string>
#include <vector>

#include "cli/base/json.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

// One quantity at a call site, on all ranks of A and of B.
struct Spread {
  double a = 0, b = 0;  // sums
  double off = 0;       // |a - b| / b; 1 where b alone is 0
  // How far ranks are from one another once both are sorted, against the mean
  // of B: 0 where as many ranks have as much each.
  double apart = 0;
};

struct SiteSpread {
  std::string call, site;
  bool estimated = false;  // in A or B
  // Calls, but for messages to or from nobody; bytes sent, or received where it
  // only receives; pairs of ranks.
  Spread calls, bytes, partners;
};

// Whether call sites of it are estimated.
inline bool IsTwin(const reduction::Trace& trace) {
  return !trace.meta.estimates.empty();
}

// One for each call site of either, by site. REQUIRES: as many ranks in both.
reduction::Result<std::vector<SiteSpread>> SpreadsOf(const reduction::Trace& a,
                                                     const reduction::Trace& b);

// A table; ~ marks what is estimated.
std::string SpreadsText(const std::vector<SiteSpread>& spreads);
// The array of the sites.
void WriteSpreads(const std::vector<SiteSpread>& spreads, JsonWriter* json);

}  // namespace ranksight::cli
