// How many are together after a split whose colours have laws and whose sizes
// have none: as many as have the same colour.
//
// Told of MPI_Comm_split alone, where laws also say on which communicator it is
// called and who is in that.
// Thread-safety: immutable once made. Memory: O(ranks) for each call.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "online_model/structure/grid.h"
#include "online_model/twin/rank_run.h"

namespace ranksight::online_model {

class SizesByColor {
 public:
  // Asks the laws of every rank where there is such a call.
  static SizesByColor Of(const TwinTree& tree, const Grid& grid);

  // Of every run of the node on every rank.
  bool Tells(int node) const { return sizes_.contains(node); }
  // REQUIRES: Tells(node), and laws give the rank that run. 0 for who gets no
  // communicator.
  int64_t At(int64_t rank, int node, int64_t run) const;

 private:
  // By node and rank, its runs.
  std::map<int, std::vector<std::vector<int64_t>>> sizes_;
};

}  // namespace ranksight::online_model
