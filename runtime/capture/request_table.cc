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
  live_[key].numbers.push_back(next_++);
}

int64_t RequestTable::Reference(MPI_Request request, Held* held) {
  *held = Held();
  if (request == MPI_REQUEST_NULL) return reduction::kRequestNull;
  held->key = KeyOf(request);
  const auto persistent = persistent_.find(held->key);
  if (persistent != persistent_.end()) {
    held->persistent = true;
    return -1 - persistent->second;
  }
  const auto it = live_.find(held->key);
  if (it == live_.end() || it->second.size() == 0) {
    return reduction::kRequestNull;
  }
  Live& live = it->second;
  if (live.call != call_) live.mentions = 0;
  live.call = call_;
  const size_t nth = std::min(live.mentions++, live.size() - 1);
  held->number = live.numbers[live.first + nth];
  return next_ - held->number;
}

void RequestTable::Live::Erase(int64_t number) {
  if (size() > 0 && numbers[first] == number) {
    ++first;
  } else {
    const auto it =
        std::find(numbers.begin() + long(first), numbers.end(), number);
    if (it != numbers.end()) numbers.erase(it);
  }
  // Dropping the front once it is half of all costs O(1) for each number.
  if (2 * first >= numbers.size()) {
    numbers.erase(numbers.begin(), numbers.begin() + long(first));
    first = 0;
  }
}

void RequestTable::Finish(const Held& held, bool freed) {
  if (held.persistent) {
    if (freed) persistent_.erase(held.key);
    return;
  }
  const auto it = live_.find(held.key);
  if (it != live_.end()) it->second.Erase(held.number);
}

}  // namespace ranksight::runtime
