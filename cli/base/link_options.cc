#include "cli/base/link_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>
#include <vector>

#include "cli/base/lists.h"
#include "cli/base/number_checks.h"
#include "cli/base/topology_options.h"

namespace ranksight::cli {
namespace {

using online_model::Links;
using reduction::Result;
using reduction::Status;
using LinksPointer = std::shared_ptr<const Links>;

Result<LinksPointer> OnTorus(const PlaceOptions& places, int64_t ranks) {
  const auto machine = ParseMachine(places.torus);
  if (!machine.ok()) return machine.status();
  const auto routing = ParseZone(places.routing);
  if (!routing.ok()) return routing.status();
  const int each = std::max(1, places.ranks_per_node);
  ranks = std::min(ranks, int64_t{each} * machine->free_nodes());
  if (!places.map.empty()) {
    const auto mapping = ReadMapFile(places.map, *machine, ranks);
    if (!mapping.ok()) return mapping.status();
    return online_model::TorusLinks(*machine, *mapping, *routing);
  }
  std::string reason;
  const auto mapping = bgq_support::Mapping::FromOrder(*machine, ranks, each,
                                                       places.order, &reason);
  if (!mapping) return Status::Usage("--order: " + reason);
  return online_model::TorusLinks(*machine, *mapping, *routing);
}

Result<LinksPointer> OnNetwork(const PlaceOptions& places, int64_t ranks) {
  const auto network = ReadNetwork(places, ranks);
  if (!network.ok()) return network.status();
  const int each = std::max(1, places.ranks_per_node);
  ranks = std::min(ranks, int64_t{each} * network->nodes());
  const auto mapping = PlaceOn(*network, places, ranks, each);
  if (!mapping.ok()) return mapping.status();
  return online_model::NetworkLinks(*network, *mapping);
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
  if (places.on_network()) return OnNetwork(places, ranks);
  if (places.map.empty() && places.routing.empty() &&
      places.link_speeds.empty()) {
    return LinksPointer();
  }
  return Status::Usage(
      "--map, --routing and --link-speed need a network, --torus or "
      "--topology");
}

}  // namespace ranksight::cli
