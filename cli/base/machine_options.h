// Options that name a machine and where ranks sit on it, as `map`,
// `simulate` and `replay` take them.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bgq_support/api/mapping.h"
#include "bgq_support/api/network.h"
#include "reduction/api/status.h"

namespace ranksight::cli {

// Where ranks sit: on a network, by its name or a file.
struct PlaceOptions {
  std::string torus, topology, dragonfly, tree, routing, map, order;
  // How fast all links are: a preset of online_model's, or a file of `machine
  // measure`. Of `map` and `simulate`; to forecasts it is something else.
  std::string network;
  std::vector<std::string> link_speeds;
  int ranks_per_node = 0;

  bool given() const {
    return !topology.empty() || !dragonfly.empty() || !tree.empty() ||
           !torus.empty();
  }
};
// Those of the options that are texts, by name.
std::vector<std::pair<const char*, std::string*>> PlaceTexts(
    PlaceOptions* options);

// What a network is made of, in the words of replay_engine's platform.
struct NetworkWords {
  std::string name;  // as Network::Parse knows it; else
  std::string file;
  std::string uplinks;  // behind the file's name
};
// --tree: as many switches as hold so many ranks. kUsage.
reduction::Result<NetworkWords> WordsOf(const PlaceOptions& options,
                                        int64_t ranks);
// Speeds of its links in the words of Network::SetSpeed: those of --network,
// then --link-speed. Links of nodes have half of the named network's latency,
// so that a message over one switch has all of it. Errors as of FindNetwork.
reduction::Result<std::vector<std::string>> SpeedWords(
    const PlaceOptions& options, const bgq_support::Network& network);
// That network, its links as fast and its messages routed as options say.
// kUsage, kIo, or kBadInput "file:line: reason".
reduction::Result<bgq_support::Network> ReadNetwork(const PlaceOptions& options,
                                                    int64_t ranks);
// As few as will do where the option says nothing.
int RanksPerNode(const bgq_support::Network& network, int64_t ranks,
                 int ranks_per_node);
// By --map, or in order (--order), so many on each node. kUsage, kIo,
// kBadInput.
reduction::Result<bgq_support::Mapping> PlaceOn(
    const bgq_support::Network& network, const PlaceOptions& options,
    int64_t ranks, int ranks_per_node);

// The network that options name, with the ranks on it: RanksPerNode of them on
// each node. Errors of both.
struct PlacedRanks {
  bgq_support::Network network;
  bgq_support::Mapping mapping;
};
reduction::Result<PlacedRanks> PlaceRanks(const PlaceOptions& options,
                                          int64_t ranks);

// In the words of the replay engine's tool, which knows tori alone.
void AppendPlaceWords(const PlaceOptions& options,
                      std::vector<std::string>* words);

// kIo, or kBadInput "file:line: reason".
reduction::Result<bgq_support::Mapping> ReadMapFile(
    const std::string& path, const bgq_support::Network& network,
    int64_t ranks);

}  // namespace ranksight::cli
