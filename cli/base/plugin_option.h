// --plugin of the commands that extrapolate.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace ranksight::cli {

// REQUIRES: libraries lives as long as app.
void AddPluginOption(CLI::App* app, std::vector<std::string>* libraries);

}  // namespace ranksight::cli
