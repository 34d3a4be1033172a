// What `check` found, for people, for a pull request, and for what reads the
// results of tests and benchmarks.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "online_model/api/check.h"

namespace ranksight::cli {

struct CheckReport {
  online_model::Communication communication;  // of the traces
  online_model::CommunicationCheck compared;
  std::vector<online_model::TimeCheck> times;
  std::vector<online_model::BudgetCheck> budget;
};

online_model::Verdict VerdictOf(const CheckReport& report);

std::string CheckText(const CheckReport& report);
// One document, a newline at its end.
std::string CheckJson(const CheckReport& report);
// A heading and tables as GitHub, GitLab and Gitea show them.
std::string CheckMarkdown(const CheckReport& report);
// One case for communication, and one for each place that is not as it was,
// each time and each budget; where nobody can tell it is skipped.
std::string CheckJunit(const CheckReport& report);
// A list of {name, unit, value, range}, smaller being better, as
// github-action-benchmark's customSmallerIsBetter.
std::string CheckBenchmark(const CheckReport& report);

}  // namespace ranksight::cli
