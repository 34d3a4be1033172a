// TypeTable: datatypes for what a trace says about them. Predefined types
// are themselves; derived ones become bytes of the same size and extent.
//
// Invariants: types are made once and live until FreeAll.
// Thread-safety: one thread.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::replay_engine {

// A type as events carry it (see reduction/api/call.h).
struct TypeDescription {
  int64_t kind = 0;
  int64_t size = 0;
  int64_t excess = 0;
};

struct Layout {
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
  int64_t extent = 1;      // bytes from one element to the next, >= 0
  uint64_t span = 0;       // bytes of memory that all elements cover
  bool predefined = true;  // the recorded predefined type
};

class TypeTable {
 public:
  TypeTable();
  // Elements of a type; counts above INT_MAX become one larger element.
  // kBadInput when negative or absurd.
  reduction::Result<Layout> Get(int64_t count, const TypeDescription& type);
  void FreeAll();

 private:
  struct Predefined {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int64_t size = -1;
    int64_t extent = 0;
  };
  reduction::Result<MPI_Datatype> Derived(int64_t size, int64_t extent);
  reduction::Result<MPI_Datatype> Large(int64_t count, MPI_Datatype element,
                                        int64_t extent);

  std::vector<Predefined> predefined_;  // index is the code
  std::map<std::pair<int64_t, int64_t>, MPI_Datatype> derived_;
  std::map<std::tuple<int64_t, MPI_Datatype>, MPI_Datatype> large_;
};

}  // namespace ranksight::replay_engine
