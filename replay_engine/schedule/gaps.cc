#include "replay_engine/schedule/gaps.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "reduction/api/losses.h"
#include "replay_engine/api/replay.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::CallInfo;
using reduction::Param;

bool CanReplay(Call call) {
  switch (call) {
    // Processes that the replay was not started with.
    case Call::MPI_Comm_spawn_:
    case Call::MPI_Comm_spawn_multiple_:
    case Call::MPI_Comm_accept_:
    case Call::MPI_Comm_connect_:
    case Call::MPI_Comm_join_:
    case Call::MPI_Open_port_:
    case Call::MPI_Close_port_:
    case Call::MPI_Publish_name_:
    case Call::MPI_Unpublish_name_:
    case Call::MPI_Lookup_name_:
    // Needs a parent that connects the groups.
    case Call::MPI_Intercomm_create_from_groups_:
      return false;
    default:
      return true;
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
    if (LeavesNoGap(name) || name == reduction::kLossByEstimates ||
        name == reduction::kLossFailedCalls || reduction::SaysNotStored(name)) {
      continue;
    }
    *line += line->empty() ? "" : ", ";
    *line += name + " x" + std::to_string(count) + what;
  }
}

}  // namespace

bool Gaps::Names(const reduction::Event& event) const {
  const auto in = [&event](const Numbers& gone, Param p) {
    return !gone.empty() && event.Has(p) && gone.contains(event.Get(p));
  };
  // What was made while recording was paused, or where nobody saw it, cannot be
  // made here.
  const bool unknown = event.Get(Param::kComm, 0) == reduction::kNone;
  return unknown || in(comms_, Param::kComm) || in(windows_, Param::kWindow) ||
         in(files_, Param::kFile);
}

// It counts at the leader only, where another rank may name none.
bool Gaps::LacksPeers(const Operation& operation) const {
  if (!operation.event->Has(Param::kPeerComm)) return false;
  const bool mine = comms_.contains(operation.event->Get(Param::kPeerComm));
  return ask_ ? ask_(operation, mine) : mine;
}

bool Gaps::PassesOver(const Operation& operation) {
  const reduction::Event& event = *operation.event;
  const CallInfo& info = reduction::Info(event.call());
  bool over = !CanReplay(event.call()) || Names(event) || LacksPeers(operation);
  // Places in a dynamic window are addresses of the recorded run.
  over |= info.family == reduction::Family::kOneSided &&
          event.Has(Param::kOffset) &&
          dynamic_windows_.count(event.Get(Param::kWindow)) != 0;
  if (event.call() == Call::MPI_Win_create_dynamic_) {
    dynamic_windows_.insert(operation.new_object);
  }
  // Calls that complete take what is gone as MPI_REQUEST_NULL.
  if (!info.completes && !requests_.empty()) {
    for (const int64_t request : operation.requests) {
      over |= requests_.count(request) != 0;
    }
  }
  if (!over) return false;
  if (operation.new_comm >= 0) comms_.insert(operation.new_comm);
  if (operation.new_request >= 0) requests_.insert(operation.new_request);
  if (operation.new_object >= 0) {
    Numbers& made = info.family == reduction::Family::kFile ? files_ : windows_;
    made.insert(operation.new_object);
  }
  return true;
}

bool LacksCommunicators(const reduction::Trace& trace) {
  bool lacks = false;
  reduction::ForEachEvent(trace.root, [&](const reduction::Node& node) {
    const CallInfo& info = reduction::Info(node.call);
    lacks |= info.makes_comm && !CanReplay(node.call);
  });
  return lacks;
}

std::optional<int64_t> UnmadeCommunicator(const reduction::Trace& trace,
                                          int64_t rank) {
  int64_t named = 0;
  int64_t made = 2;  // the world and self
  reduction::ForEachEvent(trace.root, [&](const reduction::Node& node) {
    const CallInfo& info = reduction::Info(node.call);
    for (size_t i = 0; i < node.params.size(); ++i) {
      const Param param = info.params[i];
      const bool names = param == Param::kComm || param == Param::kPeerComm;
      const bool makes = info.makes_comm && param == Param::kCommSize;
      if (!names && !makes) continue;
      const reduction::Section values = node.params[i].At(rank);
      if (values.empty()) continue;
      if (names) {
        named = std::max(named, values.Max());
        continue;
      }
      // Members it has where this rank is one of them.
      for (reduction::SectionCursor at(&values); !at.done();) {
        uint64_t times = 0;
        if (at.NextRun(&times) > 0) made += int64_t(times);
      }
    }
  });
  return named < made ? std::nullopt : std::optional(named);
}

std::string DescribeGaps(const reduction::Trace& trace) {
  std::string line;
  std::set<std::string_view> names;
  reduction::ForEachEvent(trace.root, [&](const reduction::Node& node) {
    if (!CanReplay(node.call)) names.insert(reduction::Info(node.call).name);
    if (node.call == Call::MPI_Win_create_dynamic_) {
      names.insert("transfers in windows of MPI_Win_create_dynamic");
    }
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
