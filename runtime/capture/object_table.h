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
  template <class Handle>
  void Forget(Handle handle) {
    numbers_.erase(KeyOf(handle));
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
  void Forget(MPI_Win window) {
    numbers_.Forget(window);
    ranks_.erase(KeyOf(window));
  }

 private:
  ObjectTable numbers_;
  std::unordered_map<uint64_t, std::vector<int64_t>> ranks_;
};

}  // namespace ranksight::runtime
