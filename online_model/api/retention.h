// How long runs are kept: rules by age, for all runs or those of one program
// or of one sender.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "online_model/api/store.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

// Runs that were stored longer ago than so are removed.
struct RetentionRule {
  std::string program;  // of these runs alone; empty: of all
  std::string sender;   // of these alone, by Sender::Name; empty: of all
  double days = 0;
};

// "90", "program=NAME:90" or "user=NAME:90"; kUsage for anything else.
reduction::Result<RetentionRule> ParseRetention(const std::string& text);

// The jobs of the runs that some rule takes away.
std::vector<std::string> ExpiredJobs(std::span<const RunRecord> runs,
                                     std::span<const RetentionRule> rules,
                                     int64_t now_unix_ns);

}  // namespace ranksight::online_model
