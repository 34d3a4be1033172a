#include "cli/base/machine_options.h"

#include <algorithm>

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
  if (ranks_per_node > 0) return ranks_per_node;
  const int64_t nodes = std::max<int64_t>(
      1, machine.torus.nodes() - static_cast<int64_t>(machine.holes.size()));
  return static_cast<int>((ranks + nodes - 1) / nodes);
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
