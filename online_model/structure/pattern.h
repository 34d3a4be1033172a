// Pattern: a sequence as a prefix and the shortest list that repeats after
// it. How often it repeats follows from the trip counts, so only the pattern
// needs laws. Thread-safety: value types, pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reduction/api/section.h"

namespace ranksight::online_model {

struct Pattern {
  std::vector<int64_t> prefix;
  std::vector<int64_t> period;  // never empty but for the empty sequence
  bool operator==(const Pattern&) const = default;
};

// The shortest list whose whole repetitions give the values.
std::vector<int64_t> Shortest(std::vector<int64_t> values);
// Nothing when the section is longer than kMaxPatternValues and no plain
// repetition.
inline constexpr uint64_t kMaxPatternValues = 1 << 18;
std::optional<Pattern> PatternOf(const reduction::Section& section);
// The same where all values are one list or whole repetitions of one: 1 2 1 2 1
// is a list of five, not 1 2 cut short.
std::optional<Pattern> WholeListOf(const reduction::Section& section);
// count values of the pattern, or those of its prefix where it has no period.
std::vector<int64_t> Expand(const Pattern& pattern, uint64_t count);

}  // namespace ranksight::online_model
