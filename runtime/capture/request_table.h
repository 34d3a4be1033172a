// Requests of this rank by number, in the order made (see RequestRef in
// reduction/api/call.h). One handle may stand for several requests at once:
// some MPIs hand out a shared handle for sends that are complete already.
// Thread-safety: one caller at a time.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace ranksight::runtime {

class RequestTable {
 public:
  void Add(MPI_Request request, bool persistent);
  // References of the requests of a call, in order. *held gets what Finish
  // needs to know of them.
  struct Held {
    uint64_t key = 0;
    int64_t number = -1;  // of a non-persistent request
    bool persistent = false;
  };
  int64_t Reference(MPI_Request request, size_t nth, Held* held) const;
  // The program is done with it. A persistent request stays, unless freed.
  void Finish(const Held& held, bool freed);

 private:
  std::unordered_map<uint64_t, std::deque<int64_t>> live_;
  std::unordered_map<uint64_t, int64_t> persistent_;
  int64_t next_ = 0;
  int64_t next_persistent_ = 0;
};

}  // namespace ranksight::runtime
