#include "cli/base/topology_options.h"

#include <CLI/CLI.hpp>

namespace ranksight::cli {

using reduction::Result;
using reduction::Status;

CLI::Option* AddTopologyOption(CLI::App* app, const std::string& what,
                               std::string* topology) {
  return app
      ->add_option("--topology", *topology,
                   what +
                       ": fat-tree:16x32:1x8, 16 nodes on\n"
                       "each of 32 switches, a link up from each node and 8\n"
                       "from each switch (three levels likewise);\n"
                       "dragonfly:9x8x4, 9 groups of 8 routers with 4 nodes\n"
                       "each (9x8x4:2: 2 cables between each two groups)")
      ->type_name("NETWORK");
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

Result<bgq_support::Routing> ParseZone(const std::string& routing) {
  if (routing.empty()) return bgq_support::Routing();
  const auto zone = bgq_support::Routing::Parse(routing);
  if (!zone) {
    return Status::Usage("--routing: '" + routing + "' is no zone, 0 to 3");
  }
  return *zone;
}

}  // namespace ranksight::cli
