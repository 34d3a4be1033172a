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
  const auto network = ParseNetwork(places);
  if (!network.ok()) return network.status();
  const int each = std::max(1, places.ranks_per_node);
  ranks = std::min(ranks, int64_t{each} * network->nodes());
  const auto mapping = PlaceOn(*network, places, ranks, each);
  if (!mapping.ok()) return mapping.status();
  return online_model::NetworkLinks(*network, *mapping);
}

// --tree as a name of --topology: as many switches as hold the ranks.
Result<std::string> TopologyOf(const LinkOptions& options, int64_t ranks) {
  const auto numbers = ParseRankList(options.tree);
  if (!numbers.ok() || numbers->size() != 2) {
    return Status::Usage("--tree '" + options.tree +
                         "' is not NODES,UPLINKS of a switch");
  }
  const int64_t nodes = (*numbers)[0], uplinks = (*numbers)[1];
  const int64_t each = std::max(1, options.places.ranks_per_node);
  const int64_t all = (ranks + each - 1) / each;
  const int64_t switches = all / nodes + (all % nodes != 0 ? 1 : 0);
  return "fat-tree:" + std::to_string(nodes) + "x" + std::to_string(switches) +
         ":1x" + std::to_string(uplinks);
}

}  // namespace

void AddLinkOptions(CLI::App* app, LinkOptions* options) {
  PlaceOptions& places = options->places;
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
  auto* topology =
      AddTopologyOption(app,
                        "Needs the walk. The runs were made on the first\n"
                        "nodes of this network, and messages are walked over\n"
                        "its links",
                        &places.topology)
          ->excludes(torus);
  auto* tree =
      app->add_option("--tree", options->tree,
                      "Short for --topology fat-tree:NODESxS:1xUPLINKS, with\n"
                      "as many switches S as hold the ranks")
          ->type_name("NODES,UPLINKS")
          ->excludes(torus)
          ->excludes(topology);
  AddRoutingOption(app, &places.routing)->excludes(tree);
  app->add_option("--map", places.map,
                  "With --torus or --topology: the places, a map file")
      ->type_name("FILE")
      ->excludes(tree);
  app->add_option("--ranks-per-node", places.ranks_per_node,
                  "With --torus, --topology or --tree: ranks on each node\n"
                  "(default: 1)")
      ->type_name("K")
      ->check(AboveZero());
}

Result<LinksPointer> MakeLinks(const LinkOptions& options, int64_t ranks) {
  if (!options.places.torus.empty()) return OnTorus(options.places, ranks);
  if (!options.places.topology.empty()) {
    return OnNetwork(options.places, ranks);
  }
  if (options.tree.empty()) {
    if (options.places.map.empty() && options.places.routing.empty()) {
      return LinksPointer();
    }
    return Status::Usage("--map and --routing need --torus or --topology");
  }
  const auto topology = TopologyOf(options, ranks);
  if (!topology.ok()) return topology.status();
  PlaceOptions places = options.places;
  places.topology = *topology;
  return OnNetwork(places, ranks);
}

}  // namespace ranksight::cli
