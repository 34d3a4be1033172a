#include "online_model/synthesize/telling_run.h"

#include <algorithm>
#include <string_view>

#include "online_model/structure/dims_rule.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

constexpr std::string_view kAtTarget = "; at ";

// Empty where nothing is said to be open.
std::string_view WhatIsOpen(const Status& status) {
  const std::string_view message = status.message();
  const size_t end = message.find(kAtTarget);
  return end == std::string_view::npos ? "" : message.substr(0, end);
}

}  // namespace

Status OpenAtTarget(const std::string& open, int64_t ranks,
                    const std::string& there) {
  return Status::No(open + std::string(kAtTarget) + std::to_string(ranks) +
                    " ranks, " + there);
}

bool AreOpenAlike(const Status& a, const Status& b) {
  return !WhatIsOpen(a).empty() && WhatIsOpen(a) == WhatIsOpen(b);
}

int64_t TellingRun(std::span<const int64_t> sizes, int64_t below,
                   const std::function<bool(int64_t ranks)>& tells) {
  if (sizes.empty()) return 0;  // laws that came without them
  constexpr int64_t kLargestRun = 4096;
  const int64_t least = std::ranges::min(sizes);
  const int64_t end = std::min(below / 2, kLargestRun) + 1;
  // Programs that ran on powers of two alone may take no others.
  const bool are_powers = std::ranges::all_of(sizes, &IsPowerOfTwo);
  const auto is_new = [sizes, are_powers](int64_t n) {
    return std::ranges::find(sizes, n) == sizes.end() &&
           (!are_powers || IsPowerOfTwo(n));
  };
  for (int64_t n = least; n < end; ++n) {
    if (is_new(n) && tells(n)) return n;
  }
  for (int64_t n = std::min(least, end) - 1; n > 1; --n) {
    if (is_new(n) && tells(n)) return n;
  }
  return 0;
}

Status WithTellingRun(const Status& open, int64_t ranks) {
  return Status::No(
      open.message() + "; a run of " +
      (ranks == 0 ? "such a size" : std::to_string(ranks) + " ranks") +
      " may tell");
}

}  // namespace ranksight::online_model
