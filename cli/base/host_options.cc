#include "cli/base/host_options.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reduction/api/codec.h"

namespace ranksight::cli {
namespace {

using bgq_support::Distribution;
using bgq_support::HostList;
using bgq_support::HostRun;
using bgq_support::HostShape;
using bgq_support::Mapping;
using reduction::Result;
using reduction::Status;

constexpr std::string_view kSlurm = "slurm";
constexpr std::string_view kArbitrary = "arbitrary", kBlock = "block";

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Result<HostList> ReadHosts(const std::string& path,
                           std::optional<HostList> (*read)(std::string_view,
                                                           std::string*)) {
  const auto bytes = reduction::ReadWholeFile(path);
  if (!bytes.ok()) return bytes.status();
  std::string reason;
  auto list = read(std::string(bytes->begin(), bytes->end()), &reason);
  if (!list) return Status::BadInput(path + ":" + reason);
  return std::move(*list);
}

// What Slurm says of the nodes of a job and of its tasks.
Result<HostList> SlurmHosts(int ranks_per_node) {
  constexpr const char* kNodes = "SLURM_JOB_NODELIST";
  constexpr const char* kTasks = "SLURM_TASKS_PER_NODE";
  const std::string nodes = Variable(kNodes), tasks = Variable(kTasks);
  if (nodes.empty()) {
    return Status::Usage(std::string("--hosts slurm: no ") + kNodes +
                         " in the environment");
  }
  std::string reason;
  auto names = bgq_support::ExpandNodeList(nodes, &reason);
  if (!names) return Status::BadInput(std::string(kNodes) + ":" + reason);
  HostList list;
  list.names = std::move(*names);
  if (ranks_per_node > 0) return list.With(ranks_per_node);
  const auto counts = bgq_support::ExpandTaskCounts(tasks, &reason);
  if (!counts) return Status::BadInput(std::string(kTasks) + ":" + reason);
  if (counts->size() != list.names.size()) {
    return Status::BadInput(
        std::string(kTasks) + ": tasks of " + std::to_string(counts->size()) +
        " nodes, " + kNodes + " has " + std::to_string(list.names.size()));
  }
  for (size_t i = 0; i < counts->size(); ++i) {
    list.runs.push_back({static_cast<int32_t>(i), (*counts)[i]});
  }
  return list;
}

// The words of --distribution, or Slurm's own.
Result<Distribution> DistributionOf(const HostOptions& options) {
  std::string text = options.distribution, from = "--distribution";
  if (text.empty()) {
    if (options.hosts != kSlurm) return Distribution();
    from = "SLURM_DISTRIBUTION";
    text = Variable(from.c_str());
    const std::string plane = Variable("SLURM_DIST_PLANESIZE");
    if (text == "plane" && !plane.empty()) text += "=" + plane;
    if (text.empty()) text = kBlock;
    // Without a list of hosts srun takes arbitrary to be this.
    if (text.starts_with(kArbitrary)) {
      text.replace(0, kArbitrary.size(), kBlock);
    }
  }
  std::string reason;
  auto distribution = Distribution::Parse(text, &reason);
  if (!distribution) return Status::Usage(from + ": " + reason);
  return *distribution;
}

Result<HostShape> ShapeOf(const std::string& node) {
  if (node.empty()) return HostShape();
  if (const auto shape = HostShape::Parse(node)) return *shape;
  const bool here = node == "here";
  if (!here && !node.ends_with(".xml")) {
    return Status::Usage("--node: '" + node +
                         "' is neither PACKAGESxCORES, here, nor FILE.xml");
  }
  if (!here) {
    const auto bytes = reduction::ReadWholeFile(node);
    if (!bytes.ok()) return bytes.status();
  }
  std::string reason;
  const auto shape = HostShape::FromHwloc(here ? "" : node, &reason);
  if (!shape) return Status::BadInput("--node " + node + ": " + reason);
  return *shape;
}

// Gives the hosts of a list the numbers that they have among these names.
Status NumberAs(const std::vector<std::string>& names, const std::string& path,
                HostList* list) {
  std::unordered_map<std::string_view, int32_t> number;
  for (size_t i = 0; i < names.size(); ++i) {
    number.emplace(names[i], static_cast<int32_t>(i));
  }
  for (HostRun& run : list->runs) {
    const std::string& name = list->names[static_cast<size_t>(run.host)];
    const auto known = number.find(name);
    if (known == number.end()) {
      return Status::BadInput(path + ": host " + name + " is not in --hosts");
    }
    run.host = known->second;
  }
  list->names = names;
  return Status::Ok();
}

// Ranks that each host takes: its slots, or more where it has more already.
std::vector<int64_t> RoomOn(const RanksOnHosts& places) {
  std::vector<int64_t> room(places.list.names.size(), 0), ranks = room;
  for (const HostRun& run : places.list.runs) {
    room[static_cast<size_t>(run.host)] += run.ranks;
  }
  for (const bgq_support::Place& place : places.mapping.places()) {
    const auto host = static_cast<size_t>(place.node);
    room[host] = std::max(room[host], ++ranks[host]);
  }
  return room;
}

}  // namespace

Result<RanksOnHosts> PlaceRanks(const HostOptions& options, int64_t ranks) {
  const auto shape = ShapeOf(options.node);
  if (!shape.ok()) return shape.status();
  const bool slurm = options.hosts == kSlurm;
  // srun takes a name for each rank before any other distribution.
  const std::string each = Variable("SLURM_HOSTFILE");
  const bool listed = slurm && options.distribution.empty() && !each.empty();
  auto list = listed  ? ReadHosts(each, &bgq_support::ReadSlurmHostFile)
              : slurm ? SlurmHosts(options.ranks_per_node)
                      : ReadHosts(options.hosts, &bgq_support::ReadHostFile);
  if (!list.ok()) return list.status();
  if (options.ranks_per_node > 0) list = list->With(options.ranks_per_node);
  if (listed && list->slots() < ranks) {
    return Status::BadInput(each + ": hosts of " +
                            std::to_string(list->slots()) + " ranks, " +
                            std::to_string(ranks) + " needed");
  }
  auto distribution = DistributionOf(options);
  if (!distribution.ok()) return distribution.status();
  if (listed) distribution->kind = Distribution::Kind::kListed;
  std::string reason;
  auto mapping =
      bgq_support::PlaceOnHosts(*list, ranks, *distribution, &reason);
  if (!mapping) return Status::Usage("--hosts: " + reason);
  return RanksOnHosts{std::move(*list),
                      std::move(*mapping),
                      {*shape, distribution->cyclic_packages},
                      slurm || !options.distribution.empty()};
}

Result<Mapping> ReadOtherOrder(const std::string& path,
                               const RanksOnHosts& places) {
  auto other = ReadHosts(path, &bgq_support::ReadHostFile);
  if (!other.ok()) return other.status();
  const Status same = NumberAs(places.list.names, path, &*other);
  if (!same.ok()) return same;
  const int64_t ranks = places.mapping.ranks();
  if (other->slots() < ranks) {
    return Status::BadInput(path + ": places of " +
                            std::to_string(other->slots()) + " ranks, " +
                            std::to_string(ranks) + " needed");
  }
  std::string reason;
  auto mapping =
      bgq_support::PlaceOnHosts(*other, ranks, Distribution(), &reason);
  if (!mapping) return Status::BadInput(path + ": " + reason);
  // That all ranks fit together says nothing of each host.
  const std::vector<int64_t> room = RoomOn(places);
  for (const bgq_support::Place& place : mapping->places()) {
    const auto host = static_cast<size_t>(place.node);
    if (place.slot < room[host]) continue;
    return Status::BadInput(path + ": more ranks on host " +
                            places.list.names[host] + " than its " +
                            std::to_string(room[host]) + " places");
  }
  return std::move(*mapping);
}

}  // namespace ranksight::cli
