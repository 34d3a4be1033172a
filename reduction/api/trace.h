// Trace: what one run did, all ranks in one program-like tree of loops and
// events. A rank's own queue is a trace of one rank; an extrapolated trace
// is a trace like any other.
//
// Reading the tree for rank r: start at root, one iteration. For each child
// in order take the next trip count t of r (0 when r has none) and, t times,
// either emit the event with the next value(s) of each parameter, or walk
// the loop's children. Sequences run on over the whole walk: trip counts are
// indexed by iterations of the parent, parameters by occurrences.
//
// Invariants:
//  1. root is a loop whose trip count is 1 on every rank (not stored).
//  2. An event's params match Info(call).params one to one; array
//     parameters are flattened over occurrences.
//  3. times is used by events only.
//  4. Every site index is < sites.sites.size(); loops have children.
// Thread-safety: value types.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reduction/api/call.h"
#include "reduction/api/memory.h"
#include "reduction/api/parameter.h"
#include "reduction/api/site.h"
#include "reduction/api/times.h"

namespace ranksight::reduction {

struct Node {
  enum class Kind : uint8_t { kLoop, kEvent };
  Kind kind = Kind::kLoop;
  Parameter trips;

  // Events only.
  Call call = Call::MPI_Init_;
  uint32_t site = 0;
  std::vector<Parameter> params;
  EventTimes times;

  // Loops only.
  std::vector<Node> children;

  bool is_event() const { return kind == Kind::kEvent; }
  bool operator==(const Node&) const = default;
};

// What a forecast said of an extrapolated trace; its middle is Meta::elapsed.
struct StatedForecast {
  double low_ns = 0, high_ns = 0;  // 90 % interval
  std::string refused;             // why it is not to be relied on; "": it is
  std::string basis;               // how it was found
  // Of a machine with a core for each rank and the network of this name; "": of
  // the machine of the runs.
  std::string network;
  bool operator==(const StatedForecast&) const = default;
};

// What the launcher and the batch system said of a run. Empty, 0: not known.
struct Launch {
  std::string by;      // whose job it is: slurm, pbs, lsf, openmpi, hydra
  std::string job_id;  // as that counts its jobs, not Meta::job
  std::string step;    // of that job
  int64_t nodes = 0;
  // Ranks on each node in turn, as Slurm writes it: "4(x2),3". They are all
  // ranks of the run.
  std::string tasks_per_node;
  bool operator==(const Launch&) const = default;
};

// A grid that MPI_Dims_create made.
struct MadeDims {
  int64_t nodes = 0;           // places in it
  std::vector<int64_t> asked;  // sides that the program had fixed, else 0
  std::vector<int64_t> dims;   // what it gave; as many
  bool operator==(const MadeDims&) const = default;
};
inline constexpr size_t kMostMadeDims = 8, kMostMadeSides = 16;

// How a trace came to be.
enum class Origin : uint8_t { kRecorded = 0, kExtrapolated = 1 };

// A call site of an extrapolated trace of which not everything has a law: what
// all ranks together do there, and half the widths of 90 % intervals.
struct SiteEstimate {
  std::string call, site;  // as ToString(Sites, ...) gives it
  double messages = 0, messages_width = 0;
  double bytes = 0, bytes_width = 0;
  double partners = 0, partners_width = 0;  // pairs of ranks, each way one
  bool operator==(const SiteEstimate&) const = default;
};

struct Meta {
  std::string program;  // base name of the executable
  std::string build_id;
  std::string job;  // unique per run: start time, host and pid of rank 0
  int64_t ranks = 1;
  Origin origin = Origin::kRecorded;
  int64_t start_unix_ns = 0;
  std::map<std::string, std::string> params;  // of the run, by the user
  // False when something after `complete_until_ns` (since MPI_Init) is
  // missing; the reason stands in losses.
  bool complete = true;
  int64_t complete_until_ns = 0;
  // Cuts of the run whose merged trace was handed on, this one included.
  int64_t epochs = 0;
  // On the host of rank 0: cores that its process may use, and ranks that the
  // launcher put there. 0: not known.
  int64_t host_cores = 0, host_ranks = 0;
  // Ranks shared cores, so computation is the processor time of the thread that
  // made the calls. Times in calls, and of the run, say whose turn it was: they
  // are not to be used.
  bool own_time = false;
  Moments elapsed;  // ns from MPI_Init's return to MPI_Finalize, by rank
  // Calls seen but not recorded, by name; polls (flag = 0) by name; other
  // losses by reason. Counts over all ranks.
  std::map<std::string, uint64_t> not_recorded;
  std::map<std::string, uint64_t> polls;
  std::map<std::string, uint64_t> losses;
  // Extrapolated traces: which law each parameter follows, readable.
  std::vector<std::string> laws;
  // Of twins: the call sites that are estimated. All others are exact.
  std::vector<SiteEstimate> estimates;
  std::optional<StatedForecast> forecast;  // of extrapolated traces
  Launch launch;                           // of recorded ones
  RunMemory memory;                        // likewise
  // Those that rank 0 had made, each once, in order; no more than
  // kMostMadeDims. nullopt: nobody looked.
  std::optional<std::vector<MadeDims>> made_dims;

  bool operator==(const Meta&) const = default;
};

struct Trace {
  Meta meta;
  Sites sites;
  Node root;
  // The laws it was made by, for any number of ranks: numbers that mean what
  // FORMAT.md says under "Laws". Here any will do; who makes traces from them
  // trusts none. Empty: none.
  std::vector<int64_t> law_code;
  bool operator==(const Trace&) const = default;
};

// Events over all ranks; 2^63 and more saturate.
uint64_t CountEvents(const Trace& trace);
// Events of one rank.
uint64_t CountEvents(const Trace& trace, int64_t rank);
// Nodes of the tree, root excluded.
uint64_t CountNodes(const Trace& trace);
// Takes away what receives matched that asked for any source or tag: it may
// differ from run to run.
void ForgetMatched(Trace* trace);
// Makes one call of those behind one another at one call site that complete
// what has come (MPI_Waitsome, MPI_Testsome): how many these were may differ
// from run to run, what they completed together does not. Leaves those that
// matched any source or tag (ForgetMatched), and what is too much.
void JoinArrivals(Trace* trace);
// Visits events in tree order.
template <class NodeT, class F>
void ForEachEvent(NodeT& node, F&& f) {
  if (node.is_event()) f(node);
  for (auto& child : node.children) ForEachEvent(child, f);
}

}  // namespace ranksight::reduction
