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

Result<Mapping> PlacesOnTorus(const PlaceOptions& places,
                              const bgq_support::Machine& machine,
                              int64_t ranks) {
  const int each = std::max(1, places.ranks_per_node);
  ranks = std::min(ranks, int64_t{each} * machine.free_nodes());
  if (!places.map.empty()) return ReadMapFile(places.map, machine, ranks);
  std::string reason;
  auto mapping =
      Mapping::FromOrder(machine, ranks, each, places.order, &reason);
  if (!mapping) return Status::Usage("--order: " + reason);
  return std::move(*mapping);
}

Result<Mapping> PlacesOnNetwork(const PlaceOptions& places,
                                const bgq_support::Network& network,
                                int64_t ranks) {
  const int each = std::max(1, places.ranks_per_node);
  ranks = std::min(ranks, int64_t{each} * network.nodes());
  return PlaceOn(network, places, ranks, each);
}

Result<LinksPointer> OnTorus(const PlaceOptions& places, int64_t ranks) {
  const auto machine = ParseMachine(places.torus);
  if (!machine.ok()) return machine.status();
  const auto routing = ParseZone(places.routing);
  if (!routing.ok()) return routing.status();
  const auto mapping = PlacesOnTorus(places, *machine, ranks);
  if (!mapping.ok()) return mapping.status();
  return online_model::TorusLinks(*machine, *mapping, *routing);
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

// sides: of the nodes, whose number number_of says.
template <class F>
PlacesInGrid InGrid(const Mapping& mapping, std::vector<int64_t> sides,
                    F number_of) {
  int64_t each = 1;
  for (const bgq_support::Place& place : mapping.places()) {
    each = std::max(each, int64_t{place.slot} + 1);
  }
  PlacesInGrid grid{std::move(sides), {}};
  if (each > 1) grid.sides.push_back(each);
  for (const bgq_support::Place& place : mapping.places()) {
    grid.places.push_back(number_of(place.node) * each + place.slot);
  }
  return grid;
}

PlacesInGrid OnTorusGrid(const bgq_support::Torus& torus,
                         const Mapping& mapping) {
  std::vector<int64_t> sides;
  for (const auto& dimension : torus.dimensions()) {
    sides.push_back(dimension.length);
  }
  return InGrid(mapping, sides, [&](int node) {
    const bgq_support::Coordinates at = torus.CoordinatesOf(node);
    int64_t number = 0;
    for (size_t dim = 0; dim < at.size(); ++dim) {
      number = number * sides[dim] + at[dim];
    }
    return number;
  });
}

PlacesInGrid OnNetworkGrid(const bgq_support::Network& network,
                           const Mapping& mapping) {
  std::vector<int64_t> sides;
  int64_t below = 1;
  for (const int64_t block : network.Blocks()) {
    if (block == below) continue;
    sides.insert(sides.begin(), block / below);
    below = block;
  }
  return InGrid(mapping, sides, [](int node) { return int64_t{node}; });
}

}  // namespace

void AddLinkOptions(CLI::App* app, PlaceOptions* options) {
  PlaceOptions& places = *options;
  auto* torus =
      app->add_option("--torus", places.torus,
                      "The runs were made on this torus (shapes as for\n"
                      "`ranksight map`), on its first places: messages are\n"
                      "walked over its links. Needs the walk")
          ->type_name("SHAPE");
  app->add_option(
         "--order", places.order,
         "With --torus: order of the places (default: the dimensions in\n"
         "their order, then T: XYZT for three, ABCDET for five, XYZABCT\n"
         "for six)")
      ->type_name("LETTERS")
      ->needs(torus);
  AddTopologyOptions(app,
                     "Needs the walk. The runs were made on the first\n"
                     "nodes of this network, and messages are walked over\n"
                     "its links",
                     &places, torus);
  AddRoutingOption(app, &places.routing);
  app->add_option("--map", places.map,
                  "With --torus or another network: the places, a map file")
      ->type_name("FILE");
  app->add_option("--ranks-per-node", places.ranks_per_node,
                  "With --torus or another network: ranks on each node\n"
                  "(default: 1)")
      ->type_name("K")
      ->check(AboveZero());
}

Result<LinksPointer> MakeLinks(const PlaceOptions& places, int64_t ranks) {
  if (!places.torus.empty()) {
    if (places.link_speeds.empty()) return OnTorus(places, ranks);
    return Status::Usage("--link-speed is not for tori");
  }
  if (places.on_network()) return LinksOnNetwork(places, ranks);
  if (places.map.empty() && places.routing.empty() &&
      places.link_speeds.empty()) {
    return LinksPointer();
  }
  return Status::Usage(
      "--map, --routing and --link-speed need a network, --torus or "
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
  if (!places.torus.empty()) {
    const auto machine = ParseMachine(places.torus);
    if (!machine.ok()) return machine.status();
    const auto mapping = PlacesOnTorus(places, *machine, ranks);
    if (!mapping.ok()) return mapping.status();
    return OnTorusGrid(machine->torus, *mapping);
  }
  const auto network = ReadNetwork(places, ranks);
  if (!network.ok()) return network.status();
  const auto mapping = PlacesOnNetwork(places, *network, ranks);
  if (!mapping.ok()) return mapping.status();
  return OnNetworkGrid(*network, *mapping);
}

}  // namespace ranksight::cli
