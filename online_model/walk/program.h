// A trace as lists of elementary operations, one list an actor, ready to be
// walked often with other times: calls split into what is posted and what is
// waited for, messages by channel, communicators by number. An actor is a rank,
// or stands for many that do the same (rank_classes.h).
//
// Memory: one operation of 40 bytes for each send, receive, collective or
// wait of every list; traces that need more than kMostOperations are refused.
// Thread-safety: immutable once built.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// How a collective moves data: what its cost grows with, who waits for whom.
enum class CollectiveForm : uint8_t {
  kTree,       // all wait for all; stages, whole data in each
  kTreeDown,   // from the root
  kTreeUp,     // to the root
  kAllgather,  // all wait for all; blocks of every member
  kAlltoall,   // likewise; a block for every member
  kFanOut,     // a block for every member, from the root
  kFanIn,      // from every member, to the root
  kMakesComm,  // communicators, files, windows: all wait for all
  kForms
};

// Where in the program an event stands: computation before it may differ.
// Numbered alike in all programs that one table is given to.
class ContextTable {
 public:
  struct Context {
    uint32_t event = 0;
    uint32_t after = 0;     // the event before it on its rank
    bool begins = false;    // first round of the repetition around it
    bool restarts = false;  // with the arguments of its first occurrence
    bool is_root = false;   // of a collective, whose work may be its own
    auto operator<=>(const Context&) const = default;
  };
  uint32_t NumberOf(const Context& context);
  const std::vector<Context>& contexts() const { return contexts_; }

 private:
  std::map<Context, uint32_t> numbers_;
  std::vector<Context> contexts_;
};

// A rank's first occurrence of an event, or one of the others: what is computed
// before may differ.
enum Occasion : int { kFirst, kLater, kOccasions };

struct Operation {
  enum class Kind : uint8_t {
    kLocal,       // takes the event's own time
    kSend,        // starts a message
    kReceive,     // posts a receive
    kCollective,  // arrives at a collective
    kWait,        // for `count` slots from `lists[first]` on
  };
  static constexpr uint32_t kAny = UINT32_MAX;
  Kind kind = Kind::kLocal;
  bool leads = false;  // first of its call: computation comes before it
  bool first = false;  // of the event's first occurrence on this rank
  bool is_root = false;
  bool wild = false;  // a receive of any source or tag
  // Of a collective with a root: the call waits, and its members are known, so
  // that it may be walked as messages.
  bool by_members = false;
  CollectiveForm form = CollectiveForm::kTree;
  uint32_t event = 0;
  uint32_t context = 0;
  // Channel, or communicator; the source (or kAny) of a wild receive.
  uint32_t place = 0;
  union {
    uint32_t slot = 0;
    uint32_t first_slot;  // kWait: index into lists
  };
  union {
    uint32_t count = 0;
    uint32_t tag;   // of a wild receive: tag + 1, or 0 for any
    uint32_t root;  // where by_members: its place among them
  };
  double bytes = 0;
};

// Who walks through a list of operations.
struct Actor {
  size_t begin = 0, end = 0;  // its operations, which others may share
  uint32_t rank = 0;          // the rank that it is, or one of those
  uint32_t slots = 0;         // numbers of slots are below
  uint32_t first_end = 0;     // index into Program::ends
  uint32_t group = 0;         // index into Program::groups
  double stands_for = 1;      // ranks
};

struct Program {
  int64_t ranks = 0;
  // By context: occurrences over all ranks.
  std::array<std::vector<double>, kOccasions> occurrences;
  uint32_t events = 0;  // event numbers are below
  std::vector<Operation> operations;
  std::vector<Actor> actors;
  std::vector<uint32_t> lists;     // slots of waits
  std::vector<int64_t> comm_size;  // by communicator
  // Likewise: ranks in order, and the place of each; none where it is all
  // ranks, or nobody asks.
  std::vector<std::vector<uint32_t>> comm_members;
  std::vector<std::unordered_map<uint32_t, uint32_t>> comm_places;
  struct Channel {
    uint32_t source = 0, to = 0, tag = 0;  // tag + 1
    int64_t comm = 0;
  };
  std::vector<Channel> channels;
  std::vector<std::vector<uint32_t>> channels_to;  // by receiving rank

  // Where actors stand for many. A send or a receive names an end of a channel,
  // by its number on its actor; what is given to the end's own channel is heard
  // of on other channels, too, by those who look at this actor for one of the
  // ranks that it stands for.
  struct End {
    uint32_t channel = 0;
    uint32_t heard = 0, heard_end = 0;  // indices into heard_on
  };
  std::vector<End> ends;
  std::vector<uint32_t> heard_on;  // channels
  size_t class_channels = 0;
  struct Group {
    double ranks = 0, actors = 0;
  };
  std::vector<Group> groups;

  uint32_t PlaceIn(uint32_t comm, uint32_t rank) const {
    return comm_members[comm].empty() ? rank : comm_places[comm].at(rank);
  }
  uint32_t MemberAt(uint32_t comm, uint32_t place) const {
    return comm_members[comm].empty() ? place : comm_members[comm][place];
  }
  bool ByClasses() const { return !groups.empty(); }
  size_t ChannelCount() const {
    return ByClasses() ? class_channels : channels.size();
  }
  // Actors that come to a collective of the communicator.
  int64_t Arrivals(uint32_t comm) const {
    return ByClasses() ? int64_t(actors.size()) : comm_size[comm];
  }
};

// Twice as many would take more than 2 GiB.
inline constexpr size_t kMostOperations = size_t{1} << 25;

// event_of: the number of a node's event, below `events`.
// kNo when the trace holds what has no such form (intercommunicators) or is
// too large.
reduction::Result<Program> Compile(
    const reduction::Trace& trace, uint32_t events,
    const std::function<uint32_t(const reduction::Node&)>& event_of,
    ContextTable* contexts);

// The same of some ranks only, each counted as so many.
struct CountedRank {
  int64_t rank = 0;
  double stands_for = 1;
};
reduction::Result<Program> CompileRanks(
    const reduction::Trace& trace, uint32_t events,
    const std::function<uint32_t(const reduction::Node&)>& event_of,
    const std::vector<CountedRank>& ranks, ContextTable* contexts);

}  // namespace ranksight::online_model
