// Begun: what the requests of a rank stand for until they are completed.
// Numbers of requests that are not persistent only grow, so that those at hand
// are a sorted list.
//
// Complexity: O(log requests at hand). Thread-safety: as int.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "replay_engine/api/backend.h"
#include "replay_engine/progress/mailbox.h"

namespace ranksight::replay_engine {

class Begun {
 public:
  static constexpr Mailbox::Id kNothing = UINT64_MAX;
  // A receive, a send, both, or a meeting.
  using Tasks = std::array<Mailbox::Id, 2>;
  static constexpr Tasks kNoTasks = {kNothing, kNothing};

  // In place of what it stood for. REQUIRES: the number is persistent, or
  // larger than all before that were not.
  void Put(int64_t request, const Tasks& tasks);
  // kNoTasks where the request stands for nothing.
  Tasks Find(int64_t request) const;
  // The same, and it stands for nothing any more.
  Tasks Take(int64_t request);

 private:
  struct Entry {
    int64_t request;
    Tasks tasks;  // kNoTasks once taken
  };
  size_t PlaceOf(int64_t request) const;  // the list's size: nowhere
  void DropTaken();

  std::vector<Entry> list_;
  size_t taken_ = 0;  // of the list
  std::unordered_map<int64_t, Tasks> persistent_;
};

}  // namespace ranksight::replay_engine
