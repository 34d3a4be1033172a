// Traces of rank counts that nobody ran, as the commands make them: by laws, or
// else a twin whose ranks get to their end.
// Thread-safety: pure functions.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "cli/base/progress.h"
#include "online_model/api/extrapolate.h"
#include "online_model/api/twin.h"

namespace ranksight::cli {

// A twin (online_model/api/twin.h); kNo also where its ranks would wait for one
// another for ever, or its collectives would not go together. *maker: what made
// it, where laws could be searched. progress: told each step; nullptr: nobody.
reduction::Result<online_model::Extrapolation> MakeCheckedTwin(
    std::span<const reduction::Trace> inputs,
    const online_model::ExtrapolationRequest& request,
    std::shared_ptr<online_model::TwinMaker>* maker,
    Progress* progress = nullptr);

// Ends a search for laws after so many seconds of processor time from now, so
// that what else runs on the machine changes no answer; 0: never.
online_model::Stop StopAfter(double seconds);

// How the hint below begins: it goes on after the reason of the laws.
inline constexpr std::string_view kNotEstimatedEither =
    "; not estimated either: ";

// By laws; where these hold and do not tell the target's grid, by the likelier
// one (estimate_by_shape.h); else a twin. Where that is refused, too, the
// reason of the laws; *hint: ", not estimated either" and why. limit_seconds:
// of each of the two searches for laws; 0: none. *maker: as above, for who goes
// on with a twin. progress: as above.
reduction::Result<online_model::Extrapolation> ExtrapolateOrTwin(
    std::span<const reduction::Trace> inputs,
    online_model::ExtrapolationRequest request, double limit_seconds,
    std::string* hint, std::shared_ptr<online_model::TwinMaker>* maker,
    Progress* progress = nullptr);

}  // namespace ranksight::cli
