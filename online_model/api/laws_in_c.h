// The laws of a symbolic trace as C expressions, for programs that are as
// large as the run they are started in.
//
// They name `rank`, `ranks`, the sides d0, ... and coordinates x0, ... of the
// grid, and in sequences the place k of n; and call small functions (block,
// neighbour, floor_div, ...), which whoever writes the program provides.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

struct LawInC {
  // One value at all times; k and n are the iteration of loop number `loop`
  // around the node, outermost first, and how often that goes round. Where
  // several runs of an iteration differ, j says which it is, from 0.
  std::string value;
  bool of_run = false;  // value names j
  int step = 1;         // so many iterations are one
  int loop = -1;
  // Or a sequence, where value is empty: `firsts` values, then one after the
  // other at the n = `period` places k, again and again. Without a period k
  // counts the places of each call's array, and n is its length.
  int64_t firsts = 0;
  std::string first, place, period;
  // No rank ever had a value.
  bool absent = false;
};

struct LawsInC {
  struct Node {
    LawInC trips;
    std::vector<LawInC> params;  // of an event, as Info(call).params
    // Of an event: at growth_ranks, how many times as long as recorded it is
    // computed before; between them it follows a power of the rank count.
    std::vector<double> growth;
    // The same behind each predecessor of its rest_after, where that is apart.
    std::vector<std::vector<double>> growth_after;
  };
  std::vector<int64_t> growth_ranks;  // ascending
  std::string lists;  // definitions of neighbour lists that laws name
  std::string shape;  // a call that lays out the ranks
  bool powers_of_two = false;
  std::vector<Node> nodes;  // in preorder, the root left out
};

// kNo naming the first law that has no form in C: laws of the user's own.
reduction::Result<LawsInC> ToC(const reduction::Trace& symbolic);

}  // namespace ranksight::online_model
