// Command line of ranksight-replay. Thread-safety: pure function.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/site_scale.h"
#include "reduction/api/status.h"
#include "replay_engine/api/replay.h"

namespace ranksight::replay_engine {

struct ToolOptions {
  std::string file;
  ReplayOptions replay;
  double bytes_scale = 1;
  std::set<reduction::Call> exchanges;
  std::string scratch = ".";
  std::vector<reduction::SiteScale> site_scales;
  // Where ranks sit; no torus: not known.
  std::string torus, map, order;
  int ranks_per_node = 0;  // 0: as few as will do
  bool align = false;
  bool sleep = false;
  bool pin = true;
  bool partial = false;
  bool json = false;
  int stall_s = -1;  // 0: never; < 0: by the trace's own time
  std::string help;  // not empty: print it and do nothing else
};

// kUsage with what is wrong.
reduction::Result<ToolOptions> ParseOptions(int argc, char** argv);

}  // namespace ranksight::replay_engine
