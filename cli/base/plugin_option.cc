#include "cli/base/plugin_option.h"

#include <CLI/CLI.hpp>

namespace ranksight::cli {

void AddPluginOption(CLI::App* app, std::vector<std::string>* libraries) {
  app->add_option("--plugin", *libraries,
                  "Shared library with laws of your own\n"
                  "(online_model/api/ranksight_law.h); again for more")
      ->type_name("LIB")
      ->allow_extra_args(false);
}

}  // namespace ranksight::cli
