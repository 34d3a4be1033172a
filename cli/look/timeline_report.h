// One iteration as a timeline (reduction/api/timeline.h), as a table or as
// JSON. Thread-safety: pure functions but for the names.
#pragma once

#include <string>

#include "cli/symbols/site_names.h"
#include "reduction/api/status.h"
#include "reduction/api/timeline.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

// Why its times are as they are, a sentence without an end.
std::string TimelineBasis(const reduction::Timeline& timeline);

std::string TimelineText(const reduction::Trace& trace,
                         const reduction::Timeline& timeline, SiteNames* names);

// {"ranks", "share", "basis", "has_calls", "call", "site": of the first call in
// the loop, "calls": [{"call", "site"}, ...], "texts": [TEXT, ...], "lanes":
// [{"pace", "rank", "iteration", "iterations", "left_out", "compute_ns",
// "call_ns", "events": [[index into calls, index into texts, compute_ns,
// call_ns], ...]}, ...]}: computation is before the call. kNo where there is
// nothing to show.
reduction::Result<std::string> TimelineJson(const reduction::Trace& trace);

}  // namespace ranksight::cli
