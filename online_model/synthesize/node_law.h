// Laws for a whole tree, found on aligned traces and turned into a trace.
// Thread-safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "online_model/api/extrapolate.h"
#include "online_model/structure/sequence_law.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// One node: its trip counts, its parameters, its children.
struct NodeLaw {
  SequenceLaw trips;
  std::vector<SequenceLaw> params;
  // A parameter that no rank of any input ever had a value for.
  std::vector<bool> absent;
  // Only from FindLawsThatThereAre: what has no law. Below a node whose trips
  // have none, a law is a constant of all ranks.
  bool trips_missing = false;
  std::vector<bool> missing;
  std::vector<NodeLaw> children;
};

// Calls f(const ScalarLaw&) for all laws that a sequence is made of.
template <class F>
void ForEachScalarLaw(const SequenceLaw& law, const F& f) {
  for (const ScalarLaw& v : law.prefix) f(v);
  for (const ScalarLaw& v : law.values) f(v);
  if (law.HasLength()) f(law.length);
}

// Of a whole tree.
template <class F>
void ForEachScalarLaw(const NodeLaw& root, const F& f) {
  ForEachScalarLaw(root.trips, f);
  for (const SequenceLaw& p : root.params) ForEachScalarLaw(p, f);
  for (const NodeLaw& child : root.children) ForEachScalarLaw(child, f);
}

// Calls f(const Expression&) for all that a law is made of.
template <class F>
void ForEachExpression(const ScalarLaw& law, const F& f) {
  if (law.expression != nullptr) ForEachExpression(*law.expression, f);
  if (law.otherwise != nullptr) ForEachExpression(*law.otherwise, f);
}

// The same request for a search that is so much of what is told, from `from`
// on.
ExtrapolationRequest PartOf(const ExtrapolationRequest& request, double from,
                            double part);

// traces: aligned (reduction::Align). grids: one for each trace, its ranks
// laid out. kNo names the first call site and parameter without a law; *found
// then says how many had one before it. How laws may be found is the request's.
// parsed: the tree is one that ParseAgain made; what levels laws behind the
// first that is missing show is then looked at, too. certain: see SearchSpace.
reduction::Result<NodeLaw> FindLaws(std::span<const reduction::Trace> traces,
                                    std::span<const Grid> grids,
                                    const ExtrapolationRequest& request,
                                    bool parsed, bool certain, uint64_t* found);

// The same, but what has no law is marked so, and the others are found.
// without: laws of the same tree, found on some of these traces; what is
// missing there is not searched again, for a law of all would hold at some.
NodeLaw FindLawsThatThereAre(std::span<const reduction::Trace> traces,
                             std::span<const Grid> grids,
                             const ExtrapolationRequest& request,
                             const NodeLaw* without = nullptr);

// Trip counts and parameters that have a law.
uint64_t CountLaws(const NodeLaw& law);

// Length of the description of all laws, each said once (ScalarLaw::cost).
double CostOf(const NodeLaw& law);

// Whether any number follows from the number of ranks shifted by some bits,
// as quadratic growth does by accident at a few sizes.
bool ShiftsRanks(const NodeLaw& law);

// Whether they hold at powers of two only: some work on the bits of ranks or
// count stages, and these grids, which they were found on, all are such.
bool OnlyPowersOfTwo(const NodeLaw& root, std::span<const Grid> grids);

// Of each side of these grids the one length at which the laws hold, as some
// work with sides and all grids have that; 0 where they hold at any. like: the
// tree they are for.
std::vector<int64_t> OnlySides(const NodeLaw& root, const reduction::Node& like,
                               std::span<const Grid> grids);

// The tree that the laws give on a grid; structure from `like`, times left
// empty. Nodes that no rank runs are left out. kNo, naming the node by its
// site, a rank and the size, when a law gives no number or a negative trip
// count.
reduction::Result<reduction::Node> Instantiate(const NodeLaw& law,
                                               const reduction::Node& like,
                                               const reduction::Sites& sites,
                                               const Grid& grid);

// The same as a trace with the call sites of `like`, which says nothing of its
// run but how many ranks it has.
reduction::Result<reduction::Trace> InstantiateTrace(
    const NodeLaw& law, const reduction::Trace& like, const Grid& grid);

// "MPI_Send at app+0x12: peer = ..." for every event and parameter.
void DescribeLaws(const NodeLaw& law, const reduction::Node& like,
                  const reduction::Sites& sites,
                  std::vector<std::string>* lines);

}  // namespace ranksight::online_model
