// --network of forecast, study and serve.
#pragma once

#include <string>

#include "online_model/api/named_network.h"
#include "reduction/api/status.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ranksight::cli {

// when: what the network is for, behind its names.
CLI::Option* AddNetworkOption(CLI::App* app, const std::string& when,
                              std::string* network);
// What the option names; the default where it names nothing. Errors as of
// online_model::FindNetwork.
reduction::Result<online_model::NamedNetwork> NetworkOf(
    const std::string& network);

}  // namespace ranksight::cli
