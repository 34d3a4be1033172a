#include "runtime/capture/request_table.h"

#include <algorithm>

#include "reduction/api/call.h"
#include "runtime/capture/handle_key.h"

namespace ranksight::runtime {

void RequestTable::Add(MPI_Request request, bool persistent) {
  const uint64_t key = KeyOf(request);
  if (persistent) {
    persistent_[key] = next_persistent_++;
    return;
  }
  // The handle was persistent once and was freed behind our back.
  persistent_.erase(key);
  live_[key].push_back(next_++);
}

int64_t RequestTable::Reference(MPI_Request request, size_t nth,
                                Held* held) const {
  *held = Held();
  if (request == MPI_REQUEST_NULL) return reduction::kRequestNull;
  held->key = KeyOf(request);
  const auto persistent = persistent_.find(held->key);
  if (persistent != persistent_.end()) {
    held->persistent = true;
    return -1 - persistent->second;
  }
  const auto it = live_.find(held->key);
  if (it == live_.end() || it->second.empty()) return reduction::kRequestNull;
  held->number = it->second[std::min(nth, it->second.size() - 1)];
  return next_ - held->number;
}

void RequestTable::Finish(const Held& held, bool freed) {
  if (held.persistent) {
    if (freed) persistent_.erase(held.key);
    return;
  }
  const auto it = live_.find(held.key);
  if (it == live_.end()) return;
  auto& numbers = it->second;
  numbers.erase(std::remove(numbers.begin(), numbers.end(), held.number),
                numbers.end());
  if (numbers.empty()) live_.erase(it);
}

}  // namespace ranksight::runtime
