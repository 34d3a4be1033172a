#include "online_model/api/retention.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

constexpr double kDayNs = 86'400e9;
constexpr std::string_view kProgram = "program=", kSender = "user=";

bool IsExpired(const RunRecord& run, const RetentionRule& rule,
               int64_t now_unix_ns) {
  if (!rule.program.empty() && run.program != rule.program) return false;
  if (!rule.sender.empty() && run.sender.Name() != rule.sender) return false;
  return double(now_unix_ns - run.stored_unix_ns) > rule.days * kDayNs;
}

}  // namespace

Result<RetentionRule> ParseRetention(const std::string& text) {
  RetentionRule rule;
  std::string_view left = text;
  const size_t colon = left.rfind(':');
  const bool is_of_some = colon != left.npos;
  if (is_of_some) {
    std::string_view whose = left.substr(0, colon);
    const bool is_program = whose.starts_with(kProgram);
    if (is_program || whose.starts_with(kSender)) {
      whose.remove_prefix((is_program ? kProgram : kSender).size());
      (is_program ? rule.program : rule.sender) = whose;
    }
    left.remove_prefix(colon + 1);
  }
  const char* const end = left.data() + left.size();
  const auto read = std::from_chars(left.data(), end, rule.days);
  const bool names_some = !rule.program.empty() || !rule.sender.empty();
  if (read.ec != std::errc() || read.ptr != end || !(rule.days > 0) ||
      !std::isfinite(rule.days) || is_of_some != names_some) {
    return Status::Usage("'" + text +
                         "': not DAYS, program=NAME:DAYS or user=NAME:DAYS");
  }
  return rule;
}

std::vector<std::string> ExpiredJobs(std::span<const RunRecord> runs,
                                     std::span<const RetentionRule> rules,
                                     int64_t now_unix_ns) {
  std::vector<std::string> jobs;
  for (const RunRecord& run : runs) {
    if (std::ranges::any_of(rules, [&](const RetentionRule& rule) {
          return IsExpired(run, rule, now_unix_ns);
        })) {
      jobs.push_back(run.job);
    }
  }
  return jobs;
}

}  // namespace ranksight::online_model
