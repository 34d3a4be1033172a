// --topology and --routing, as `map`, `simulate`, `forecast` and `study` take
// them.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "bgq_support/api/routing.h"
#include "reduction/api/status.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ranksight::cli {

// what: what the network is for, before its names.
CLI::Option* AddTopologyOption(CLI::App* app, const std::string& what,
                               std::string* topology);
CLI::Option* AddRoutingOption(CLI::App* app, std::string* routing);

// Of a torus: the default where nothing is said. kUsage.
reduction::Result<bgq_support::Routing> ParseZone(const std::string& routing);

}  // namespace ranksight::cli
