// Requests of this rank by number, in the order made (see RequestRef in
// reduction/api/call.h). One handle may stand for several requests at once:
// some MPIs hand out a shared handle for sends that are complete already.
// Thread-safety: one caller at a time.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ranksight::runtime {

class RequestTable {
 public:
  void Add(MPI_Request request, bool persistent);
  struct Held {
    uint64_t key = 0;
    int64_t number = -1;  // of a non-persistent request
    bool persistent = false;
  };
  // Before the requests of one call are looked up.
  void BeginCall() { ++call_; }
  // The reference of the next request of the call. The k-th mention of a
  // shared handle is the k-th request behind it. *held gets what Finish
  // needs to know. Amortised O(1).
  int64_t Reference(MPI_Request request, Held* held);
  // The program is done with it. A persistent request stays, unless freed.
  void Finish(const Held& held, bool freed);

 private:
  // The requests behind one handle, oldest first from `first`. Kept when it
  // is empty: handles come again, and a steady stream allocates nothing.
  struct Live {
    std::vector<int64_t> numbers;
    size_t first = 0;
    uint64_t call = 0;    // that looked it up last,
    size_t mentions = 0;  // and how often
    size_t size() const { return numbers.size() - first; }
    void Erase(int64_t number);
  };
  std::unordered_map<uint64_t, Live> live_;
  std::unordered_map<uint64_t, int64_t> persistent_;
  uint64_t call_ = 0;
  int64_t next_ = 0;
  int64_t next_persistent_ = 0;
};

}  // namespace ranksight::runtime
