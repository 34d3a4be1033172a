#include "online_model/walk/walker.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "reduction/api/contract.h"

namespace ranksight::online_model {

using reduction::Status;

namespace {

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

}  // namespace

Walker::Walker(const Program& program, const Costs& costs,
               const Network& network, const Stop& stop)
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

reduction::Result<Walked> Walker::Run() {
  RANKSIGHT_REQUIRE(operations_ == 0);
  // Only where nobody gets on otherwise is a receive from any source given one
  // of what is there: then no message can come before it.
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

void Walker::Wake(uint32_t r) {
  RANKSIGHT_REQUIRE(r < ranks_.size());
  if (ranks_[r].queued) return;
  ranks_[r].queued = true;
  // Messages that may meet on a link have to leave in the order of time;
  // else the order does not matter.
  ready_.emplace(traffic_.meets() ? ranks_[r].clock : double(++turn_), r);
}

bool Walker::IsStopped() {
  if (++operations_ % kStopEvery == 0 && stop_) stopped_ = stop_();
  return !stopped_.ok();
}

void Walker::Advance(uint32_t r) {
  Rank& rank = ranks_[r];
  while (rank.at != rank.end && !IsStopped()) {
    const Operation& op = program_.operations[rank.at];
    // Computed once, though the operation may be tried again.
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

void Walker::Compute(uint32_t r, const Operation& op) {
  const Occasion occasion = op.first ? kFirst : kLater;
  const ComputeSpread& spread = costs_.events[op.event].spread[occasion];
  double t = costs_.compute[occasion][op.context];
  Rank& rank = ranks_[r];
  if (t > 0 && (spread.between > 0 || spread.within > 0)) {
    const uint32_t number = program_.actors[r].rank;
    const uint64_t own = (uint64_t(number) << 32) + op.event;
    // Drawn by rank and event, so that a rank is slow at all occurrences, and
    // walks of the same program draw the same.
    const double of_rank =
        spread.uneven.known()
            ? spread.uneven.At(ShareBelow(number))
            : 1 + spread.between * NormalOf(own * 0x2545f491u);
    const double jitter = spread.within * NormalOf((own << 20) ^ rank.computed);
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

void Walker::AddTime(uint32_t r, double time) {
  const Rank& rank = ranks_[r];
  const double between = rank.between * rank.between;
  highest_.Add(program_.actors[r].group, time, between + rank.within,
               between * between + rank.fourth);
}

double Walker::ShareBelow(uint32_t r) const {
  const int64_t ranks = program_.ranks;
  return ranks == 1 ? 1
                    : double(int64_t(r) * stride_ % ranks) / double(ranks - 1);
}

bool Walker::Do(uint32_t r, const Operation& op) {
  Rank& rank = ranks_[r];
  switch (op.kind) {
    case Operation::Kind::kLocal:
      rank.clock += costs_.events[op.event].local;
      return true;
    case Operation::Kind::kSend:
    case Operation::Kind::kReceive:
      // Links are entered in the order of time: who is ahead waits in the
      // queue.
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

bool Walker::Wait(uint32_t r, std::span<const uint32_t> slots) {
  Rank* const rank = &ranks_[r];
  arrivals_.clear();
  double last = rank->clock;
  for (const uint32_t number : slots) {
    Slot slot = rank->slots[number];
    if (slot.ready == kPending) return false;
    if (slot.flight != kNoFlight) {
      slot.ready = std::max(slot.ready, traffic_.ArrivalOf(slot.flight));
    }
    last = std::max(last, slot.ready);
    if (slot.bytes > 0) arrivals_.push_back(slot);
  }
  if (traffic_.shares() && IsLaterThanOthers(last)) {
    // Who may yet delay what it waits for.
    rank->queued = true;
    ready_.emplace(last, r);
    return false;
  }
  LandAll(rank, slots);
  if (arrivals_.size() > 1) {
    std::ranges::sort(arrivals_, {}, &Slot::ready);
  }
  for (const Slot& slot : arrivals_) {
    // Messages come in one after the other.
    rank->in_free =
        std::max(slot.ready, rank->in_free + net_.BusyWith(slot.bytes));
    last = std::max(last, rank->in_free);
  }
  rank->clock = last;
  return true;
}

void Walker::LandAll(Rank* rank, std::span<const uint32_t> slots) {
  for (const uint32_t number : slots) {
    Slot& slot = rank->slots[number];
    if (slot.flight == kNoFlight) continue;
    slot.ready = std::max(slot.ready, traffic_.ArrivalOf(slot.flight));
    traffic_.Land(std::exchange(slot.flight, kNoFlight));
  }
}
}  // namespace ranksight::online_model
