// The options that say what network ranks are on and where on it, as `map`,
// `simulate`, `forecast`, `study` and `serve` take them: the same names in the
// same order, and texts that differ only where the commands do.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "cli/base/machine_options.h"

namespace CLI {
class App;
}

namespace ranksight::cli {

struct PlaceUse {
  std::string network;         // what it is to the command
  std::string map;             // what --map is for
  std::string ranks_per_node;  // the default
};
// --torus, --topology, --dragonfly, --tree, --link-speed, --routing, --map,
// --order and --ranks-per-node.
void AddPlaceOptions(CLI::App* app, const PlaceUse& use, PlaceOptions* options);

// --network, where it says how fast links are: for `map` and `simulate`.
void AddLinksAsNamed(CLI::App* app, PlaceOptions* options);

}  // namespace ranksight::cli
