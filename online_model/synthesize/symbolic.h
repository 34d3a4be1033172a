// Traces made from laws, and traces that carry them.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "online_model/api/extrapolate.h"
#include "online_model/structure/peers_on_grid.h"
#include "online_model/synthesize/law_code.h"

namespace ranksight::online_model {

// kNo where they work on bits, seen at powers of two only, and this is none.
reduction::Status CheckRankCount(const SymbolicLaws& laws, int64_t ranks);

// kNo where one of other rules, which lay out all runs alike, has another shape
// for the request's ranks (rival_rules.h). sizes: of the runs.
reduction::Status CheckOtherRules(const DimsRule& rule,
                                  std::span<const DimsRule> others,
                                  std::span<const int64_t> sizes,
                                  const ExtrapolationRequest& request);

// kNo where a side is as long in all runs and another at a target of these
// sides, so that laws may take it for a number.
reduction::Status CheckSides(const SymbolicLaws& laws,
                             const std::vector<int64_t>& dims);

// Whether nobody need tell the rule from others: a line, what the user or the
// program said.
bool IsGridKnown(const DimsRule& rule, std::span<const reduction::Trace> traces,
                 const ExtrapolationRequest& request);

// kNo where peers are along some sides of the grid alone, and another rule has
// these sides, too, in all runs, but others at the target. peers: of each trace
// (see_peers.h).
reduction::Status CheckSidesTaken(const DimsRule& rule,
                                  std::span<const reduction::Trace> traces,
                                  std::span<const SeenPeers> peers,
                                  const ExtrapolationRequest& request);

// kNo where ranks have themselves, or nobody, for a neighbour along a side that
// is one rank long in all runs, and the grid may have more there at the target.
reduction::Status CheckHiddenSide(const DimsRule& rule,
                                  std::span<const reduction::Trace> traces,
                                  std::span<const SeenPeers> peers,
                                  const ExtrapolationRequest& request);

// kNo where laws count by the length of a side that no peers are along, and
// another rule has one as long in all runs, but not at the target.
reduction::Status CheckSidesUsed(const SymbolicLaws& laws,
                                 std::span<const reduction::Trace> traces,
                                 std::span<const SeenPeers> peers,
                                 const ExtrapolationRequest& request);

// The shape of the request's rank count. about: the largest run. kNo with sizes
// near it where the laws hold for none such, and where another rule that lays
// out all runs alike has another shape for it.
reduction::Result<std::vector<int64_t>> TargetDims(
    const SymbolicLaws& laws, const reduction::Meta& about,
    const ExtrapolationRequest& request);

// The trace that the laws give at the request's rank count. base: the tree
// they are for, with the times that the ladder is relative to. *dims: its
// shape.
reduction::Result<reduction::Trace> MakeTrace(
    const SymbolicLaws& laws, const reduction::Trace& base,
    const ExtrapolationRequest& request, std::vector<int64_t>* dims);

// Whether the messages of `made` go together (message_check.h), or where these
// are too many, those of sizes on the way, at least of the nearest, or where
// there is none. recorded: one of the inputs.
// Complexity: as kMostChecked events, or a few times those of the inputs.
reduction::Status CheckTogether(const SymbolicLaws& laws,
                                const reduction::Trace& base,
                                const ExtrapolationRequest& request,
                                const reduction::Trace& made,
                                const reduction::Trace& recorded);

// Makes of an input's meta that of a run on so many ranks which nobody made.
void MarkAsMadeAt(int64_t ranks, reduction::Meta* meta);

// What Extrapolate finds, and the inputs in the tree that the laws are for, one
// for each size, ascending.
struct FoundLaws {
  SymbolicLaws laws;
  std::vector<reduction::Trace> traces;
};
reduction::Result<FoundLaws> FindSymbolicLaws(
    std::span<const reduction::Trace> inputs,
    const ExtrapolationRequest& request);

// What Extrapolate says of these traces where these are their laws. traces:
// ascending by rank count, in the laws' tree. REQUIRES: the rule holds at each.
reduction::Result<Extrapolation> ExtrapolateBy(
    const SymbolicLaws& laws, std::span<const reduction::Trace> traces,
    const ExtrapolationRequest& request);

// base with the laws attached.
reduction::Trace AttachLaws(const SymbolicLaws& laws,
                            const reduction::Trace& base);

// Gives traces that its laws make these times. REQUIRES: the ladder has the
// events of the tree. kBadInput where the trace carries no laws that belong to
// it, kNo where `own` lacks one of them.
reduction::Status SetLadder(TimeLadder ladder, const OwnLaws& own,
                            reduction::Trace* symbolic);

// Rank counts for such a ladder: the measured ones, and doublings of the
// largest up to `most`, or the grids nearest to these.
reduction::Result<std::vector<int64_t>> LadderSteps(
    const reduction::Trace& symbolic, const OwnLaws& own,
    std::vector<int64_t> measured, int64_t most);

}  // namespace ranksight::online_model
