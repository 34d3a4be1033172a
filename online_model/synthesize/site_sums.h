// What all ranks do at each call site: messages, bytes and pairs of ranks.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "reduction/api/event.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// Events of a trace that is walked, some seconds' worth.
inline constexpr uint64_t kMostWalked = 5'000'000;

// Call and call site, as SiteEstimate names them.
using SiteName = std::pair<std::string, std::string>;

struct SiteSums {
  reduction::Family family = reduction::Family::kEnvironment;
  // Of point-to-point calls those sent, of collectives what ranks give.
  double messages = 0, bytes = 0;
  std::set<std::pair<int64_t, int64_t>> pairs;
  // Of all events, in the order of ranks, and of each rank's.
  uint64_t hash = 0;
};
using SumsBySite = std::map<SiteName, SiteSums>;

// Adds what the rank does in one call at the site.
void AddEvent(int64_t rank, const reduction::Event& event, SiteSums* site);

// Complexity: O(events). kNo where there are more than kMostWalked.
reduction::Result<SumsBySite> SumSites(const reduction::Trace& trace);

}  // namespace ranksight::online_model
