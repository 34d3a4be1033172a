// CallTree: the loops and kinds of a program as its call paths and the steps
// between them show, over all ranks of all sizes together.
//
// What a function calls is a body: its steps are the return addresses in it,
// and steps that reach each other are a loop: one, also where the function
// nests several. Whatever comes in one go through one step is parsed as the
// body of the function called there.
//
// Invariants: every kind is a leaf once; a loop has children; the root is no
// loop. Thread-safety: value type.
#pragma once

#include <cstdint>
#include <vector>

#include "online_model/parse/streams.h"
#include "reduction/api/site.h"

namespace ranksight::online_model {

struct CallTree {
  struct Place {
    int kind = -1;  // of a leaf; -1: a loop, or the root
    std::vector<int> children;
    std::vector<int> loops;  // around it, outermost first
    // From the root down, the place among the children of each above.
    std::vector<int> path;
    // Of a loop's children: those that only ever come right behind each other
    // have the same.
    size_t chain = 0;
  };
  std::vector<Place> places;  // the root first
  std::vector<int> leaf_of;   // by kind
  // Whether any loop is begun with several chains.
  bool begins_differ = false;
  // Whether any loop has inner ones (flow_graph.h).
  bool any_inner = false;
};

// nests: inner loops are parsed as such, which they are where a function nests
// them; not where each of its iterations skips another part.
CallTree MakeCallTree(const Streams& streams, const reduction::Sites& sites,
                      bool nests);

}  // namespace ranksight::online_model
