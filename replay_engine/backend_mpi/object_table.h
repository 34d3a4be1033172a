// The windows, files and sessions of this rank by the number of the trace.
//
// Thread-safety: one thread.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>

#include "reduction/api/status.h"
#include "replay_engine/backend_mpi/comm_table.h"

namespace ranksight::replay_engine {

struct WindowEntry {
  MPI_Win handle = MPI_WIN_NULL;
  Members members;
  std::unique_ptr<char[]> memory;  // that MPI did not allocate
  std::deque<std::unique_ptr<char[]>> attached;
};

struct FileEntry {
  MPI_File handle = MPI_FILE_NULL;
};

#if MPI_VERSION >= 4
struct SessionEntry {
  MPI_Session handle = MPI_SESSION_NULL;
};
#endif

template <class Entry>
class ObjectTable {
 public:
  explicit ObjectTable(const char* what) : what_(what) {}
  Entry& Add(int64_t number) { return entries_[number]; }
  // kBadInput when there is none of this number.
  reduction::Result<Entry*> Find(int64_t number) {
    const auto it = entries_.find(number);
    if (it != entries_.end()) return &it->second;
    return reduction::Status::BadInput(std::string(what_) + " " +
                                       std::to_string(number) +
                                       " was made by no call of the trace");
  }
  void Remove(int64_t number) { entries_.erase(number); }

 private:
  const char* what_;
  std::unordered_map<int64_t, Entry> entries_;
};

}  // namespace ranksight::replay_engine
