// Graphs of neighbours that are drawn: who is a neighbour of whom in what
// MPI_Dist_graph_create_adjacent and MPI_Dist_graph_create make, where lists of
// neighbours have no law.
//
// Edges are drawn as those of an exchange are (draw.h), each for both its ends:
// whom a rank has among its destinations has it among its sources. A graph that
// is the same both ways stays so. Only what all ranks of the world make
// together, each with the edges of its own, is drawn.
// Thread-safety: immutable once made. Memory: O(edges).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "online_model/twin/input_run.h"
#include "online_model/twin/size_fit.h"

namespace ranksight::online_model {

class DrawnGraphs {
 public:
  // Of one rank, ascending.
  struct Neighbours {
    std::vector<int64_t> sources, destinations;
  };

  static DrawnGraphs Of(const TwinTree& tree, std::span<const InputRun> inputs,
                        const WantedSize& wanted, uint64_t seed);

  bool empty() const { return of_node_.empty(); }
  bool Draws(int node) const { return of_node_.contains(node); }
  // Of the call that is like a run of a node at the largest input; nullptr
  // where that is not drawn.
  const Neighbours* At(int64_t rank, int node, int64_t run) const;
  // Edges of all that a node makes.
  double EdgesOf(int node) const;
  static double EdgesOf(const InputRun& input, int node);

 private:
  using Graph = std::vector<Neighbours>;       // by rank
  std::map<int, std::vector<Graph>> of_node_;  // by run
};

}  // namespace ranksight::online_model
