// The answers of the web page as text: JSON documents and Prometheus metrics.
// Thread-safety: as thread-safe as the Server they ask.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "online_model/api/server.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

std::string StateJson(Server* server);
std::string RunsJson(const std::vector<RunRecord>& runs);
// With a stamp that differs where anything in it does.
struct StampedText {
  std::string stamp, text;
};
StampedText OverviewJson(const std::vector<GroupOverview>& groups);
// That there is nothing to show, and why.
std::string RefusedJson(const std::string& reason);
// Prometheus text format 0.0.4.
std::string MetricsText(Server* server);

// "4,9,16" with at most 64 numbers from 1 to 2^40; kUsage otherwise.
reduction::Result<std::vector<int64_t>> ParseRanks(const std::string& text);

}  // namespace ranksight::online_model
