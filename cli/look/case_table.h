// A table of cases (base/vary.h): what a forecast or a simulation says of each,
// against the first.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/vary.h"

namespace ranksight::cli {

// What is said of a case at one rank count.
struct CasePoint {
  int64_t ranks = 0;
  double seconds = 0;
  double low = 0, high = 0;  // 90 % interval; both 0 where there is none
  std::string refused;       // why there is no time; "" where there is one
};
struct CaseRow {
  Case values;
  std::vector<CasePoint> points;
  std::string json;  // all that is known of it
};
// REQUIRES: at least one row; the same options and rank counts in all.
using CaseTable = std::vector<CaseRow>;

// Rank count by rank count, cases in their order; reasons of refusals below.
std::string CasesText(const CaseTable& table);
// {"varied": [OPTION, ...], "cases": [{"options": {OPTION: VALUE}, KEY: ...}]}
std::string CasesJson(const CaseTable& table, std::string_view key);

}  // namespace ranksight::cli
