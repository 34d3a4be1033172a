#include "replay_engine/progress/begun.h"

#include <algorithm>
#include <utility>

#include "reduction/api/contract.h"

namespace ranksight::replay_engine {
namespace {

// Of fewer, looking for those that are left costs as much as leaving them.
constexpr size_t kFewTaken = 16;

}  // namespace

void Begun::Put(int64_t request, const Tasks& tasks) {
  RANKSIGHT_REQUIRE(request >= 0);
  if (request >= kPersistentBase) {
    persistent_[request] = tasks;
    return;
  }
  list_.push_back({request, tasks});
}

size_t Begun::PlaceOf(int64_t request) const {
  const auto at = std::ranges::lower_bound(list_, request, {}, &Entry::request);
  const bool is_here = at != list_.end() && at->request == request;
  return is_here ? size_t(at - list_.begin()) : list_.size();
}

Begun::Tasks Begun::Find(int64_t request) const {
  if (request >= kPersistentBase) {
    const auto at = persistent_.find(request);
    return at == persistent_.end() ? kNoTasks : at->second;
  }
  const size_t place = PlaceOf(request);
  return place == list_.size() ? kNoTasks : list_[place].tasks;
}

Begun::Tasks Begun::Take(int64_t request) {
  if (request >= kPersistentBase) {
    const auto at = persistent_.find(request);
    if (at == persistent_.end()) return kNoTasks;
    const Tasks tasks = at->second;
    persistent_.erase(at);
    return tasks;
  }
  const size_t place = PlaceOf(request);
  if (place == list_.size()) return kNoTasks;
  const Tasks tasks = std::exchange(list_[place].tasks, kNoTasks);
  if (tasks != kNoTasks) {
    // Left where it is: DropTaken moves what is behind many at once.
    ++taken_;
    DropTaken();
  }
  return tasks;
}

// Once that is at least half, so that each is moved at most once for one taken.
void Begun::DropTaken() {
  if (taken_ == list_.size()) {
    list_.clear();
    taken_ = 0;
  } else if (taken_ > kFewTaken && 2 * taken_ >= list_.size()) {
    std::erase_if(list_, [](const Entry& e) { return e.tasks == kNoTasks; });
    taken_ = 0;
  }
}

}  // namespace ranksight::replay_engine
