// --network of forecast, study and serve.
#pragma once

#include <string>

#include "online_model/api/named_network.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ranksight::cli {

// when: what the network is for, behind its names. FindNetwork takes what the
// option leaves in *network.
CLI::Option* AddNetworkOption(CLI::App* app, const std::string& when,
                              std::string* network);

}  // namespace ranksight::cli
