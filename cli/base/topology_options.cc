#include "cli/base/topology_options.h"

#include <CLI/CLI.hpp>

#include "bgq_support/api/machine.h"
#include "cli/base/help_lines.h"
#include "cli/base/number_checks.h"
#include "online_model/api/named_network.h"

namespace ranksight::cli {
namespace {

// The network by its name or a file: one of these.
void AddNetworks(CLI::App* app, const PlaceUse& use, PlaceOptions* options) {
  const auto add = [&](const char* names, std::string* value,
                       const std::string& what, const char* type) {
    return app->add_option(names, *value, HelpLines(what))->type_name(type);
  };
  auto* torus =
      add("--torus", &options->torus,
          use.network + ", a torus: " + bgq_support::Machine::Forms(), "SHAPE");
  auto* topology = add(
      "--topology,--topology-conf", &options->topology,
      use.network +
          ", any: fat-tree:16x32:1x8, 16 nodes on each of 32 switches, a link "
          "up from each node and 8 from each switch (three levels likewise); "
          "dragonfly:9x8x4, 9 groups of 8 routers with 4 nodes each (9x8x4:2: "
          "2 cables between each two groups); torus:SHAPE; or a file: Slurm's "
          "topology.conf (topology.conf:1x8, links up as above, else no "
          "taper), a graph in JSON, or a node's inside as lstopo writes it",
      "NETWORK|FILE");
  auto* dragonfly = add("--dragonfly", &options->dragonfly,
                        "Short for --topology dragonfly:SHAPE", "SHAPE");
  auto* tree = add("--tree", &options->tree,
                   "Short for --topology fat-tree:NODESxS:1xUPLINKS, with as "
                   "many switches S as hold the ranks",
                   "NODES,UPLINKS");
  topology->excludes(torus);
  dragonfly->excludes(torus)->excludes(topology);
  tree->excludes(torus)->excludes(topology)->excludes(dragonfly);
}

}  // namespace

void AddPlaceOptions(CLI::App* app, const PlaceUse& use,
                     PlaceOptions* options) {
  AddNetworks(app, use, options);
  app->add_option(
         "--link-speed", options->link_speeds,
         HelpLines("Of the links of a class, as `ranksight map` names "
                   "them, but of a torus: bytes per second, and the "
                   "latency in seconds: \"level 1=25e9,1e-7\" (default: "
                   "12.5e9,1e-7, or as the file says; again for more)"))
      ->type_name("CLASS=BANDWIDTH[,LATENCY]")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app->add_option(
         "--routing", options->routing,
         HelpLines(
             "On a dragonfly minimal (default) or valiant, through a third "
             "group; on a torus a zone of Blue Gene/Q's: 0 longest dimension "
             "first, 1 any order, 2 deterministic (default), 3 the same but E "
             "at once. Ways round of equal length are both taken; with + "
             "behind the zone the ascending one"))
      ->type_name("HOW");
  app->add_option("--map", options->map, HelpLines(use.map))
      ->type_name("MAPFILE");
  app->add_option(
         "--order", options->order,
         HelpLines("On a torus: order of the places, last letter fastest "
                   "(default: the dimensions in their order, then T: XYZT "
                   "for three, ABCDET for five, XYZABCT for six)"))
      ->type_name("LETTERS");
  app->add_option(
         "--ranks-per-node", options->ranks_per_node,
         HelpLines("Ranks on each node (default: " + use.ranks_per_node + ")"))
      ->type_name("K")
      ->check(AboveZero());
}

void AddLinksAsNamed(CLI::App* app, PlaceOptions* options) {
  app->add_option(
         "--network", options->network,
         HelpLines("All links are as fast as those of this network, but of a "
                   "torus: a file of `ranksight machine measure`, or one of " +
                   online_model::NetworkNames() +
                   ". Links of nodes have half of its latency, others 100 ns; "
                   "--link-speed says otherwise"))
      ->type_name("FILE|NAME");
}

}  // namespace ranksight::cli
