// OpTable: reductions by the code of the trace. A user's operation becomes a
// commutative one that computes nothing; so does a predefined one that meets
// a type it does not know here.
// Thread-safety: one thread.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace ranksight::replay_engine {

class OpTable {
 public:
  OpTable();
  MPI_Op Get(int64_t code, bool predefined_type) const;
  void Free();

 private:
  std::vector<MPI_Op> predefined_;  // index is the code
  MPI_Op nothing_ = MPI_OP_NULL;
};

}  // namespace ranksight::replay_engine
