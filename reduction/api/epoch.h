// Merging while the program runs: the same radix tree as in tree.h, but
// nothing waits.
//
// At a cut every rank freezes its queue and, whenever it has time, unites it
// with the newest that each child has sent, and sends the result to its
// parent. A queue is sent whole, not what came since the last cut: folded,
// it hardly grows, and so joining epochs is taking the last one, without a
// scar and whatever got lost in between.
//
// A child that does not deliver is waited for once, then left out of the
// waiting (not out of the result: the newest it sent counts) until it is
// heard of again. So a rank that never calls MPI holds nobody up.
//
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

// Which ranks the tree joins first: those of a host, then neighbouring blocks
// of the order.
struct TreeOrder {
  // By place; rank 0 is the first. Nothing where places are ranks.
  std::vector<int64_t> ranks;
  // The first place of each host, ascending from 0, if there are several and
  // each has consecutive places; otherwise nothing.
  std::vector<int64_t> host_firsts;
};
inline const TreeOrder kRankOrder;

// Carries messages between ranks without waiting. Messages between two ranks
// stay in order.
class Channel {
 public:
  virtual ~Channel() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // The same on all ranks.
  virtual const TreeOrder& order() const { return kRankOrder; }
  // Starts sending. REQUIRES: !Sending().
  virtual Status Send(int to, std::vector<uint8_t> bytes) = 0;
  // Whether the last message is still under way.
  virtual bool Sending() = 0;
  // The next message from a rank, if all of it is there.
  virtual std::optional<std::vector<uint8_t>> Poll(int from) = 0;
};

class EpochTree {
 public:
  // REQUIRES: radix >= 2; channel outlives the tree.
  EpochTree(Channel* channel, int radix);

  // Levels of the tree below this rank; 0 for a leaf.
  int height() const { return height_; }
  int tree_height() const { return tree_height_; }  // of rank 0
  bool is_root() const { return parent_ < 0; }

  // Takes in what children have sent. Short.
  void Poll();
  // Whether each child that is waited for has sent a cut >= cut.
  bool HasAll(uint64_t cut) const;
  // From now on does not wait for those that have not.
  void GiveUpOn(uint64_t cut);

  // mine and the newest of every child in one trace, marked incomplete.
  // Ranks never heard of are counted in losses["rank_not_heard"]. Pauses.
  Trace Unite(Trace mine) const;
  // Sends to the parent. Nothing happens, and the result is false, while the
  // message before is under way. Pauses while it encodes.
  bool SendUp(const Trace& united, uint64_t cut);

  // Ends the traffic: takes and drops what is under way. Every rank calls it
  // once, together; idle is called while others are waited for.
  void Close(void (*idle)());

 private:
  struct Child {
    int rank;
    int64_t ranks;
    bool late = false;
    bool ended = false;           // sends no more
    uint64_t cut = 0;             // of `newest`
    std::vector<uint8_t> newest;  // encoded; empty: never heard of
  };
  Channel* channel_;
  int parent_ = -1;
  int height_ = 0;
  int tree_height_ = 0;
  std::vector<Child> children_;
};

// Frees a trace in steps, with pauses between them: all at once takes longer
// than a slice may.
void Discard(Trace trace);

}  // namespace ranksight::reduction
