// One recorded size as twins look at it: what each rank ran, its point-to-point
// calls in order, and which of them meet.
// Thread-safety: value types, pure functions. Complexity: O(messages).
#pragma once

#include <cstdint>
#include <optional>
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
  std::vector<int64_t> sides;  // of the grid by which laws were found
  std::vector<const reduction::Node*> nodes;
  std::vector<RankRun> runs;
  std::vector<Talk> talks;  // rank by rank, in order
  // By rank and number, how many ranks are in a communicator.
  std::vector<std::vector<int64_t>> comm_sizes;

  // 0: the rank has none of this number.
  int64_t CommSize(int64_t rank, int64_t number) const;
};

InputRun ReadInput(const reduction::Trace& trace, const TwinTree& tree);
// Sets Talk::iteration to that of the loop.
void CountIterations(const TwinTree& tree, int loop, InputRun* input);
// Of the loop on one rank.
uint64_t IterationsOf(const RankRun& run, int loop);

// Where a collective that parts of the ranks call together keeps how much each
// gives or takes; -1: nowhere. Nothing of other calls.
struct PartAmount {
  int count = -1, size = -1;
};
std::optional<PartAmount> PartAmountOf(const TwinTree::Item& item);

// The parameter of a call on one rank; the fallback where it has none.
int64_t ParamOf(const InputRun& input, const Talk& t, int index,
                int64_t fallback);

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
