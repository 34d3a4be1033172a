// Messages under way in a network: when each is there. Where the machine's
// links are known, messages that meet on one delay each other:
//
// - One by one: the head of a message waits at each link of its way until those
//   before it are through, and holds up those behind it there until all its
//   bytes are (virtual cut-through; Kermani, Kleinrock, Computer Networks
//   1979).
// - Shared, where times of messages were measured (Network::curve): messages on
//   a link have equal parts of it (processor sharing; Kleinrock, "Queueing
//   Systems", 1976), so that who is under way is delayed by who leaves later,
//   too. Of a message's links the one that is through with it last counts; it
//   is taken to be on all of them from when it leaves.
//
// REQUIRES: where meets(), messages are given about in the order in which they
// leave. Thread-safety: one thread at a time. Complexity: O(hops) a message;
// shared, O(hops x messages on them).
#pragma once

#include <cstdint>
#include <vector>

#include "online_model/walk/network.h"
#include "online_model/walk/touched_table.h"

namespace ranksight::online_model {

class Traffic {
 public:
  // network: outlives this.
  explicit Traffic(const Network& network);

  // Whether messages may meet, so that their order matters; and whether later
  // ones delay those that are under way.
  bool meets() const { return !held_.empty() || shares(); }
  bool shares() const { return !links_.empty(); }

  using Flight = uint32_t;
  // A message that leaves at `start`, whose latency and bytes count `stage` and
  // `volume` times. To be given back with Land, once.
  Flight Travel(uint32_t from, uint32_t to, double start, double bytes,
                double stage = 1, double volume = 1);
  // When it is there, as far as the messages given so far say.
  double ArrivalOf(Flight flight) const { return flights_[flight].there; }
  // For one more, who gives it back, too.
  void Share(Flight flight) { ++flights_[flight].uses; }
  void Land(Flight flight) {
    if (--flights_[flight].uses == 0) free_.push_back(flight);
  }

 private:
  struct Message {
    double there = 0, latency = 0;
    uint32_t uses = 0;  // by who sends or receives it, and links that share
  };
  // When a link is held, for the last time without a break. What comes through
  // before that need not wait: messages are given in the order in which they
  // leave, not in that in which they come to a link.
  struct Held {
    double from = 0, until = 0;
    // When a message's head is through that comes at `head`.
    double Pass(double head, double busy);
  };
  // A shared link's time is that of a message alone: with n on it, it goes n
  // times slower than the clock.
  struct OnLink {
    double end = 0;  // in the link's time
    Flight flight = 0;
  };
  struct Link {
    double clock = 0, time = 0;
    size_t fresh = 0;              // since all were told of others
    std::vector<OnLink> messages;  // by end
  };
  Flight NewFlight();
  // The latest that a link of the way lets a message be there.
  double OneByOne(double start, double bytes, double stage, double busy);
  void Advance(Link* link, double clock);
  void Enter(Link* link, Flight flight, double busy);

  const Network& net_;
  std::vector<Message> flights_;
  std::vector<Flight> free_;
  TouchedTable<Held> held_;   // by link, where they are passed one by one
  TouchedTable<Link> links_;  // by link, where they are shared
  std::vector<uint32_t> route_;
};

}  // namespace ranksight::online_model
