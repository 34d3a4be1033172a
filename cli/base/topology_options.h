// Networks and --routing, as `map`, `simulate`, `forecast` and `study` take
// them.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "cli/base/machine_options.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ranksight::cli {

// --topology, --dragonfly, --tree and --link-speed. what: what the network is
// for, before its names; torus: what they exclude.
void AddTopologyOptions(CLI::App* app, const std::string& what,
                        PlaceOptions* options, CLI::Option* torus);
CLI::Option* AddRoutingOption(CLI::App* app, std::string* routing);

}  // namespace ranksight::cli
