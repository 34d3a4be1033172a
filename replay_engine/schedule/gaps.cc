#include "replay_engine/schedule/gaps.h"

#include <set>
#include <string>
#include <string_view>

#include "replay_engine/api/replay.h"

namespace ranksight::replay_engine {
namespace {

using reduction::CallInfo;
using reduction::Family;
using reduction::Param;

// The communicator calls with a larger number make intercommunicators and
// graphs.
constexpr auto kLastCommunicatorCall = reduction::Call::MPI_Comm_split_type_;

bool CanReplay(const CallInfo& info) {
  switch (info.family) {
    case Family::kEnvironment:
    case Family::kPointToPoint:
    case Family::kCompletion:
    case Family::kCollective:
    case Family::kLocal:
      return true;
    case Family::kCommunicator:
      return info.call <= kLastCommunicatorCall;
    default:
      return false;
  }
}

// Local book-keeping whose effect stands in the events that follow it: the
// replay makes types, operations and buffers of its own.
bool LeavesNoGap(std::string_view name) {
  for (const std::string_view family :
       {"MPI_Type_", "MPI_Op_", "MPI_Buffer_", "MPI_Info_", "MPI_Group_",
        "MPI_Errhandler_", "MPI_Alloc_mem", "MPI_Free_mem"}) {
    if (name.starts_with(family)) return true;
  }
  return false;
}

void AppendCounts(const std::map<std::string, uint64_t>& counts,
                  const char* what, std::string* line) {
  for (const auto& [name, count] : counts) {
    if (LeavesNoGap(name)) continue;
    *line += line->empty() ? "" : ", ";
    *line += name + " x" + std::to_string(count) + what;
  }
}

}  // namespace

bool Gaps::PassesOver(const Operation& operation) {
  const reduction::Event& event = *operation.event;
  const CallInfo& info = reduction::Info(event.call());
  bool over = !CanReplay(info);
  over |= event.Has(Param::kComm) && comms_.count(event.Get(Param::kComm)) != 0;
  // Calls that complete take what is gone as MPI_REQUEST_NULL.
  for (const int64_t request : operation.requests) {
    over |= !info.completes && requests_.count(request) != 0;
  }
  if (!over) return false;
  if (operation.new_comm >= 0) comms_.insert(operation.new_comm);
  if (operation.new_request >= 0) requests_.insert(operation.new_request);
  return true;
}

std::string DescribeGaps(const reduction::Trace& trace) {
  std::string line;
  std::set<std::string_view> names;
  reduction::ForEachEvent(trace.root, [&](const reduction::Node& node) {
    const CallInfo& info = reduction::Info(node.call);
    if (!CanReplay(info)) names.insert(info.name);
  });
  for (const std::string_view name : names) {
    line += line.empty() ? "" : ", ";
    line += name;
  }
  AppendCounts(trace.meta.not_recorded, " (not recorded)", &line);
  AppendCounts(trace.meta.losses, " (lost)", &line);
  return line;
}

}  // namespace ranksight::replay_engine
