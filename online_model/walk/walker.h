// Walker: one walk of a program (walk.h), every actor as far as it can go.
//
// Invariants: an actor that waits stands at its operation and is told when
// what it may wait for changes; where messages may meet on a link, whoever is
// earliest goes on first.
// Thread-safety: one object, one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "online_model/walk/fifo.h"
#include "online_model/walk/highest.h"
#include "online_model/walk/rooted.h"
#include "online_model/walk/rounds.h"
#include "online_model/walk/traffic.h"
#include "online_model/walk/walk.h"

namespace ranksight::online_model {

class Walker {
 public:
  // REQUIRES: all of it outlives the walker.
  Walker(const Program& program, const Costs& costs, const Network& network,
         const Stop& stop);
  // REQUIRES: it was not called before.
  reduction::Result<Walked> Run();

 private:
  static constexpr uint32_t kNobody = UINT32_MAX;
  static constexpr double kPending = -1;
  static constexpr Traffic::Flight kNoFlight = UINT32_MAX;

  struct Slot {
    double ready = kPending;
    double bytes = 0;                    // of a message received
    Traffic::Flight flight = kNoFlight;  // ready no sooner than it is there
  };

  struct Sent {
    double inject;
    Traffic::Flight flight;  // kNoFlight while it waits for its receive
    double bytes;
    uint32_t rank, slot;  // the sender's, to tell when a long one is through
    // How often its latency and bytes are taken, as those of a collective are.
    double stage = 1, volume = 1;
  };

  struct Posted {
    double time;
    uint32_t rank, slot;
  };
  struct Channel {
    Fifo<Sent> sent;
    Fifo<Posted> posted;
  };

  using Turn = std::pair<double, uint32_t>;  // a time, and who then goes on

  // One collective of one communicator.
  struct Gathering {
    int64_t arrived = 0;
    // Of those that are waited for: all, or, where they send to the root, the
    // others.
    double first = std::numeric_limits<double>::infinity(), last = 0;
    double root = kPending, bytes = 0;
    struct Member {
      uint32_t rank, slot;
      double time;
      bool is_root;
    };
    std::vector<Member> waiting;
    std::vector<Turn> came;  // where actors stand for many
  };

  struct Rank {
    size_t at = 0, end = 0;
    double clock = 0;
    double out_free = 0, in_free = 0;  // its connection, either way
    bool queued = false;
    uint64_t computed = 0;
    double compute = 0;  // seconds so far
    // Of what was drawn since all met last: deviations that add up, as a rank
    // has the same one every time, and the squares and fourth powers of others.
    double between = 0, within = 0, fourth = 0;
    std::vector<Slot> slots;
    // Of a collective that is walked as messages: what is done there, the next
    // one, and the slots behind those of the program.
    std::vector<RootedStep> steps;
    size_t step = 0;
    uint32_t own_slots = 0;
  };
  struct Wild {
    uint32_t rank;
    const Operation* op;
    double time;
  };
  // What a collective takes its members.
  struct Taken {
    double all = 0;        // from the last that is waited for on
    double one = 0;        // a message between two of them
    double post = 0;       // posting one
    double posts = 0;      // those of the root
    double coming_in = 0;  // of all messages, one after the other, at the root
    bool holds = false;    // whether messages hold their senders
  };

  // Whose turn it is.
  void Wake(uint32_t r);
  // Whose time has come; who moves already need not be told.
  void Tell(uint32_t r) {
    if (r != moving_) Wake(r);
  }
  bool IsLaterThanOthers(double time) const {
    return traffic_.meets() && !ready_.empty() && ready_.top().first < time;
  }
  bool IsStopped();
  void Advance(uint32_t r);
  // The top bit of `computed`: the computation before the operation at hand
  // has been done.
  static constexpr uint64_t kBegun = uint64_t{1} << 63;
  static bool begun(const Rank& rank) { return (rank.computed & kBegun) != 0; }
  void Compute(uint32_t r, const Operation& op);
  void AddTime(uint32_t r, double time);
  // Of the others, that have less to do where work is uneven: the same ones at
  // all events. One rank has least, 0, and one most, 1.
  double ShareBelow(uint32_t r) const;
  // False when it has to wait, as those that follow.
  bool Do(uint32_t r, const Operation& op);
  bool Wait(uint32_t r, std::span<const uint32_t> slots);
  void LandAll(Rank* rank, std::span<const uint32_t> slots);

  // Messages of collectives.
  bool IsInMessages(const Operation& op) const;
  bool DoRooted(uint32_t r, const Operation& op);
  bool DoStep(uint32_t r, const Operation& op, const RootedStep& step);
  // Of the messages of a communicator's collectives.
  uint32_t OwnChannel(uint32_t comm, uint32_t from, uint32_t to);

  // Messages.
  Sent Inject(Rank* rank, double bytes) const;
  void Send(uint32_t r, const Operation& op);
  void Receive(uint32_t r, const Operation& op);
  const Program::End& EndOf(uint32_t r, const Operation& op) const;
  void Offer(uint32_t place, uint32_t to, Sent sent);
  void Ask(uint32_t place, const Posted& posted);
  void Match(const Sent& sent, const Posted& posted);
  // When nothing else moves: the wild receive whose message comes first.
  bool MatchOneWild();

  // Collectives whose members meet.
  void Join(uint32_t r, const Operation& op);
  Taken TakenBy(const Gathering& g, const Operation& op) const;
  // Tells the members that need not wait any longer when they are through.
  void Settle(Gathering* g, const Operation& op);
  // How long the root is held that sends to all.
  static double AtRootOf(CollectiveForm form, const Taken& taken);
  // When short messages of all others are at the root, where those that come
  // early do not wait for the last.
  static double CameIn(const Gathering& g, CollectiveForm form,
                       const Taken& taken);
  // When the last one comes of all that actors stand for. Those that waited
  // begin anew.
  double LastOf(const Gathering& g);
  // Of members that are all there. Ranks of a communicator are taken to be
  // in the order of those of all ranks.
  void SettleInRounds(Gathering* g, CollectiveForm form);

  const Program& program_;
  const Costs& costs_;
  const Network net_;
  const int64_t stride_ = StrideOf(program_.ranks);
  std::vector<Rank> ranks_;
  std::vector<Channel> channels_;
  std::vector<std::deque<Gathering>> gatherings_;  // by communicator
  std::vector<std::vector<size_t>> joined_;        // by communicator, rank
  std::vector<size_t> gone_ = std::vector<size_t>(gatherings_.size());
  // The earliest first: by clock where links are known, else by turn.
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> ready_;
  uint64_t turn_ = 0;
  uint32_t moving_ = kNobody;
  Traffic traffic_;
  Highest highest_;
  std::vector<Wild> wild_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> own_channels_;
  std::vector<uint32_t> own_slots_;
  std::vector<Slot> arrivals_;  // messages that a rank has waited for
  std::vector<RoundMember> members_;
  const Stop& stop_;
  uint64_t operations_ = 0;
  reduction::Status stopped_;
  Walked out_;
};

}  // namespace ranksight::online_model
