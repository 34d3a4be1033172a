// What the command line asks of a study.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/base/link_options.h"

namespace ranksight::cli {

// How often a size may be asked for.
inline constexpr int64_t kMostRepetitions = 1'000'000;

struct StudyOptions {
  std::string ranks, forecast, launcher, store, output;
  std::string folder = "ranksight-study";
  std::vector<std::string> plugins;
  std::string network;
  PlaceOptions places;
  int64_t repeat = 1, extrapolate = 0;
  double patience_seconds = 60;
  bool json = false;
  std::string submit;   // what files a job; empty: runs are made here
  std::string collect;  // the folder of jobs filed before; empty: none
};

}  // namespace ranksight::cli
