// Nesting: loops that the call paths show as one and the events as two.
//
// A function that runs through stages and is called in each step of a loop that
// calls nothing else leaves one loop of steps x stages. Where what all ranks do
// repeats itself within such a loop at all sizes, after as many iterations or
// more at larger ones, the iterations that repeat are a loop of their own. And
// one that sends in pieces, called for one neighbour and then for the next,
// leaves one loop of all pieces: those in a row that reach the same ranks are a
// loop.
// Thread-safety: pure functions.
// Complexity: O(events) for each loop and each divisor of its length.
#pragma once

#include <vector>

#include "online_model/parse/call_tree.h"
#include "online_model/parse/numbering.h"
#include "online_model/parse/streams.h"

namespace ranksight::online_model {

// By trace, rank and event: see NumberIterations.
using Numbers = std::vector<std::vector<Iterations>>;

// Puts a loop around each loop of the tree that repeats itself, and numbers the
// events anew. numbers: of each trace of the streams.
void NestRepeated(const Streams& streams, CallTree* tree,
                  std::vector<Numbers>* numbers);

// The same where each rank has iterations of its own, and repeats what it does
// after another number of them: all as often, at all sizes. False where no rank
// does.
bool NestRepeatedOfRanks(const Streams& streams, CallTree* tree,
                         std::vector<Numbers>* numbers);

// The same for loops of which iterations in a row reach the same ranks; false
// where there are none.
bool NestRuns(const Streams& streams, CallTree* tree,
              std::vector<Numbers>* numbers);

}  // namespace ranksight::online_model
