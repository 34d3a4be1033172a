#include "cli/base/machine_options.h"

#include <algorithm>

#include "cli/base/locate.h"
#include "reduction/api/codec.h"

namespace ranksight::cli {

using bgq_support::Machine;
using bgq_support::Mapping;
using bgq_support::Network;
using reduction::Result;
using reduction::Status;

namespace {

template <class Read>
Result<Mapping> ReadMapWith(const std::string& path, const Read& read) {
  const auto bytes = reduction::ReadWholeFile(path);
  if (!bytes.ok()) return bytes.status();
  const std::string text(bytes->begin(), bytes->end());
  std::string reason;
  auto mapping = read(text, &reason);
  if (!mapping) return Status::BadInput(path + ":" + reason);
  return std::move(*mapping);
}

}  // namespace

Result<Machine> ParseMachine(const std::string& torus) {
  std::string reason;
  auto machine = Machine::Parse(torus, &reason);
  if (!machine) return Status::Usage("--torus: " + reason);
  return std::move(*machine);
}

int RanksPerNode(const Machine& machine, int64_t ranks, int ranks_per_node) {
  return ranks_per_node > 0 ? ranks_per_node
                            : bgq_support::FewestRanksPerNode(machine, ranks);
}

Result<Network> ParseNetwork(const PlaceOptions& options) {
  std::string reason;
  auto network = Network::Parse(options.topology, &reason);
  if (!network) return Status::Usage("--topology: " + reason);
  const std::string& routing = options.routing;
  const bool known = routing == "valiant"
                         ? network->RouteByValiant()
                         : routing.empty() || routing == "minimal";
  if (!known) {
    return Status::Usage("--routing: '" + routing + "' is not for " +
                         network->ToString());
  }
  return std::move(*network);
}

int RanksPerNode(const Network& network, int64_t ranks, int ranks_per_node) {
  const int64_t fewest = (ranks + network.nodes() - 1) / network.nodes();
  return ranks_per_node > 0 ? ranks_per_node
                            : static_cast<int>(std::max<int64_t>(1, fewest));
}

Result<Mapping> PlaceOn(const Network& network, const PlaceOptions& options,
                        int64_t ranks, int ranks_per_node) {
  if (!options.map.empty()) return ReadMapFile(options.map, network, ranks);
  std::string reason;
  auto mapping = PlaceInOrder(network, ranks, ranks_per_node, &reason);
  if (!mapping) return Status::Usage(reason);
  return std::move(*mapping);
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

Result<Mapping> ReadMapFile(const std::string& path, const Machine& machine,
                            int64_t ranks) {
  return ReadMapWith(path, [&](std::string_view text, std::string* reason) {
    return Mapping::Read(machine, ranks, text, reason);
  });
}

Result<Mapping> ReadMapFile(const std::string& path, const Network& network,
                            int64_t ranks) {
  return ReadMapWith(path, [&](std::string_view text, std::string* reason) {
    return ReadPlaces(network, ranks, text, reason);
  });
}

}  // namespace ranksight::cli
