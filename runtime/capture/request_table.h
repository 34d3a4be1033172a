// Requests of this rank by number, in the order made (see RequestRef in
// reduction/api/call.h). One handle may stand for several requests at once:
// some MPIs hand out a shared handle for sends that are complete already.
//
// Complexity: every operation is O(1), amortised; a handle that comes again
// is found without hashing into the table.
// Thread-safety: one caller at a time.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reduction/api/call.h"
#include "runtime/capture/handle_key.h"

namespace ranksight::runtime {

class RequestTable {
 public:
  // The requests behind one handle, oldest first from `first`. Kept when it
  // is empty: handles come again, and a steady stream allocates nothing.
  struct Live {
    uint64_t key = 0;
    int64_t persistent = -1;  // its persistent number, if it is one
    std::vector<int64_t> numbers;
    size_t first = 0;
    uint64_t call = 0;    // that looked it up last,
    size_t mentions = 0;  // and how often
    size_t size() const { return numbers.size() - first; }
  };
  // Not initialised: calls have room for many and use few.
  struct Held {
    Live* live;      // nullptr: nothing to finish
    int64_t number;  // of a non-persistent request; -1
  };

  void Add(MPI_Request request, bool persistent) {
    Live& live = Find(KeyOf(request));
    if (persistent) {
      live.persistent = next_persistent_++;
    } else {
      live.persistent = -1;
      live.numbers.push_back(next_++);
    }
  }
  // Before the requests of one call are looked up.
  void BeginCall() { ++call_; }
  // The reference of the next request of the call. The k-th mention of a
  // shared handle is the k-th request behind it. *held gets what Finish
  // needs to know.
  int64_t Reference(MPI_Request request, Held* held) {
    *held = {nullptr, -1};
    if (request == MPI_REQUEST_NULL) return reduction::kRequestNull;
    Live& live = Find(KeyOf(request));
    if (live.persistent >= 0) {
      *held = {&live, -1};
      return -1 - live.persistent;
    }
    if (live.size() == 0) return reduction::kRequestNull;
    if (live.call != call_) live.mentions = 0;
    live.call = call_;
    const size_t nth = std::min(live.mentions++, live.size() - 1);
    *held = {&live, live.numbers[live.first + nth]};
    return next_ - held->number;
  }
  // The program is done with it. A persistent request stays, unless freed.
  void Finish(const Held& held, bool freed) {
    if (held.live == nullptr) return;
    if (held.number < 0) {
      if (freed) held.live->persistent = -1;
    } else if (held.live->size() == 1 &&
               held.live->numbers.back() == held.number) {
      held.live->numbers.clear();
      held.live->first = 0;
    } else {
      Erase(held.live, held.number);
    }
  }
  // Non-persistent requests made so far.
  int64_t made() const { return next_; }

 private:
  // A power of two; handles that meet in one entry are hashed. Doubling it
  // helps programs with thousands of open requests.
  static constexpr size_t kRecent = 1024;
  // Numbers of finished requests kept in front before they are dropped.
  static constexpr size_t kSlack = 16;

  Live& Find(uint64_t key) {
    Live*& recent =
        recent_[key * 0x9E3779B97F4A7C15u / (UINT64_MAX / kRecent + 1)];
    if (recent == nullptr || recent->key != key) {
      recent = &live_[key];
      recent->key = key;
    }
    return *recent;
  }
  static void Erase(Live* live, int64_t number);

  std::array<Live*, kRecent> recent_{};
  std::unordered_map<uint64_t, Live> live_;
  uint64_t call_ = 0;
  int64_t next_ = 0;
  int64_t next_persistent_ = 0;
};

}  // namespace ranksight::runtime
