#include "cli/base/machine_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/base/lists.h"
#include "cli/base/locate.h"
#include "online_model/api/named_network.h"
#include "reduction/api/codec.h"

namespace ranksight::cli {

using bgq_support::Mapping;
using bgq_support::Network;
using reduction::Result;
using reduction::Status;

namespace {

// --tree as a name of --topology.
Result<std::string> TopologyOfTree(const PlaceOptions& options, int64_t ranks) {
  const auto numbers = ParseRankList(options.tree);
  if (!numbers.ok() || numbers->size() != 2) {
    return Status::Usage("--tree '" + options.tree +
                         "' is not NODES,UPLINKS of a switch");
  }
  const int64_t nodes = (*numbers)[0], uplinks = (*numbers)[1];
  const int64_t each = std::max(1, options.ranks_per_node);
  const int64_t all = (ranks + each - 1) / each;
  const int64_t switches = all / nodes + (all % nodes != 0 ? 1 : 0);
  return "fat-tree:" + std::to_string(nodes) + "x" + std::to_string(switches) +
         ":1x" + std::to_string(uplinks);
}

// A file as a whole, or with links upwards behind it.
NetworkWords WordsOfFile(const std::string& topology) {
  std::error_code ignored;
  const size_t colon = topology.rfind(':');
  if (colon == topology.npos || std::filesystem::exists(topology, ignored) ||
      topology.find_first_not_of("0123456789x", colon + 1) != topology.npos) {
    return {"", topology, ""};
  }
  return {"", topology.substr(0, colon), topology.substr(colon + 1)};
}

// option: which says so.
Result<Network> NetworkOf(const NetworkWords& words, const char* option) {
  std::string reason;
  if (words.file.empty()) {
    auto network = Network::Parse(words.name, &reason);
    if (!network) return Status::Usage(option + (": " + reason));
    return std::move(*network);
  }
  const auto bytes = reduction::ReadWholeFile(words.file);
  if (!bytes.ok()) return bytes.status();
  const std::string text(bytes->begin(), bytes->end());
  auto network = Network::FromText(text, words.uplinks, words.file, &reason);
  if (!network) return Status::BadInput(words.file + ":" + reason);
  return std::move(*network);
}

// Whose classes do not say which of them nodes are on.
bool IsGraph(const Network& network) {
  using Graph = std::shared_ptr<const bgq_support::Graph>;
  return std::holds_alternative<Graph>(network.shape());
}

}  // namespace

std::vector<std::pair<const char*, std::string*>> PlaceTexts(
    PlaceOptions* options) {
  return {{"torus", &options->torus},
          {"order", &options->order},
          {"topology", &options->topology},
          {"dragonfly", &options->dragonfly},
          {"tree", &options->tree},
          {"routing", &options->routing},
          {"map", &options->map}};
}

Result<NetworkWords> WordsOf(const PlaceOptions& options, int64_t ranks) {
  if (!options.torus.empty()) {
    return NetworkWords{"torus:" + options.torus, "", ""};
  }
  if (!options.dragonfly.empty()) {
    return NetworkWords{"dragonfly:" + options.dragonfly, "", ""};
  }
  if (!options.tree.empty()) {
    const auto name = TopologyOfTree(options, ranks);
    if (!name.ok()) return name.status();
    return NetworkWords{*name, "", ""};
  }
  const std::string& topology = options.topology;
  for (const char* name : {"torus:", "fat-tree:", "dragonfly:"}) {
    if (topology.starts_with(name)) return NetworkWords{topology, "", ""};
  }
  NetworkWords words = WordsOfFile(topology);
  std::error_code ignored;
  if (std::filesystem::exists(words.file, ignored)) return words;
  // Says what names there are.
  std::string reason;
  (void)Network::Parse(topology, &reason);
  return Status::Usage("--topology: " + reason + ", nor a file");
}

Result<std::vector<std::string>> SpeedWords(const PlaceOptions& options,
                                            const Network& network) {
  std::vector<std::string> words;
  if (!options.network.empty()) {
    const auto named = online_model::FindNetwork(options.network);
    if (!named.ok()) return named.status();
    for (const bgq_support::LinkClass& c : network.classes()) {
      const std::string cables = c.name.substr(0, c.name.find(", "));
      const bool of_nodes = cables == "nodes" || IsGraph(network);
      words.push_back(fmt::format("{}={:.17g},{:.17g}", cables, 1 / named->byte,
                                  of_nodes ? named->latency / 2 : c.latency));
    }
  }
  words.insert(words.end(), options.link_speeds.begin(),
               options.link_speeds.end());
  return words;
}

Result<Network> ReadNetwork(const PlaceOptions& options, int64_t ranks) {
  const auto words = WordsOf(options, ranks);
  if (!words.ok()) return words.status();
  auto network =
      NetworkOf(*words, options.torus.empty() ? "--topology" : "--torus");
  if (!network.ok()) return network;
  const auto speeds = SpeedWords(options, *network);
  if (!speeds.ok()) return speeds.status();
  std::string reason;
  for (const std::string& speed : *speeds) {
    if (!network->SetSpeed(speed, &reason)) {
      return Status::Usage(
          (options.network.empty() ? "--link-speed: " : "--network: ") +
          reason);
    }
  }
  if (!network->RouteBy(options.routing, &reason)) {
    return Status::Usage("--routing: " + reason);
  }
  return network;
}

int RanksPerNode(const Network& network, int64_t ranks, int ranks_per_node) {
  return ranks_per_node > 0 ? ranks_per_node
                            : bgq_support::FewestRanksPerNode(network, ranks);
}

Result<Mapping> PlaceOn(const Network& network, const PlaceOptions& options,
                        int64_t ranks, int ranks_per_node) {
  if (!options.map.empty()) return ReadMapFile(options.map, network, ranks);
  std::string reason;
  auto mapping =
      PlaceInOrder(network, ranks, ranks_per_node, &reason, options.order);
  if (!mapping) return Status::Usage(reason);
  return std::move(*mapping);
}

Result<PlacedRanks> PlaceRanks(const PlaceOptions& options, int64_t ranks) {
  auto network = ReadNetwork(options, ranks);
  if (!network.ok()) return network.status();
  auto mapping = PlaceOn(*network, options, ranks,
                         RanksPerNode(*network, ranks, options.ranks_per_node));
  if (!mapping.ok()) return mapping.status();
  return PlacedRanks{std::move(*network), std::move(*mapping)};
}

void AppendPlaceWords(const PlaceOptions& options,
                      std::vector<std::string>* words) {
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) words->insert(words->end(), {name, value});
  };
  add("--torus", options.torus);
  add("--map", options.map.empty() ? "" : AbsolutePath(options.map));
  add("--order", options.order);
  if (options.ranks_per_node > 0) {
    add("--ranks-per-node", std::to_string(options.ranks_per_node));
  }
}

Result<Mapping> ReadMapFile(const std::string& path, const Network& network,
                            int64_t ranks) {
  const auto bytes = reduction::ReadWholeFile(path);
  if (!bytes.ok()) return bytes.status();
  const std::string text(bytes->begin(), bytes->end());
  std::string reason;
  auto mapping = ReadPlaces(network, ranks, text, &reason);
  if (!mapping) return Status::BadInput(path + ":" + reason);
  return std::move(*mapping);
}

}  // namespace ranksight::cli
