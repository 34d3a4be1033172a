// One rank's queue as it was before it was merged, out of the merged tree.
//
// Merging leaves every rank's stream as it is, but not its tree: what ran
// once here and is a loop elsewhere gets a loop of one iteration, and a rank
// that runs one call of a loop only has iterations that are the others'. Here
// both are taken away again: a loop that the rank never runs twice in one
// visit is none on that rank, nor is one around a single node. What is left
// does not depend on what the rank was merged with, or when.
//
// Complexity: the nodes, times the ranks of those that not all ranks run
// alike.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reduction/api/trace.h"

namespace ranksight::reduction {

// A node as one rank runs it.
struct RankNode {
  const Node* node;  // of the merged tree
  Section trips;     // of the rank, by iterations of the RankNode above
  std::vector<RankNode> children;
};

// The normal form of a rank. Its root has no trips. Pauses.
RankNode NormalForm(const Node& root, int64_t rank);

// The loops of the merged tree that are loops in a normal form, and how many
// events stand in each of them.
using OwnLoops = std::unordered_map<const Node*, size_t>;
OwnLoops OwnLoopsOf(const RankNode& form);

// The children of a loop of the merged tree in the normal form of a rank, but
// not what stands in its own loops. The trips of those that are children in
// the merged tree as well are left out: they are the same. own: of a rank of
// the same class. Pauses.
std::vector<RankNode> NormalChildren(const Node& loop, int64_t rank,
                                     const OwnLoops& own);

// Whether both have the same events in the same places.
bool SameForm(const RankNode& a, const RankNode& b);

// The ranks 0..ranks-1 in classes that run the same nodes, and of these the
// same loops more than once in a visit; by least rank. So all of a class have
// the same form, and may share it with another class. Pauses.
std::vector<std::vector<int64_t>> ClassesOf(const Node& root, int64_t ranks);

}  // namespace ranksight::reduction
