#include "cli/base/machine_options.h"

#include <algorithm>

#include "cli/base/locate.h"
#include "reduction/api/codec.h"

namespace ranksight::cli {

using bgq_support::Machine;
using bgq_support::Mapping;
using reduction::Result;
using reduction::Status;

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
  const auto bytes = reduction::ReadWholeFile(path);
  if (!bytes.ok()) return bytes.status();
  const std::string text(bytes->begin(), bytes->end());
  std::string reason;
  auto mapping = Mapping::Read(machine, ranks, text, &reason);
  if (!mapping) return Status::BadInput(path + ":" + reason);
  return std::move(*mapping);
}

}  // namespace ranksight::cli
