// Messages under way in a network: when each is there. Where the machine's
// links are known, the head of a message waits at each link of its way until
// those before it are through, and holds up those behind it there until all its
// bytes are (virtual cut-through; Kermani, Kleinrock, Computer Networks 1979).
//
// Thread-safety: one thread at a time. Complexity: O(hops) a message.
#pragma once

#include <vector>

#include "online_model/walk/network.h"

namespace ranksight::online_model {

class Traffic {
 public:
  // network: outlives this.
  explicit Traffic(const Network& network);

  // Whether messages may meet, so that their order matters.
  bool meets() const { return !held_.empty(); }
  // When a message that leaves at `start` is there, whose latency and bytes
  // count `stage` and `volume` times; it holds the links of its way.
  double Travel(uint32_t from, uint32_t to, double start, double bytes,
                double stage = 1, double volume = 1);

 private:
  // When a link is held, for the last time without a break. What comes through
  // before that need not wait: messages are given in the order in which they
  // leave, not in that in which they come to a link.
  struct Held {
    double from = 0, until = 0;
    // When a message's head is through that comes at `head`.
    double Pass(double head, double busy);
  };

  const Network& net_;
  std::vector<Held> held_;  // by link; empty where none are known
  std::vector<uint32_t> route_;
};

}  // namespace ranksight::online_model
