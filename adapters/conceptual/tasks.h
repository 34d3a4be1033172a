// Sets of ranks, and values over them, in coNCePTuaL's words.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/section.h"

namespace ranksight::adapters::conceptual {

// "{0, ..., 7}, {12, 14}": the values of a section as a range list.
std::string RangesText(const reduction::Section& values);

// "t < 4", "t IS IN {0, 3, 6, ..., 21}": true exactly for these of all ranks;
// "" for all. `task` is the variable.
std::string ConditionText(const reduction::RankSet& set, int64_t ranks,
                          const std::string& task);

// "t + 1 IF t MOD 4 < 3 OTHERWISE t - 3": the value of each rank, "" when
// that takes more than `most_cases` cases. Ranks ascend.
std::string ValueText(const std::vector<std::pair<int64_t, int64_t>>& values,
                      int64_t ranks, const std::string& task,
                      size_t most_cases);

// One text for each set of ranks, which are disjoint: "A IF c OTHERWISE B".
// The largest set comes last and unconditioned.
std::string CasesText(const std::map<std::string, reduction::RankSet>& cases,
                      int64_t ranks, const std::string& task);

// "(a + b)": with parentheses where the text is no single word.
std::string Grouped(const std::string& text);
// "text + c", "text - c" or text.
std::string PlusText(const std::string& text, int64_t c);

}  // namespace ranksight::adapters::conceptual
