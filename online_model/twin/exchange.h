// Exchanges: call sites whose messages meet, with whom, how much and how often,
// as it was recorded on one size.
//
// An exchange is repeated by the loop around all its call sites. What two ranks
// say to one another over all repetitions is an edge, so that partners that
// stay and partners that change are one case; where each message has a partner
// of its own, each is an edge.
// Thread-safety: value types, pure functions. Complexity: O(messages).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "online_model/twin/rank_run.h"
#include "reduction/api/message_kind.h"

namespace ranksight::online_model {

// Where an event was called.
using SiteKey = std::pair<reduction::Call, uint32_t>;
inline SiteKey SiteOf(const reduction::Node& n) { return {n.call, n.site}; }

// Where a call keeps what its messages are; -1: nowhere.
struct MessageParams {
  reduction::MessageKind kind = reduction::MessageKind::kNone;
  int to = -1, send_tag = -1, send_count = -1, send_size = -1;
  int from = -1, recv_tag = -1, recv_count = -1, recv_size = -1;
};
MessageParams MessageParamsOf(reduction::Call call);

// One end of a message: whose, what its other end is, and how many bytes.
struct MessageEnd {
  int other = -1, count = -1, size = -1;
};
// The end that a call's traffic is counted by.
inline MessageEnd CountedEnd(const MessageParams& p) {
  return p.to >= 0 ? MessageEnd{p.to, p.send_count, p.send_size}
                   : MessageEnd{p.from, p.recv_count, p.recv_size};
}

// One point-to-point call of one rank; of a persistent request the call that
// makes it.
struct Talk {
  static constexpr int64_t kNone = -1;
  uint32_t rank = 0, node = 0;
  uint64_t run = 0;
  uint64_t iteration = 0;  // of the exchange's loop, on this rank
  // Who takes what it sends, and who sends what it takes.
  int64_t taken_by = kNone, sent_by = kNone;
};

// One input, rank by rank.
struct InputRun {
  int64_t ranks = 0;
  std::vector<const reduction::Node*> nodes;
  std::vector<RankRun> runs;
  std::vector<Talk> talks;  // rank by rank, in order
};

InputRun ReadInput(const reduction::Trace& trace, const TwinTree& tree);
// Which send meets which receive, in order between each two ranks and tag.
void MatchTalks(const TwinTree& tree, InputRun* input);
// Sets Talk::iteration to that of the loop.
void CountIterations(const TwinTree& tree, int loop, InputRun* input);
// Of the loop on one rank.
uint64_t IterationsOf(const RankRun& run, int loop);

// Sites that talk to one another.
struct Exchange {
  std::vector<SiteKey> sites;
  bool irregular = false;    // who, whether or how often has no law
  bool amounts = false;      // how much has none
  bool exact_sends = false;  // how often each rank sends has a law
  bool shifts = false;       // a call sends to one and receives from another
  int loop = 0;
  std::string refused;  // why it cannot be drawn; "" where it can
};

// Whether a call sends or receives, not both, and waits for that.
bool BlocksAlone(reduction::Call call);

// The innermost loop around all nodes of these sites that runs by laws.
int LoopAround(const TwinTree& tree, const std::vector<SiteKey>& sites);

// The parameter of a call on one rank; the fallback where it has none.
int64_t ParamOf(const InputRun& input, const Talk& t, int index,
                int64_t fallback);
bool IsOf(const Exchange& exchange, const TwinTree& tree, const Talk& t);

// Those of which something has no law, by the largest input.
// REQUIRES: MatchTalks was called for all.
std::vector<Exchange> FindExchanges(const TwinTree& tree,
                                    std::vector<InputRun>* inputs);

struct EdgeTalk {
  uint64_t iteration = 0;
  const Talk* talk = nullptr;
};

// What u and v say to one another; of them, u is asked first who v is.
struct Edge {
  int64_t u = 0, v = 0;
  std::vector<EdgeTalk> at_u, at_v;  // in order
  uint64_t messages = 0;             // both ways
  double bytes = 0;
  // Where one sends the other receives, call by call.
  bool is_mirrored = false;
  uint32_t round = 0;  // of shifts: which call of an iteration it is at u
};

struct EdgeList {
  int64_t ranks = 0;
  bool both_ways = false;   // u < v, and what both say
  std::vector<Edge> edges;  // by u, then by v
};

// What all ranks of one size send at a call site; of one that only receives,
// what they receive there.
struct SiteTraffic {
  double messages = 0, bytes = 0, partners = 0;  // pairs, each way one
};
using TrafficBySite = std::map<SiteKey, SiteTraffic>;
// Of the sites of an exchange.
TrafficBySite TrafficOf(const TwinTree& tree, const Exchange& exchange,
                        const InputRun& input);

enum class EdgeForm { kBothWays, kOneWay, kFresh, kShift };
// As the largest input shows.
EdgeForm FormOf(const TwinTree& tree, const Exchange& exchange,
                const InputRun& input);
EdgeList EdgesOf(const TwinTree& tree, const Exchange& exchange, EdgeForm form,
                 const InputRun& input);

// Calls f.Enter(node), f.Leave(node) for each iteration of a loop, and
// f.Event(node, run), in the order of the rank.
template <class F>
void WalkRun(const TwinTree& tree, const RankRun& run, int at, uint64_t from,
             uint64_t to, F& f) {
  for (uint64_t k = from; k < to; ++k) {
    if (tree.nodes[size_t(at)].like->is_event()) {
      f.Event(at, k);
      continue;
    }
    f.Enter(at);
    for (const int child : tree.nodes[size_t(at)].children) {
      const auto& starts = run.nodes[size_t(child)].starts;
      WalkRun(tree, run, child, starts[k], starts[k + 1], f);
    }
    f.Leave(at);
  }
}

}  // namespace ranksight::online_model
