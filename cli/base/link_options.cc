#include "cli/base/link_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>
#include <vector>

#include "cli/base/lists.h"
#include "cli/base/number_checks.h"
#include "cli/base/topology_options.h"
#include "reduction/api/codec.h"

namespace ranksight::cli {
namespace {

using bgq_support::Mapping;
using online_model::Links;
using reduction::Result;
using reduction::Status;
using LinksPointer = std::shared_ptr<const Links>;

Result<Mapping> PlacesOnNetwork(const PlaceOptions& places,
                                const bgq_support::Network& network,
                                int64_t ranks) {
  const int each = std::max(1, places.ranks_per_node);
  ranks = std::min(ranks, int64_t{each} * network.free_nodes());
  return PlaceOn(network, places, ranks, each);
}

Result<LinksPointer> LinksOnNetwork(const PlaceOptions& places, int64_t ranks) {
  const auto network = ReadNetwork(places, ranks);
  if (!network.ok()) return network.status();
  const auto mapping = PlacesOnNetwork(places, *network, ranks);
  if (!mapping.ok()) return mapping.status();
  return online_model::NetworkLinks(*network, *mapping);
}

// More than any network has that is walked on.
constexpr int64_t kMostPlaces = int64_t{1} << 20;
// A tree is as large as it is asked for, and walks count on each of its links.
constexpr int64_t kPlacesOfTree = 65536;

PlacesInGrid OnNetworkGrid(const bgq_support::Network& network,
                           const Mapping& mapping) {
  PlacesInGrid grid;
  int64_t below = 1, each = 1;
  for (const int64_t block : network.Blocks()) {
    if (block == below) continue;
    grid.sides.insert(grid.sides.begin(), block / below);
    below = block;
  }
  for (const bgq_support::Place& place : mapping.places()) {
    each = std::max(each, int64_t{place.slot} + 1);
  }
  if (each > 1) grid.sides.push_back(each);
  for (const bgq_support::Place& place : mapping.places()) {
    grid.places.push_back(place.node * each + place.slot);
  }
  return grid;
}

}  // namespace

void AddLinkOptions(CLI::App* app, PlaceOptions* options) {
  AddPlaceOptions(
      app,
      {"The network of the runs, on its first nodes (needs the walk)",
       "Places of the ranks on the network, as `ranksight map` writes them",
       "1"},
      options);
}

Result<LinksPointer> MakeLinks(const PlaceOptions& places, int64_t ranks) {
  if (places.given()) return LinksOnNetwork(places, ranks);
  if (places.map.empty() && places.routing.empty() &&
      places.link_speeds.empty() && places.order.empty()) {
    return LinksPointer();
  }
  return Status::Usage(
      "--map, --order, --routing and --link-speed need a network, --torus or "
      "--topology");
}

Result<LinksPointer> MakeAllLinks(const PlaceOptions& places) {
  if (!places.map.empty() && places.given()) {
    const auto bytes = reduction::ReadWholeFile(places.map);
    if (!bytes.ok()) return bytes.status();
    const std::string text(bytes->begin(), bytes->end());
    return MakeLinks(places, bgq_support::CountPlaces(text));
  }
  return MakeLinks(places, places.tree.empty() ? kMostPlaces : kPlacesOfTree);
}

Result<PlacesInGrid> FindPlaces(const PlaceOptions& places, int64_t ranks) {
  const auto network = ReadNetwork(places, ranks);
  if (!network.ok()) return network.status();
  const auto mapping = PlacesOnNetwork(places, *network, ranks);
  if (!mapping.ok()) return mapping.status();
  return OnNetworkGrid(*network, *mapping);
}

}  // namespace ranksight::cli
