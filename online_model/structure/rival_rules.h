// Rules that give the grids of some runs as another one does, and another grid
// at the target: where there is one, the runs leave open what is there.
//
// Thread-safety: pure functions. Complexity: some thousand rules, each asked
// for the shape at each size.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "online_model/structure/dims_rule.h"
#include "online_model/structure/peers_on_grid.h"

namespace ranksight::online_model {

// A rule with one side more, which is one rank long at all these sizes and
// longer in the grid of `ranks`, and gives the shapes of `rule` but for that.
// nullopt: there is none.
std::optional<DimsRule> RuleOfHiddenSide(const DimsRule& rule,
                                         const std::vector<int64_t>& sizes,
                                         int64_t ranks);

// Whether ranks that the rule numbers row by row are numbered in Morton order
// as well at all these sizes, but not among `ranks`: where no side but the
// first is longer than two.
bool MayBeInMortonOrder(const DimsRule& rule, const std::vector<int64_t>& sizes,
                        int64_t ranks);

// What of a side is known.
enum class SideSeen {
  kRanks,   // how long it is, and which ranks are next to one another along it
  kLength,  // how long it is
};

// A rule by which, for one of these sides, there is one in all grids of these
// sizes that is alike in what is known, but not in the grid of `ranks`: who
// talks along that side alone, or counts by its length, shows no more. Other
// meshes count where the rule is one by a mesh, or there are three sizes at
// most, but not beside equal sides unless all sizes are powers of two. nullopt:
// there is none.
std::optional<DimsRule> RivalAlong(const DimsRule& rule, unsigned sides,
                                   SideSeen seen,
                                   const std::vector<int64_t>& sizes,
                                   int64_t ranks);

// Rules by the sides of this mesh, in points, that give the shapes which `rule`
// gives at these sizes. None for other than two or three sides.
std::vector<DimsRule> RulesOfMesh(const std::vector<int64_t>& mesh,
                                  const DimsRule& rule,
                                  const std::vector<int64_t>& sizes);

// Where all peers of all runs are within blocks of so many ranks in a row, or
// members of communicators the first of each, a rule whose last side is as long
// in all runs, but not in the grid of `ranks`. Where all are a half of the
// ranks away, or another part, the same of the first side. In runs in which
// ranks talk to nobody but themselves the side is one rank long. Rules by a
// mesh only of sides that are no power of two, and no other ones where `rule`
// has such a side in all runs. REQUIRES: one of `sizes` for each run.
std::optional<DimsRule> RivalOfLine(const DimsRule& rule,
                                    std::span<const SeenPeers> peers,
                                    const std::vector<int64_t>& sizes,
                                    int64_t ranks);

// Who is known to have made a program's grids.
enum class MadeBy {
  kUnknown,  // nobody looked
  kMpi,      // MPI_Dims_create made such ones
  kProgram,  // it did not
};

// Other rules that give the shapes which `rule` gives at these sizes. mesh: in
// points, what laws take for what is cut; empty where they name none. A line,
// equal sides and MPI_Dims_create, unless the program makes such itself, are
// taken at their word: only that mesh speaks against them. ranks: for which it
// is asked; whole blocks of meshes count that are fine enough for them.
std::vector<DimsRule> OtherRules(const DimsRule& rule,
                                 const std::vector<int64_t>& sizes,
                                 const std::vector<int64_t>& mesh,
                                 MadeBy made_by, int64_t ranks);

}  // namespace ranksight::online_model
