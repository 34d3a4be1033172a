#include "cli/look/simulation_needs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <utility>

#include "cli/base/format.h"
#include "cli/base/json.h"
#include "cli/look/legend.h"
#include "reduction/api/comm_sizes.h"
#include "reduction/api/event.h"
#include "reduction/api/message_kind.h"
#include "reduction/api/rank_table.h"
#include "reduction/api/total.h"
#include "reduction/api/totals.h"

namespace ranksight::cli {
namespace {

using reduction::Call;
using reduction::EventTotal;
using reduction::MessageKind;
using reduction::Node;
using reduction::Param;
using reduction::Result;
using reduction::Trace;

// Seconds: of starting a rank, of any call, and of a message among a hundred
// ranks, which grows as this power of the ranks, for more are under way.
constexpr double kStartOfRank = 2.4e-3, kPerEvent = 5e-6;
constexpr double kPerMessage = 80e-6, kUsualRanks = 100, kGrowth = 0.55;
// The times measured lie within 2.5 times of that.
constexpr double kWithin = 3;

// Bytes: the process; a rank's copy of the tool and its stack; of what it holds
// of the trace for a byte of the file; a message under way beside its data.
constexpr double kBase = 34e6, kOfRank = 2.1e6, kDecoded = 40;
constexpr double kOfMessage = 2048;
// Measured: 0.97 to 1.14 of the sum.
constexpr double kLeast = 0.9, kMost = 1.3;
// SMPI copies what is shorter than this when it is sent.
constexpr double kCopied = 65536;
// Mappings of memory: libraries; and the copy's segments, the stack, its guard.
constexpr double kMappings = 300, kMappingsOfRank = 8.1;
// Of the memory that is free, so much may be taken.
constexpr double kFreeToTake = 0.95;

// Messages that SMPI sends for a collective, by member and in all.
enum class Spread { kOne, kTwo, kEachOther };

Spread SpreadOf(Call call) {
  switch (reduction::BlockingForm(call)) {
    case Call::MPI_Bcast_:
    case Call::MPI_Reduce_:
    case Call::MPI_Gather_:
    case Call::MPI_Gatherv_:
    case Call::MPI_Scatter_:
    case Call::MPI_Scatterv_:
      return Spread::kOne;
    case Call::MPI_Allgather_:
    case Call::MPI_Allgatherv_:
    case Call::MPI_Alltoall_:
    case Call::MPI_Alltoallv_:
    case Call::MPI_Alltoallw_:
    case Call::MPI_Scan_:
    case Call::MPI_Exscan_:
      return Spread::kEachOther;
    default:
      return Spread::kTwo;
  }
}

// Whether nobody goes on before all members have come.
bool HoldsAll(Call call) {
  switch (call) {
    case Call::MPI_Barrier_:
    case Call::MPI_Allreduce_:
    case Call::MPI_Allgather_:
    case Call::MPI_Allgatherv_:
    case Call::MPI_Alltoall_:
    case Call::MPI_Reduce_scatter_:
    case Call::MPI_Reduce_scatter_block_:
      return true;
    default:
      return false;
  }
}

bool IsOfWorld(const Node& node, int64_t ranks) {
  const auto* comm = reduction::FindParameter(node, Param::kComm);
  if (comm == nullptr || comm->empty()) return false;
  const reduction::RankTable table(*comm, ranks);
  for (int64_t rank = 0; rank < ranks; ++rank) {
    if (table.Constant(rank) != 0) return false;
  }
  return true;
}

// Bytes of sends that may be under way at one place of the program: until the
// first point where all ranks meet, from the last one on, and the most between
// two.
struct Backlog {
  double before = 0, after = 0, most = 0;
  bool meets = false;

  void Then(const Backlog& next) {
    if (!next.meets) {
      (meets ? after : before) += next.before;
      return;
    }
    if (meets) {
      most = std::max({most, after + next.before, next.most});
    } else {
      before += next.before;
      most = std::max(most, next.most);
    }
    after = next.after;
    meets = true;
  }
  Backlog Times(double trips) const {
    if (!meets) return {before * trips, 0, 0, false};
    return {before, after, trips > 1 ? std::max(most, after + before) : most,
            true};
  }
  double Most() const { return std::max({before, after, most}); }
};

class NeedsFinder {
 public:
  NeedsFinder(const Trace& trace, const std::vector<EventTotal>& totals,
              double bytes_scale)
      : trace_(trace),
        ranks_(double(trace.meta.ranks)),
        bytes_scale_(bytes_scale) {
    for (const EventTotal& total : totals) {
      of_site_[{total.call, total.site}] = &total;
    }
  }

  double messages() const { return messages_; }
  // Of a rank's area for sends, and for receives.
  double longest() const { return sent_ + received_; }
  double at_once() const { return at_once_; }

  // iterations: of the loop around, of a mean rank.
  Backlog Visit(const Node& node, double iterations) {
    const double trips = double(reduction::TotalOf(node.trips)) / ranks_;
    const double each = iterations > 0 ? trips / iterations : 0;
    return node.is_event() ? OfEvent(node, each)
                           : OfChildren(node, trips).Times(each);
  }
  Backlog OfChildren(const Node& loop, double iterations) {
    Backlog sum;
    for (const Node& child : loop.children) sum.Then(Visit(child, iterations));
    return sum;
  }

 private:
  // each: calls of a mean rank in one iteration.
  Backlog OfEvent(const Node& node, double each) {
    const EventTotal& total = *of_site_.at({node.call, node.site});
    const double count = std::max<double>(1, double(total.count));
    const double sent = bytes_scale_ * double(total.sent) / count;
    sent_ = std::max(sent_, sent);
    received_ =
        std::max(received_, bytes_scale_ * double(total.received) / count);
    const double calls = double(reduction::TotalOf(node.trips));
    const auto& info = reduction::Info(node.call);
    const MessageKind kind = reduction::MessageKindOf(node.call);
    const bool sends = kind == MessageKind::kSend || kind == MessageKind::kBoth;
    if (sends && info.makes_persistent) {
      of_start_ = std::max(of_start_, sent);
      return {};
    }
    const bool starts =
        node.call == Call::MPI_Start_ || node.call == Call::MPI_Startall_;
    if (sends || starts) {
      messages_ += calls;
      const double bytes = starts ? of_start_ : sent;
      const double held = (bytes < kCopied ? bytes : 0) + kOfMessage;
      return {each * ranks_ * held, 0, 0, false};
    }
    if (!info.collective) return {};
    messages_ += calls * MessagesOfMember(node);
    at_once_ = std::max(at_once_, ranks_ * sent);
    Backlog meeting;
    meeting.meets = HoldsAll(node.call) && IsOfWorld(node, trace_.meta.ranks);
    return meeting;
  }

  double MessagesOfMember(const Node& node) {
    switch (SpreadOf(node.call)) {
      case Spread::kOne:
        return 1;
      case Spread::kTwo:
        return 2;
      case Spread::kEachOther:
        return std::max(0.0, MembersOf(node) - 1);
    }
    return 0;
  }

  // As the first rank that makes the call knows its communicator.
  double MembersOf(const Node& node) {
    const auto* comm = reduction::FindParameter(node, Param::kComm);
    if (comm == nullptr) return ranks_;
    const reduction::RankTable table(*comm, trace_.meta.ranks);
    for (int64_t rank = 0; rank < trace_.meta.ranks; ++rank) {
      if (table.Count(rank) == 0) continue;
      const auto number = table.Constant(rank);
      if (!number || *number == 0) return ranks_;
      const int64_t size = reduction::CommSizes::Find(trace_, rank).Of(*number);
      return size > 0 ? double(size) : ranks_;
    }
    return 0;
  }

  const Trace& trace_;
  const double ranks_, bytes_scale_;
  std::map<std::pair<Call, uint32_t>, const EventTotal*> of_site_;
  double messages_ = 0, sent_ = 0, received_ = 0, of_start_ = 0, at_once_ = 0;
};

double NumberIn(const char* path, std::string_view key) {
  std::ifstream in(path);
  for (std::string word; in >> word;) {
    double number = 0;
    if (key.empty()) return std::atof(word.c_str());
    if (word == key && in >> number) return number;
  }
  return 0;
}

std::string NeededTime(double seconds) { return Duration(seconds * 1e9); }

}  // namespace

Result<SimulationNeeds> NeedsOf(const Trace& trace, uint64_t file_bytes,
                                double bytes_scale) {
  const auto totals = reduction::TotalsBySite(trace);
  if (!totals.ok()) return totals.status();
  NeedsFinder finder(trace, *totals, bytes_scale);
  const double held = finder.OfChildren(trace.root, 1).Most();
  SimulationNeeds needs;
  needs.ranks = trace.meta.ranks;
  needs.events = double(reduction::CountEvents(trace));
  needs.messages = finder.messages();
  const double ranks = double(needs.ranks);
  needs.seconds = ranks * kStartOfRank + needs.events * kPerEvent +
                  needs.messages * kPerMessage *
                      std::pow(std::max(1.0, ranks / kUsualRanks), kGrowth);
  needs.seconds_range = {needs.seconds / kWithin, needs.seconds * kWithin};
  const double standing =
      kBase +
      ranks * (kOfRank + kDecoded * double(file_bytes) + finder.longest());
  // Areas double as they grow, and blocks that were too small stay.
  needs.memory = {kLeast * standing, kMost * standing +
                                         ranks * 3 * finder.longest() + held +
                                         finder.at_once()};
  needs.mappings = kMappings + ranks * kMappingsOfRank;
  return needs;
}

SimulationRoom RoomHere() {
  constexpr double kBytesPerUnit = 1024;
  SimulationRoom room;
  room.memory = kBytesPerUnit * NumberIn("/proc/meminfo", "MemAvailable:");
  room.mappings = NumberIn("/proc/sys/vm/max_map_count", "");
  // Of a container; "max" is none. What it keeps of files is given up.
  const double most = NumberIn("/sys/fs/cgroup/memory.max", "");
  const double taken = NumberIn("/sys/fs/cgroup/memory.current", "") -
                       NumberIn("/sys/fs/cgroup/memory.stat", "inactive_file");
  if (most > 0) {
    const double left = std::max(1.0, most - taken);
    room.memory = room.memory > 0 ? std::min(room.memory, left) : left;
  }
  return room;
}

std::string WhyTooLarge(const SimulationNeeds& needs,
                        const SimulationRoom& room) {
  if (room.mappings > 0 && needs.mappings > room.mappings) {
    return fmt::format(
        "SimGrid maps memory about {:.0f} times for {}, and this system "
        "allows {:.0f} (vm.max_map_count)",
        needs.mappings, Counted(needs.ranks, "rank"), room.mappings);
  }
  if (room.memory > 0 && needs.memory.low > kFreeToTake * room.memory) {
    return fmt::format(
        "SimGrid needs at least {} of memory for {}, and {} are "
        "free here",
        AmountText(needs.memory.low, "B"), Counted(needs.ranks, "rank"),
        AmountText(room.memory, "B"));
  }
  return "";
}

std::string WhyTooLong(const SimulationNeeds& needs, double limit_seconds) {
  const double least = needs.seconds_range.low;
  if (!(least > limit_seconds)) return "";
  return fmt::format(
      "SimGrid would take at least {} of processor time, more than --limit "
      "{:g}",
      NeededTime(least), limit_seconds);
}

std::string NeedsText(const SimulationNeeds& needs) {
  return fmt::format(
      "about {} of processor time ({} to {}) and {} to {} of memory for {}, "
      "{:.0f} events",
      NeededTime(needs.seconds), NeededTime(needs.seconds_range.low),
      NeededTime(needs.seconds_range.high), AmountText(needs.memory.low, "B"),
      AmountText(needs.memory.high, "B"), Counted(needs.ranks, "rank"),
      needs.events);
}

namespace {

// As many as a number holds, of more.
uint64_t Whole(double count) {
  constexpr double kMost = 1e18;
  return static_cast<uint64_t>(std::clamp(count, 0.0, kMost));
}

}  // namespace

void AddNeeds(const SimulationNeeds& needs, JsonWriter* json) {
  const auto range = [&](const char* name, const NeededRange& r) {
    json->Key(name).BeginArray().Value(r.low).Value(r.high).EndArray();
  };
  json->BeginObject()
      .Member("events", Whole(needs.events))
      .Member("messages", Whole(needs.messages))
      .Member("processor_seconds", needs.seconds);
  range("processor_seconds_range", needs.seconds_range);
  range("memory_bytes_range", needs.memory);
  json->EndObject();
}

}  // namespace ranksight::cli
