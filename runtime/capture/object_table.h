// Numbers of MPI objects (windows, files, sessions) in the order this rank
// obtained them. Thread-safety: one caller at a time.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reduction/api/call.h"
#include "runtime/capture/handle_key.h"

namespace ranksight::runtime {

class ObjectTable {
 public:
  // Whether those added from now on get a number.
  void Count(bool on) { counts_ = on; }
  template <class Handle>
  void Add(Handle handle) {
    numbers_[KeyOf(handle)] = counts_ ? next_++ : reduction::kNone;
  }
  // kNone for a handle never obtained, or given up.
  template <class Handle>
  int64_t Number(Handle handle) const {
    const auto it = numbers_.find(KeyOf(handle));
    return it == numbers_.end() ? reduction::kNone : it->second;
  }
  // Its number.
  template <class Handle>
  int64_t Forget(Handle handle) {
    const int64_t number = Number(handle);
    numbers_.erase(KeyOf(handle));
    return number;
  }
  // What was forgotten.
  template <class Handle>
  void PutBack(Handle handle, int64_t number) {
    if (number != reduction::kNone) numbers_[KeyOf(handle)] = number;
  }

 private:
  std::unordered_map<uint64_t, int64_t> numbers_;
  int64_t next_ = 0;
  bool counts_ = true;
};

// Windows, and the world ranks of those they reach.
class WindowTable {
 public:
  void Count(bool on) { numbers_.Count(on); }
  // world_ranks: of the window's group.
  void Add(MPI_Win window, std::vector<int64_t> world_ranks) {
    numbers_.Add(window);
    ranks_[KeyOf(window)] = std::move(world_ranks);
  }
  int64_t Number(MPI_Win window) const { return numbers_.Number(window); }
  // Of a rank in the window; special ranks translated.
  int64_t WorldRank(int rank, MPI_Win window) const;
  struct Known {
    int64_t number;
    std::vector<int64_t> ranks;
  };
  Known Forget(MPI_Win window) {
    const auto ranks = ranks_.extract(KeyOf(window));
    return {numbers_.Forget(window),
            ranks ? ranks.mapped() : std::vector<int64_t>()};
  }
  void PutBack(MPI_Win window, const Known& known) {
    numbers_.PutBack(window, known.number);
    if (known.number != reduction::kNone) ranks_[KeyOf(window)] = known.ranks;
  }

 private:
  ObjectTable numbers_;
  std::unordered_map<uint64_t, std::vector<int64_t>> ranks_;
};

}  // namespace ranksight::runtime
