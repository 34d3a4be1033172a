#include "runtime/capture/request_table.h"

#include <algorithm>

namespace ranksight::runtime {

void RequestTable::Erase(Live* live, int64_t number) {
  std::vector<int64_t>& numbers = live->numbers;
  if (live->size() > 0 && numbers[live->first] == number) {
    ++live->first;
  } else {
    const auto it =
        std::find(numbers.begin() + long(live->first), numbers.end(), number);
    if (it != numbers.end()) numbers.erase(it);
  }
  if (live->size() == 0) {
    numbers.clear();
    live->first = 0;
  } else if (live->first > kSlack && 2 * live->first >= numbers.size()) {
    // Dropping the front once it is half of all costs O(1) for each number.
    numbers.erase(numbers.begin(), numbers.begin() + long(live->first));
    live->first = 0;
  }
}

}  // namespace ranksight::runtime
