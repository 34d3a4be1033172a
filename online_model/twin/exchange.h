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
#include <vector>

#include "online_model/twin/input_run.h"

namespace ranksight::online_model {

// Sites that talk to one another.
struct Exchange {
  std::vector<SiteKey> sites;
  bool irregular = false;    // who, whether or how often has no law
  bool amounts = false;      // how much has none
  bool sizes = false;        // what an element is has none
  bool comms = false;        // which communicator has none
  bool exact_sends = false;  // how often each rank sends has a law
  bool shifts = false;       // a call sends to one and receives from another
  bool posts_sizes = true;   // a receive says as much as comes, not more
  int loop = 0;
  std::string refused;  // why it cannot be drawn; "" where it can
};

// Whether a call sends or receives, not both, and waits for that.
bool BlocksAlone(reduction::Call call);

// The innermost loop around all nodes of these sites that runs by laws.
int LoopAround(const TwinTree& tree, const std::vector<SiteKey>& sites);

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
  // Besides, what one sends the other answers, again and again.
  bool is_answered = false;
  uint32_t round = 0;  // of shifts: which call of an iteration it is at u
};

struct EdgeList {
  int64_t ranks = 0;
  std::vector<int64_t> sides;  // of the input's grid
  bool both_ways = false;      // u < v, and what both say
  std::vector<Edge> edges;     // by u, then by v
};

// What all ranks of one size send at a call site; of one that only receives,
// what they receive there.
struct SiteTraffic {
  double messages = 0, bytes = 0, partners = 0;  // pairs, each way one
  double elements = 0;                           // that the bytes are
};
using TrafficBySite = std::map<SiteKey, SiteTraffic>;
// Of what parts of the ranks call together: calls and what they give.
TrafficBySite TrafficOfParts(const TwinTree& tree, const InputRun& input);
// Of the sites of an exchange.
TrafficBySite TrafficOf(const TwinTree& tree, const Exchange& exchange,
                        const InputRun& input);

enum class EdgeForm { kBothWays, kOneWay, kFresh, kShift };
// As the largest input shows.
EdgeForm FormOf(const TwinTree& tree, const Exchange& exchange,
                const InputRun& input);
EdgeList EdgesOf(const TwinTree& tree, const Exchange& exchange, EdgeForm form,
                 const InputRun& input);

}  // namespace ranksight::online_model
