// Messages between two ranks, those of collectives among them.
#include <algorithm>
#include <limits>
#include <tuple>

#include "online_model/walk/walker.h"
#include "reduction/api/contract.h"

namespace ranksight::online_model {

bool Walker::IsInMessages(const Operation& op) const {
  return op.by_members && net_.links != nullptr &&
         InMessages(net_.flat[size_t(op.form)], program_.comm_size[op.place]);
}

bool Walker::DoRooted(uint32_t r, const Operation& op) {
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

bool Walker::DoStep(uint32_t r, const Operation& op, const RootedStep& step) {
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
  // A short message leaves at once; a long one when the receiver asks for it.
  rank.slots[slot] = {step.bytes <= net_.eager_limit ? rank.clock : kPending};
  Offer(OwnChannel(op.place, r, other), other, sent);
  return true;
}

uint32_t Walker::OwnChannel(uint32_t comm, uint32_t from, uint32_t to) {
  const auto [it, fresh] = own_channels_.try_emplace(
      std::tuple(comm, from, to), uint32_t(channels_.size()));
  if (fresh) channels_.emplace_back();
  return it->second;
}

Walker::Sent Walker::Inject(Rank* rank, double bytes) const {
  rank->clock += net_.overhead * net_.machine.Message(0);
  const double inject = std::max(rank->clock, rank->out_free);
  rank->out_free = inject + net_.BusyWith(bytes);
  return {inject, kNoFlight, bytes, kNobody, 0};
}

void Walker::Send(uint32_t r, const Operation& op) {
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

const Program::End& Walker::EndOf(uint32_t r, const Operation& op) const {
  return program_.ends[size_t(program_.actors[r].first_end) + op.place];
}

void Walker::Offer(uint32_t place, uint32_t to, Sent sent) {
  RANKSIGHT_REQUIRE(place < channels_.size());
  if (sent.bytes <= net_.eager_limit && !net_.pulled) {
    const uint32_t from = sent.rank == kNobody ? to : sent.rank;
    sent.flight = traffic_.Travel(from, to, sent.inject, sent.bytes, sent.stage,
                                  sent.volume);
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

void Walker::Receive(uint32_t r, const Operation& op) {
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
  // In classes one rank hears for all of its class: the others' messages are
  // taken as well.
  for (uint32_t i = end.heard; i < end.heard_end; ++i) {
    Ask(program_.heard_on[i], {rank.clock, kNobody, 0});
  }
}

void Walker::Ask(uint32_t place, const Posted& posted) {
  RANKSIGHT_REQUIRE(place < channels_.size());
  Channel& channel = channels_[place];
  if (channel.sent.empty()) {
    channel.posted.push_back(posted);
  } else {
    const Sent sent = channel.sent.front();
    channel.sent.pop_front();
    Match(sent, posted);
  }
}

void Walker::Match(const Sent& sent, const Posted& posted) {
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
    ranks_[posted.rank].slots[posted.slot] = {posted.time, sent.bytes, flight};
    Tell(posted.rank);
  }
  if (waits) {
    if (receives) traffic_.Share(flight);
    ranks_[sent.rank].slots[sent.slot] = {0, 0, flight};
    Tell(sent.rank);
  }
  if (!receives && !waits) traffic_.Land(flight);
}

bool Walker::MatchOneWild() {
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
}  // namespace ranksight::online_model
