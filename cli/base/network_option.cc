#include "cli/base/network_option.h"

#include <CLI/CLI.hpp>

#include "cli/base/help_lines.h"

namespace ranksight::cli {

CLI::Option* AddNetworkOption(CLI::App* app, const std::string& when,
                              std::string* network) {
  return app
      ->add_option("--network", *network,
                   "Network of a machine with a core for each rank,\n" + when +
                       ":\na file of `ranksight machine measure`, or one of\n" +
                       HelpLines(online_model::NetworkNames()) +
                       "\n(default: " + online_model::kDefaultNetwork + ")")
      ->type_name("FILE|NAME");
}

}  // namespace ranksight::cli
