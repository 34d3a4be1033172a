#include "cli/base/link_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>
#include <vector>

#include "cli/base/lists.h"
#include "cli/base/number_checks.h"

namespace ranksight::cli {
namespace {

using online_model::Links;
using reduction::Result;
using reduction::Status;
using LinksPointer = std::shared_ptr<const Links>;

// Far beyond any machine; a walk holds numbers for each link.
constexpr int64_t kMostPorts = 65'536, kMostLinks = int64_t{1} << 26;

Result<LinksPointer> OnTorus(const PlaceOptions& places, int64_t ranks) {
  const auto machine = ParseMachine(places.torus);
  if (!machine.ok()) return machine.status();
  const int each = std::max(1, places.ranks_per_node);
  ranks = std::min(ranks, int64_t{each} * machine->free_nodes());
  if (!places.map.empty()) {
    const auto mapping = ReadMapFile(places.map, *machine, ranks);
    if (!mapping.ok()) return mapping.status();
    return online_model::TorusLinks(*machine, *mapping, {});
  }
  std::string reason;
  const auto mapping = bgq_support::Mapping::FromOrder(*machine, ranks, each,
                                                       places.order, &reason);
  if (!mapping) return Status::Usage("--order: " + reason);
  return online_model::TorusLinks(*machine, *mapping, {});
}

Result<LinksPointer> OnTree(const LinkOptions& options, int64_t ranks) {
  const auto numbers = ParseRankList(options.tree);
  if (!numbers.ok() || numbers->size() != 2) {
    return Status::Usage("--tree '" + options.tree +
                         "' is not NODES,UPLINKS of a switch");
  }
  const int64_t below = (*numbers)[0], above = (*numbers)[1];
  if (below > kMostPorts || above > kMostPorts) {
    return Status::Usage("--tree '" + options.tree +
                         "': a switch has at most " +
                         std::to_string(kMostPorts) + " links each way");
  }
  const int64_t each = std::max(1, options.places.ranks_per_node);
  const int64_t all = (ranks + each - 1) / each;
  if (2 * (all + above * (all / below + 1)) > kMostLinks) {
    return Status::Usage("--tree '" + options.tree + "' has more than " +
                         std::to_string(kMostLinks) + " links for " +
                         std::to_string(ranks) + " ranks");
  }
  std::vector<int64_t> nodes;
  for (int64_t r = 0; r < ranks; ++r) nodes.push_back(r / each);
  return online_model::TreeLinks(std::move(nodes), below, above);
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
  app->add_option("--map", places.map, "With --torus: the places, a map file")
      ->type_name("FILE")
      ->needs(torus);
  app->add_option(
         "--tree", options->tree,
         "The runs were made on a fat tree of two levels, whose lower\n"
         "switches have so many nodes and links upwards, on its first\n"
         "nodes. Needs the walk")
      ->type_name("NODES,UPLINKS")
      ->excludes(torus);
  app->add_option("--ranks-per-node", places.ranks_per_node,
                  "With --torus or --tree: ranks on each node (default: 1)")
      ->type_name("K")
      ->check(AboveZero());
}

Result<LinksPointer> MakeLinks(const LinkOptions& options, int64_t ranks) {
  if (!options.places.torus.empty()) return OnTorus(options.places, ranks);
  if (!options.tree.empty()) return OnTree(options, ranks);
  return LinksPointer();
}

}  // namespace ranksight::cli
