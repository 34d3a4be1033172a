#include "replay_engine/progress/notes.h"

#include <utility>

#include "reduction/api/contract.h"

namespace ranksight::replay_engine {

bool Notes::Exchange(size_t part, bool waits,
                     std::vector<std::vector<Note>>* out,
                     std::vector<Note>* in) {
  RANKSIGHT_REQUIRE(out != nullptr && in != nullptr);
  in->clear();
  std::unique_lock lock(mutex_);
  bool told = false;
  for (size_t p = 0; p < parts_.size(); ++p) {
    std::vector<Note>& notes = (*out)[p];
    if (notes.empty()) continue;
    Part& there = parts_[p];
    if (there.in.empty()) {
      std::swap(there.in, notes);
    } else {
      there.in.insert(there.in.end(), notes.begin(), notes.end());
    }
    notes.clear();
    // It has something to do again, and counts as one that has from now on, so
    // that nobody takes it that all wait.
    if (std::exchange(there.waits, false)) --waiting_;
    told = true;
  }
  if (told) changed_.notify_all();
  Part& here = parts_[part];
  if (waits && here.in.empty() && !over_) {
    here.waits = true;
    if (++waiting_ == parts_.size()) {
      over_ = true;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return over_ || !here.in.empty(); });
  }
  if (over_) return false;
  std::swap(*in, here.in);
  return true;
}

void Notes::Stop() {
  const std::lock_guard lock(mutex_);
  over_ = true;
  changed_.notify_all();
}

}  // namespace ranksight::replay_engine
