// RequestTable: the requests that are not yet complete, by number.
//
// Recent numbers, which is nearly all, lie in a ring; those overtaken by a
// newer one move to a map.
//
// Complexity: O(1). Memory grows with what is outstanding.
// Thread-safety: one thread.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ranksight::replay_engine {

// Arguments of collectives with a count for each rank. MPI reads them until
// the operation completes.
struct VectorArguments {
  std::vector<int> counts, places;
  std::vector<int> receive_counts, receive_places;
  // The same places for MPI_Neighbor_alltoallw, which wants them wide.
  std::vector<MPI_Aint> byte_places, receive_byte_places;
  std::vector<MPI_Datatype> types, receive_types;
};

struct RequestEntry {
  MPI_Request handle = MPI_REQUEST_NULL;
  std::unique_ptr<VectorArguments> arguments;
};

class RequestTable {
 public:
  RequestTable() : ring_(kRingSize) {}
  // A null handle is not kept. REQUIRES: number >= 0, not in the table.
  void Put(int64_t number, RequestEntry entry);
  // Takes the entry out; a null one when there is none.
  RequestEntry Take(int64_t number);
  // Takes all out, in no order.
  std::vector<RequestEntry> TakeAll();

 private:
  static constexpr size_t kRingSize = 1024;  // more only saves map look-ups
  struct Slot {
    int64_t number = -1;
    RequestEntry entry;
  };
  Slot& SlotOf(int64_t number) {
    return ring_[static_cast<size_t>(number) % kRingSize];
  }
  std::vector<Slot> ring_;
  std::unordered_map<int64_t, RequestEntry> overtaken_;
};

}  // namespace ranksight::replay_engine
