// Expressions: values of a trace over ranks and loop indices as coNCePTuaL
// expressions of the task and the indices.
//
// A section that repeats as the loops do is a sum of strides times indices
// (divided where a repetition spans several rounds); what it does not repeat
// is told apart by cases. Ranks with the same nesting share one form, whose
// numbers are formulas of the rank.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "adapters/conceptual/domain.h"
#include "reduction/api/section.h"

namespace ranksight::adapters::conceptual {

// A rank's values, one for each position. Ranks ascend.
using Sequences = std::vector<std::pair<int64_t, reduction::Section>>;

// The values of a section, each changed.
template <class F>
reduction::Section Mapped(const reduction::Section& values, F&& f) {
  reduction::Section out;
  reduction::SectionCursor next(&values);
  uint64_t count = 0;
  while (!next.done()) {
    const int64_t v = next.NextRun(&count);
    out.AppendRun(f(v), count);
  }
  return out;
}

// The variable that stands for the own rank.
inline constexpr const char* kTask = "t";

// "" when the values follow no short rule.
std::string ExpressionText(const Sequences& sequences,
                           const std::vector<Level>& levels, int64_t ranks);

// Where an expression with the values 0 and 1 is 1.
std::string ConditionOf(const std::string& text);

// Whether the text names the variable.
bool Names(const std::string& text, const std::string& variable);

}  // namespace ranksight::adapters::conceptual
