#include "runtime/capture/request_table.h"

#include <algorithm>

namespace ranksight::runtime {

bool RequestTable::MatchesOther(const Live& live, int64_t reference,
                                Held* held) {
  if (live.single != kNone) return false;
  if (live.persistent != kNone) {
    held->number = kNone;
    return reference == -1 - live.persistent;
  }
  return live.first < live.several.size() &&
         live.several[live.first] == held->number;
}

void RequestTable::AddAnother(Live* live) {
  if (live->single != kNone) {
    live->several.push_back(live->single);
    live->single = kNone;
  }
  live->several.push_back(next_++);
}

int64_t RequestTable::NextMentioned(Live* live) const {
  if (live->call != call_) live->mentions = 0;
  live->call = call_;
  const size_t left = live->several.size() - live->first;
  const size_t nth = std::min(live->mentions++, left - 1);
  return live->several[live->first + nth];
}

void RequestTable::Erase(Live* live, int64_t number) {
  std::vector<int64_t>& numbers = live->several;
  if (live->first < numbers.size() && numbers[live->first] == number) {
    ++live->first;
  } else {
    const auto it =
        std::find(numbers.begin() + long(live->first), numbers.end(), number);
    if (it != numbers.end()) numbers.erase(it);
  }
  if (live->first == numbers.size()) {
    numbers.clear();
    live->first = 0;
  } else if (live->first > kSlack && 2 * live->first >= numbers.size()) {
    // Dropping the front once it is half of all costs O(1) for each number.
    numbers.erase(numbers.begin(), numbers.begin() + long(live->first));
    live->first = 0;
  }
}

}  // namespace ranksight::runtime
