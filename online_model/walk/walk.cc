#include "online_model/walk/walk.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <queue>
#include <span>
#include <tuple>
#include <utility>

#include "online_model/walk/highest.h"
#include "online_model/walk/rooted.h"
#include "online_model/walk/rounds.h"
#include "online_model/walk/traffic.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

constexpr double kPending = -1;

// A number of a standard normal distribution that the key decides: the mean
// of four uniform ones, stretched.
double NormalOf(uint64_t key) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    key += 0x9e3779b97f4a7c15u;  // splitmix64
    uint64_t z = key;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    sum += double((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  return (sum - 2) * std::sqrt(3.0);
}

constexpr Traffic::Flight kNoFlight = UINT32_MAX;

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

// First in, first out; most hold one thing or none.
template <class T>
class Fifo {
 public:
  bool empty() const { return head_ == items_.size(); }
  const T& front() const { return items_[head_]; }
  void push_back(const T& item) { items_.push_back(item); }
  void pop_front() {
    if (++head_ == items_.size()) {
      items_.clear();
      head_ = 0;
    }
  }

 private:
  std::vector<T> items_;
  size_t head_ = 0;
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

class Walker {
 public:
  Walker(const Program& program, const Costs& costs, const Network& network,
         const Stop& stop)
      : program_(program),
        costs_(costs),
        net_(network.At(double(program.ranks))),
        ranks_(program.actors.size()),
        channels_(program.ChannelCount()),
        gatherings_(program.comm_size.size()),
        joined_(program.comm_size.size()),
        traffic_(net_),
        highest_(program.groups),
        stop_(stop) {
    for (size_t r = 0; r < ranks_.size(); ++r) {
      const Actor& actor = program.actors[r];
      ranks_[r].at = actor.begin;
      ranks_[r].end = actor.end;
      ranks_[r].slots.resize(actor.slots);
      ranks_[r].own_slots = actor.slots;
      Wake(uint32_t(r));
    }
    out_.in_call.resize(program.events);
    out_.compute.resize(program.events);
  }

  reduction::Result<Walked> Run() {
    do {
      while (!ready_.empty()) {
        const uint32_t r = ready_.top().second;
        ready_.pop();
        ranks_[r].queued = false;
        moving_ = r;
        Advance(r);
        moving_ = kNobody;
        if (!stopped_.ok()) return stopped_;
      }
    } while (MatchOneWild());
    for (const Rank& r : ranks_) {
      if (r.at != r.end) return Status::No("ranks wait for one another");
      out_.seconds = std::max(out_.seconds, r.clock);
      out_.most_computed = std::max(out_.most_computed, r.compute);
    }
    if (program_.ByClasses()) {
      highest_.Clear();
      for (uint32_t r = 0; r < ranks_.size(); ++r) AddTime(r, ranks_[r].clock);
      out_.seconds = highest_.Last();
    }
    return std::move(out_);
  }

 private:
  static constexpr uint32_t kNobody = UINT32_MAX;
  struct Wild {
    uint32_t rank;
    const Operation* op;
    double time;
  };

  void Wake(uint32_t r) {
    if (ranks_[r].queued) return;
    ranks_[r].queued = true;
    // Messages that may meet on a link have to leave in the order of time;
    // else the order does not matter.
    ready_.emplace(traffic_.meets() ? ranks_[r].clock : double(++turn_), r);
  }

  // Whose time has come; who moves already need not be told.
  void Tell(uint32_t r) {
    if (r != moving_) Wake(r);
  }

  bool IsLaterThanOthers(double time) const {
    return traffic_.meets() && !ready_.empty() && ready_.top().first < time;
  }

  bool IsStopped() {
    if (++operations_ % kStopEvery == 0 && stop_) stopped_ = stop_();
    return !stopped_.ok();
  }

  void Advance(uint32_t r) {
    Rank& rank = ranks_[r];
    while (rank.at != rank.end && !IsStopped()) {
      const Operation& op = program_.operations[rank.at];
      if (op.leads && !begun(rank)) Compute(r, op);
      const double start = rank.clock;
      const bool done = Do(r, op);
      out_.in_call[op.event] +=
          program_.actors[r].stands_for * (rank.clock - start);
      if (!done) {
        rank.computed |= kBegun;
        return;
      }
      rank.computed &= ~kBegun;
      ++rank.at;
    }
  }

  // The top bit of `computed`: the computation before the operation at hand
  // has been done.
  static constexpr uint64_t kBegun = uint64_t{1} << 63;
  static bool begun(const Rank& rank) { return (rank.computed & kBegun) != 0; }

  void Compute(uint32_t r, const Operation& op) {
    const Occasion occasion = op.first ? kFirst : kLater;
    const ComputeSpread& spread = costs_.events[op.event].spread[occasion];
    double t = costs_.compute[occasion][op.context];
    Rank& rank = ranks_[r];
    if (t > 0 && (spread.between > 0 || spread.within > 0)) {
      const uint32_t number = program_.actors[r].rank;
      const uint64_t own = (uint64_t(number) << 32) + op.event;
      const double of_rank =
          spread.uneven.known()
              ? spread.uneven.At(ShareBelow(number))
              : 1 + spread.between * NormalOf(own * 0x2545f491u);
      const double jitter =
          spread.within * NormalOf((own << 20) ^ rank.computed);
      if (!spread.uneven.known()) rank.between += t * spread.between;
      const double square = t * spread.within * t * spread.within;
      rank.within += square;
      rank.fourth += square * square;
      t *= std::max(0.0, of_rank + jitter);
      ++rank.computed;
    }
    rank.clock += t;
    rank.compute += t;
    out_.compute[op.event] += program_.actors[r].stands_for * t;
  }

  void AddTime(uint32_t r, double time) {
    const Rank& rank = ranks_[r];
    const double between = rank.between * rank.between;
    highest_.Add(program_.actors[r].group, time, between + rank.within,
                 between * between + rank.fourth);
  }

  // Of the others, that have less to do where work is uneven: the same ones at
  // all events. One rank has least, 0, and one most, 1.
  double ShareBelow(uint32_t r) const {
    const int64_t ranks = program_.ranks;
    return ranks == 1
               ? 1
               : double(int64_t(r) * stride_ % ranks) / double(ranks - 1);
  }

  // False when it has to wait.
  bool Do(uint32_t r, const Operation& op) {
    Rank& rank = ranks_[r];
    switch (op.kind) {
      case Operation::Kind::kLocal:
        rank.clock += costs_.events[op.event].local;
        return true;
      case Operation::Kind::kSend:
      case Operation::Kind::kReceive:
        if (IsLaterThanOthers(rank.clock)) {
          Wake(r);
          return false;
        }
        op.kind == Operation::Kind::kSend ? Send(r, op) : Receive(r, op);
        return true;
      case Operation::Kind::kCollective:
        if (IsInMessages(op)) return DoRooted(r, op);
        Join(r, op);
        return true;
      case Operation::Kind::kWait:
        return Wait(r,
                    std::span(program_.lists).subspan(op.first_slot, op.count));
    }
    return true;
  }

  bool IsInMessages(const Operation& op) const {
    return op.by_members && net_.links != nullptr &&
           InMessages(net_.flat[size_t(op.form)], program_.comm_size[op.place]);
  }

  // False when it has to wait.
  bool DoRooted(uint32_t r, const Operation& op) {
    Rank& rank = ranks_[r];
    if (rank.steps.empty()) {
      rank.steps = RootedSteps(op.form, net_.flat[size_t(op.form)],
                               uint32_t(program_.comm_size[op.place]),
                               program_.PlaceIn(op.place, r), op.root,
                               net_.bytes_scale * op.bytes);
      rank.step = 0;
    }
    for (; rank.step < rank.steps.size(); ++rank.step) {
      if (!DoStep(r, op, rank.steps[rank.step])) return false;
    }
    rank.steps.clear();
    rank.slots[op.slot] = {rank.clock};
    return true;
  }

  bool DoStep(uint32_t r, const Operation& op, const RootedStep& step) {
    Rank& rank = ranks_[r];
    const uint32_t slot = rank.own_slots + step.slot;
    if (step.kind == RootedStep::Kind::kWait) {
      own_slots_.clear();
      for (uint32_t i = 0; i < step.count; ++i) own_slots_.push_back(slot + i);
      return Wait(r, own_slots_);
    }
    if (IsLaterThanOthers(rank.clock)) {
      Wake(r);
      return false;
    }
    if (rank.slots.size() <= slot) rank.slots.resize(slot + 1);
    const uint32_t other = program_.MemberAt(op.place, step.member);
    if (step.kind == RootedStep::Kind::kReceive) {
      rank.slots[slot] = {};
      Ask(OwnChannel(op.place, other, r), {rank.clock, r, slot});
      return true;
    }
    Sent sent = Inject(&rank, step.bytes);
    sent.rank = r;
    sent.slot = slot;
    sent.stage = net_.stage[size_t(op.form)];
    sent.volume = net_.volume[size_t(op.form)];
    rank.slots[slot] = {step.bytes <= net_.eager_limit ? rank.clock : kPending};
    Offer(OwnChannel(op.place, r, other), other, sent);
    return true;
  }

  // Of the messages of a communicator's collectives.
  uint32_t OwnChannel(uint32_t comm, uint32_t from, uint32_t to) {
    const auto [it, fresh] = own_channels_.try_emplace(
        std::tuple(comm, from, to), uint32_t(channels_.size()));
    if (fresh) channels_.emplace_back();
    return it->second;
  }

  Sent Inject(Rank* rank, double bytes) const {
    rank->clock += net_.overhead * net_.machine.Message(0);
    const double inject = std::max(rank->clock, rank->out_free);
    rank->out_free = inject + net_.BusyWith(bytes);
    return {inject, kNoFlight, bytes, kNobody, 0};
  }

  void Send(uint32_t r, const Operation& op) {
    Rank& rank = ranks_[r];
    const double bytes = net_.bytes_scale * op.bytes;
    const Sent heard = Inject(&rank, bytes);
    rank.slots[op.slot] = {bytes <= net_.eager_limit ? rank.clock : kPending};
    Sent sent = heard;
    sent.rank = r;
    sent.slot = op.slot;
    if (!program_.ByClasses()) {
      Offer(op.place, program_.channels[op.place].to, sent);
      return;
    }
    // Links are not known, so that nobody asks where it goes.
    const Program::End& end = EndOf(r, op);
    Offer(end.channel, r, sent);
    for (uint32_t i = end.heard; i < end.heard_end; ++i) {
      Offer(program_.heard_on[i], r, heard);
    }
  }

  const Program::End& EndOf(uint32_t r, const Operation& op) const {
    return program_.ends[size_t(program_.actors[r].first_end) + op.place];
  }

  void Offer(uint32_t place, uint32_t to, Sent sent) {
    if (sent.bytes <= net_.eager_limit && !net_.pulled) {
      const uint32_t from = sent.rank == kNobody ? to : sent.rank;
      sent.flight = traffic_.Travel(from, to, sent.inject, sent.bytes,
                                    sent.stage, sent.volume);
    }
    Channel& channel = channels_[place];
    if (channel.posted.empty()) {
      channel.sent.push_back(sent);
    } else {
      const Posted posted = channel.posted.front();
      channel.posted.pop_front();
      Match(sent, posted);
    }
  }

  void Receive(uint32_t r, const Operation& op) {
    Rank& rank = ranks_[r];
    rank.slots[op.slot] = {};
    if (op.wild) {
      wild_.push_back({r, &op, rank.clock});
      return;
    }
    const Posted posted{rank.clock, r, op.slot};
    if (!program_.ByClasses()) {
      Ask(op.place, posted);
      return;
    }
    const Program::End& end = EndOf(r, op);
    Ask(end.channel, posted);
    for (uint32_t i = end.heard; i < end.heard_end; ++i) {
      Ask(program_.heard_on[i], {rank.clock, kNobody, 0});
    }
  }

  void Ask(uint32_t place, const Posted& posted) {
    Channel& channel = channels_[place];
    if (channel.sent.empty()) {
      channel.posted.push_back(posted);
    } else {
      const Sent sent = channel.sent.front();
      channel.sent.pop_front();
      Match(sent, posted);
    }
  }

  void Match(const Sent& sent, const Posted& posted) {
    const bool is_long = sent.bytes > net_.eager_limit;
    const Traffic::Flight flight =
        sent.flight == kNoFlight
            ? traffic_.Travel(sent.rank == kNobody ? 0 : sent.rank,
                              posted.rank == kNobody ? 0 : posted.rank,
                              std::max(sent.inject, posted.time), sent.bytes,
                              sent.stage, sent.volume)
            : sent.flight;
    // One of the two may only be heard of.
    const bool receives = posted.rank != kNobody;
    const bool waits = is_long && sent.rank != kNobody;
    if (receives) {
      ranks_[posted.rank].slots[posted.slot] = {posted.time, sent.bytes,
                                                flight};
      Tell(posted.rank);
    }
    if (waits) {
      if (receives) traffic_.Share(flight);
      ranks_[sent.rank].slots[sent.slot] = {0, 0, flight};
      Tell(sent.rank);
    }
    if (!receives && !waits) traffic_.Land(flight);
  }

  bool Wait(uint32_t r, std::span<const uint32_t> slots) {
    Rank* const rank = &ranks_[r];
    arrivals_.clear();
    double last = rank->clock;
    for (const uint32_t number : slots) {
      Slot slot = rank->slots[number];
      if (slot.ready == kPending) return false;
      if (slot.flight != kNoFlight) {
        slot.ready = std::max(slot.ready, traffic_.There(slot.flight));
      }
      last = std::max(last, slot.ready);
      arrivals_.push_back(slot);
    }
    if (traffic_.shares() && IsLaterThanOthers(last)) {
      // Who may yet delay what it waits for.
      rank->queued = true;
      ready_.emplace(last, r);
      return false;
    }
    LandAll(rank, slots);
    std::sort(arrivals_.begin(), arrivals_.end(),
              [](const Slot& a, const Slot& b) { return a.ready < b.ready; });
    for (const Slot& slot : arrivals_) {
      double ready = slot.ready;
      if (slot.bytes > 0) {
        // Messages come in one after the other.
        ready = std::max(ready, rank->in_free + net_.BusyWith(slot.bytes));
        rank->in_free = ready;
      }
      rank->clock = std::max(rank->clock, ready);
    }
    return true;
  }

  void LandAll(Rank* rank, std::span<const uint32_t> slots) {
    for (const uint32_t number : slots) {
      Slot& slot = rank->slots[number];
      if (slot.flight == kNoFlight) continue;
      slot.ready = std::max(slot.ready, traffic_.There(slot.flight));
      traffic_.Land(std::exchange(slot.flight, kNoFlight));
    }
  }

  void Join(uint32_t r, const Operation& op) {
    Rank& rank = ranks_[r];
    rank.slots[op.slot] = {};
    auto& joined = joined_[op.place];
    if (joined.empty()) joined.resize(ranks_.size());
    auto& list = gatherings_[op.place];
    const size_t k = joined[r]++;
    const size_t gone = gone_[op.place];
    while (list.size() <= k - gone) list.emplace_back();
    Gathering& g = list[k - gone];
    ++g.arrived;
    const bool is_waited_for = !op.is_root || !IsUp(op.form);
    if (is_waited_for) {
      g.first = std::min(g.first, rank.clock);
      g.last = std::max(g.last, rank.clock);
    }
    g.bytes = std::max(g.bytes, net_.bytes_scale * op.bytes);
    if (op.is_root) g.root = rank.clock;
    g.waiting.push_back({r, op.slot, rank.clock, op.is_root});
    if (program_.ByClasses() && is_waited_for) {
      g.came.emplace_back(rank.clock, r);
    }
    if (!InRounds(net_.links.get(), op.form,
                  size_t(program_.comm_size[op.place]))) {
      Settle(&g, op);
    } else if (g.arrived == program_.Arrivals(op.place)) {
      SettleInRounds(&g, op.form);
    }
    while (!list.empty() &&
           list.front().arrived == program_.Arrivals(op.place)) {
      list.pop_front();
      ++gone_[op.place];
    }
  }

  // What a collective takes its members.
  struct Taken {
    double all = 0;        // from the last that is waited for on
    double one = 0;        // a message between two of them
    double post = 0;       // posting one
    double posts = 0;      // those of the root
    double coming_in = 0;  // of all messages, one after the other, at the root
    bool holds = false;    // whether messages hold their senders
  };
  Taken TakenBy(const Gathering& g, const Operation& op) const {
    const double members = double(program_.comm_size[op.place]);
    const double each = LengthOf(op.form, members, g.bytes);
    Taken t;
    t.all = net_.CostOf(op.form, members, g.bytes);
    t.one = net_.CostOf(op.form, 2, g.bytes / members);
    t.post = net_.overhead * net_.machine.Message(0);
    t.posts = std::ceil(std::log2(members)) * t.post;
    t.coming_in = (members - 1) * net_.BusyWith(each);
    t.holds = each > net_.eager_limit;
    return t;
  }

  // Tells the members that need not wait any longer when they are through.
  void Settle(Gathering* g, const Operation& op) {
    const bool all = g->arrived == program_.Arrivals(op.place);
    const bool down = IsDown(op.form), up = IsUp(op.form);
    // Else nobody goes on, and whoever waits need not be looked at.
    if (!up && !all && !(down && g->root != kPending)) return;
    const Taken taken = TakenBy(*g, op);
    if (all && program_.ByClasses()) g->last = LastOf(*g);
    std::erase_if(g->waiting, [&](const Gathering::Member& m) {
      double ready = kPending;
      if (down && g->root != kPending) {
        ready = m.is_root ? m.time + AtRootOf(op.form, taken)
                          : std::max(m.time, g->root + taken.all);
      } else if (up && !m.is_root) {
        // Short messages hold nobody: who sends one goes on.
        ready = m.time + (taken.holds ? taken.one : taken.post);
      } else if (up && all && !taken.holds) {
        ready = std::max(m.time + taken.posts, CameIn(*g, op.form, taken));
      } else if (!down && all) {
        ready = std::max(m.time, g->last) + taken.all;
      }
      if (ready == kPending) return false;
      ranks_[m.rank].slots[m.slot].ready = ready;
      Tell(m.rank);
      return true;
    });
  }

  // How long the root is held that sends to all.
  static double AtRootOf(CollectiveForm form, const Taken& taken) {
    if (!taken.holds) return std::min(taken.posts, taken.one);
    return form == CollectiveForm::kFanOut ? taken.all : taken.one;
  }

  // When short messages of all others are at the root, where those that come
  // early do not wait for the last.
  static double CameIn(const Gathering& g, CollectiveForm form,
                       const Taken& taken) {
    if (form == CollectiveForm::kTreeUp) return g.last + taken.all;
    const double way = std::max(0.0, taken.all - taken.coming_in);
    return std::max(g.last, g.first + taken.coming_in) + way;
  }

  // When the last one comes of all that actors stand for. Those that waited
  // begin anew.
  double LastOf(const Gathering& g) {
    highest_.Clear();
    for (const Turn& came : g.came) AddTime(came.second, came.first);
    for (const Gathering::Member& m : g.waiting) {
      Rank& rank = ranks_[m.rank];
      rank.between = rank.within = rank.fourth = 0;
    }
    return std::max(g.last, highest_.Last());
  }

  // Of members that are all there. Ranks of a communicator are taken to be
  // in the order of those of all ranks.
  void SettleInRounds(Gathering* g, CollectiveForm form) {
    std::ranges::sort(g->waiting, {}, &Gathering::Member::rank);
    members_.clear();
    for (const Gathering::Member& m : g->waiting) {
      members_.push_back({m.rank, m.time});
    }
    WalkRounds(net_, form, g->bytes, &traffic_, &members_);
    for (size_t i = 0; i < members_.size(); ++i) {
      ranks_[members_[i].rank].slots[g->waiting[i].slot].ready =
          members_[i].clock;
      Tell(members_[i].rank);
    }
    g->waiting.clear();
  }

  // When nothing else moves: the wild receive whose message comes first.
  bool MatchOneWild() {
    size_t best = wild_.size();
    uint32_t best_channel = 0;
    double earliest = std::numeric_limits<double>::infinity();
    std::vector<bool> seen(ranks_.size());
    for (size_t i = 0; i < wild_.size(); ++i) {
      const Wild& w = wild_[i];
      if (seen[w.rank]) continue;  // receives match in the order posted
      seen[w.rank] = true;
      for (const uint32_t c : program_.channels_to[w.rank]) {
        const Program::Channel& about = program_.channels[c];
        if (channels_[c].sent.empty() ||
            (w.op->place != Operation::kAny && w.op->place != about.source) ||
            (w.op->tag != 0 && w.op->tag != about.tag)) {
          continue;
        }
        const double at = channels_[c].sent.front().inject;
        if (at < earliest) {
          earliest = at;
          best = i;
          best_channel = c;
        }
      }
    }
    if (best == wild_.size()) return false;
    const Wild w = wild_[best];
    wild_.erase(wild_.begin() + ptrdiff_t(best));
    const Sent sent = channels_[best_channel].sent.front();
    channels_[best_channel].sent.pop_front();
    Match(sent, {w.time, w.rank, w.op->slot});
    return true;
  }

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
  std::vector<Slot> arrivals_;
  std::vector<RoundMember> members_;
  const Stop& stop_;
  uint64_t operations_ = 0;
  Status stopped_;
  Walked out_;
};

}  // namespace

Costs WithoutJitter(Costs costs) {
  for (EventCost& e : costs.events) {
    for (ComputeSpread& s : e.spread) s.within = 0;
  }
  return costs;
}

Costs Slower(Costs costs, double factor) {
  for (EventCost& e : costs.events) e.local *= factor;
  for (std::vector<double>& contexts : costs.compute) {
    for (double& seconds : contexts) seconds *= factor;
  }
  return costs;
}

reduction::Result<Walked> Walk(const Program& program, const Costs& costs,
                               const Network& network, const Stop& stop) {
  return Walker(program, costs, network, stop).Run();
}

}  // namespace ranksight::online_model
