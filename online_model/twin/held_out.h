// The gate: the largest input, drawn from the others, must be about as it is.
// Thread-safety: pure functions.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "online_model/twin/plan.h"
#include "online_model/twin/twin_trace.h"

namespace ranksight::online_model {

// Errors of a site at the held-out size: relative, and how much was drawn where
// there is none, or is there where none was drawn, of which no share says
// anything.
struct HeldOut {
  double messages = 0, bytes = 0, partners = 0;
  SiteTraffic of_none;
};
using HeldOutBySite = std::map<SiteKey, HeldOut>;

struct DrawnHeldOut {
  HeldOutBySite off;
  // kNo where an exchange is half off or more and with it the whole program is.
  reduction::Status messages;
  // kNo where what parts of the ranks call, or a graph, is half off or more.
  reduction::Status parts;
};

// Draws an input, which `is` is, from those that are smaller. Lengths of
// messages may be more than half off where these are short either way.
reduction::Result<DrawnHeldOut> DrawHeldOut(
    const TwinTree& tree, const reduction::Trace& last, const InputRun& is,
    const Grid& grid, std::vector<InputRun>* smaller, uint64_t seed);

// Of every call site of which something has no law, with what was drawn; half
// widths are what the fit says, or what the held-out run was off; where amounts
// come to nothing as in no run, all of it (LawsThatHold::vanishing).
std::vector<reduction::SiteEstimate> EstimatesOf(
    const TwinTree& tree, const TwinPlan& plan,
    std::span<const InputRun> inputs, const reduction::Sites& sites,
    const MadeTwin& made, const HeldOutBySite& off,
    const std::set<SiteKey>& vanishing);

}  // namespace ranksight::online_model
