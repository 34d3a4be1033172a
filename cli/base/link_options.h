// Options that say what links the machine of some runs has, as `forecast`
// takes them.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/base/machine_options.h"
#include "online_model/api/links.h"

namespace CLI {
class App;
}

namespace ranksight::cli {

void AddLinkOptions(CLI::App* app, PlaceOptions* options);

// The links on which `ranks` ranks have places; where there are fewer places,
// all of them. nullptr where none are given. kUsage with what is wrong, kIo or
// kBadInput for the map file.
reduction::Result<std::shared_ptr<const online_model::Links>> MakeLinks(
    const PlaceOptions& places, int64_t ranks);

// The same of all places there are, for who does not know yet how many ranks
// will come: those of the map file, else of the network; with --tree those of
// 65,536 ranks.
reduction::Result<std::shared_ptr<const online_model::Links>> MakeAllLinks(
    const PlaceOptions& places);

// The place of each rank under the same options, counted in a grid, the last
// side the quickest: of a torus its dimensions, of another network switches
// from the top and the nodes below, and then the places on a node where there
// are several.
struct PlacesInGrid {
  std::vector<int64_t> sides;
  std::vector<int64_t> places;
};
// Of no more ranks than have places. Errors as of MakeLinks.
reduction::Result<PlacesInGrid> FindPlaces(const PlaceOptions& places,
                                           int64_t ranks);

}  // namespace ranksight::cli
