#include "replay_engine/tool/placement.h"

#include <optional>
#include <string>
#include <utility>

#include "replay_engine/tool/load.h"
#include "replay_engine/tool/mpi_machine.h"

namespace ranksight::replay_engine {

using bgq_support::Machine;
using bgq_support::Mapping;
using reduction::Result;
using reduction::Status;

namespace {

Result<Mapping> MappingOf(const ToolOptions& options, const Machine& machine,
                          int64_t ranks) {
  std::string reason;
  if (options.map.empty()) {
    const int per_node = options.ranks_per_node > 0
                             ? options.ranks_per_node
                             : bgq_support::FewestRanksPerNode(machine, ranks);
    auto mapping =
        Mapping::FromOrder(machine, ranks, per_node, options.order, &reason);
    if (!mapping) return Status::Usage(reason);
    return std::move(*mapping);
  }
  const auto bytes = ReadEverywhere(options.map);
  if (!bytes.ok()) return bytes.status();
  auto mapping = Mapping::Read(
      machine, ranks, std::string(bytes->begin(), bytes->end()), &reason);
  if (!mapping) return Status::BadInput(options.map + ":" + reason);
  return std::move(*mapping);
}

}  // namespace

Result<std::unique_ptr<Placement>> LoadPlacement(const ToolOptions& options,
                                                 int64_t ranks) {
  if (options.torus.empty()) return std::unique_ptr<Placement>();
  if (options.torus == "mpi") {
    auto placement = PlacementOfMpi(ranks);
    if (Status s = Agree(placement.status()); !s.ok()) return s;
    return std::make_unique<Placement>(std::move(*placement));
  }
  std::string reason;
  auto machine = Machine::Parse(options.torus, &reason);
  if (!machine) return Status::Usage("--torus: " + reason);
  auto mapping = MappingOf(options, *machine, ranks);
  if (!mapping.ok()) return mapping.status();
  return std::make_unique<Placement>(
      Placement{std::move(*machine), std::move(*mapping)});
}

}  // namespace ranksight::replay_engine
