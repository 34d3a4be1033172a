#include "cli/base/topology_options.h"

#include <CLI/CLI.hpp>

namespace ranksight::cli {

void AddTopologyOptions(CLI::App* app, const std::string& what,
                        PlaceOptions* options, CLI::Option* torus) {
  auto* topology =
      app->add_option(
             "--topology,--topology-conf", options->topology,
             what +
                 ": fat-tree:16x32:1x8, 16 nodes on\n"
                 "each of 32 switches, a link up from each node and 8\n"
                 "from each switch (three levels likewise);\n"
                 "dragonfly:9x8x4, 9 groups of 8 routers with 4 nodes\n"
                 "each (9x8x4:2: 2 cables between each two groups); or\n"
                 "a file: Slurm's topology.conf (topology.conf:1x8, links\n"
                 "up as above, else no taper), a graph in JSON, or a node's\n"
                 "inside as lstopo writes it")
          ->type_name("NETWORK|FILE")
          ->excludes(torus);
  auto* dragonfly = app->add_option("--dragonfly", options->dragonfly,
                                    "Short for --topology dragonfly:SHAPE")
                        ->type_name("SHAPE")
                        ->excludes(torus)
                        ->excludes(topology);
  app->add_option("--tree", options->tree,
                  "Short for --topology fat-tree:NODESxS:1xUPLINKS, with\n"
                  "as many switches S as hold the ranks")
      ->type_name("NODES,UPLINKS")
      ->excludes(torus)
      ->excludes(topology)
      ->excludes(dragonfly);
  app->add_option("--link-speed", options->link_speeds,
                  "Of the links of a class of such a network, as\n"
                  "`ranksight map` names them: bytes per second, and the\n"
                  "latency in seconds: \"level 1=25e9,1e-7\" (default:\n"
                  "12.5e9,1e-7, or as the file says; again for more)")
      ->type_name("CLASS=BANDWIDTH[,LATENCY]")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option* AddRoutingOption(CLI::App* app, std::string* routing) {
  return app
      ->add_option("--routing", *routing,
                   "Zone of Blue Gene/Q's routing: 0 longest dimension first,\n"
                   "1 any order, 2 deterministic (default), 3 the same but E\n"
                   "at once. Ways round of equal length are both taken; with\n"
                   "+ behind the zone the ascending one. On a dragonfly\n"
                   "minimal (default) or valiant: through a third group")
      ->type_name("Z");
}

}  // namespace ranksight::cli
