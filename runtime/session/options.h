// What the environment asks of the runtime.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "runtime/capture/shared_cores.h"
#include "runtime/capture/time_budget.h"

namespace ranksight::runtime {

struct Options {
  bool disabled = false;  // RANKSIGHT_DISABLE
  std::string output;     // RANKSIGHT_OUTPUT; "" for the default name
  // Behind the output, when this process was spawned by another world.
  std::string output_suffix;
  // RANKSIGHT_BEGAN: when `ranksight record` began, by the clock of the
  // output's file system; 0 where each launch writes the same file.
  int64_t began_ns = 0;
  std::string to;  // RANKSIGHT_TO; "" when not streaming
  // RANKSIGHT_PATIENCE: for the side-car's first answer.
  double patience_seconds = 1;
  std::string spool;          // RANKSIGHT_SPOOL; a directory
  std::string clock;          // RANKSIGHT_CLOCK
  HostCores host_cores;       // once the ranks of a world were asked
  double epoch_seconds = 0;   // RANKSIGHT_EPOCH; 0 for none
  uint64_t epoch_events = 0;  // RANKSIGHT_EPOCH_EVENTS; instead of seconds
  bool predict = true;        // RANKSIGHT_PREDICT is not "off"
  // RANKSIGHT_MEMORY: bytes, or with K, M or G behind.
  uint64_t memory_bytes = uint64_t{32} << 20;
  // RANKSIGHT_TIME: percent,seconds,part; none for "off".
  std::optional<TimeShare> time_share = TimeShare{};
  // RANKSIGHT_AMOUNTS is "distributions": irregular amounts are kept so.
  bool distributions = false;
  int radix = 2;                              // RANKSIGHT_RADIX, 2 to 64
  std::map<std::string, std::string> params;  // RANKSIGHT_PARAMS: a=1,b=2
};

Options ReadOptions();
// "5,0.5,0.8" is 5 %, at least half a second, and amounts as distributions
// from four fifths of that on; what is left out is that of fallback. Negative
// or no numbers: fallback.
TimeShare ParseTimeShare(const std::string& text, TimeShare fallback);
// "64M" is 64 * 2^20; fallback for what is no number above 0.
uint64_t ParseBytes(const std::string& text, uint64_t fallback);
std::map<std::string, std::string> ParseParams(const std::string& text);

}  // namespace ranksight::runtime
