#include "online_model/walk/traffic.h"

#include <algorithm>

namespace ranksight::online_model {

// So many messages on a link hear of each that comes, of more only every n / so
// many, for a burst of n to one node takes n squared such steps. Half as many
// would leave times off by 1 / 128 instead of 1 / 256.
constexpr size_t kAllHear = 256;

Traffic::Traffic(const Network& network) : net_(network) {
  if (net_.links == nullptr) return;
  if (net_.curve != nullptr) {
    links_ = TouchedTable<Link>(net_.links->count());
  } else {
    held_ = TouchedTable<Held>(net_.links->count());
  }
}

Traffic::Flight Traffic::NewFlight() {
  if (free_.empty()) {
    flights_.emplace_back();
    return Flight(flights_.size() - 1);
  }
  const Flight flight = free_.back();
  free_.pop_back();
  return flight;
}

Traffic::Flight Traffic::Travel(uint32_t from, uint32_t to, double start,
                                double bytes, double stage, double volume) {
  route_.clear();
  if (meets()) net_.links->AddRoute(from, to, &route_);
  const double hops = meets() ? HopsOf(*net_.links, route_) : 0;
  const double busy = volume * net_.LinkBusyWith(bytes);
  const Flight flight = NewFlight();
  Message& m = flights_[flight];
  m = {start + net_.WayOf(bytes, hops, stage, volume), 0, 1};
  // Messages that go through links one after the other, or share them evenly
  // while they meet.
  if (!held_.empty()) {
    m.there = std::max(m.there, OneByOne(start, bytes, stage, busy));
  } else {
    m.latency =
        stage * net_.LatencyOf(bytes, hops) * net_.machine.Message(bytes);
    m.uses += uint32_t(route_.size());
    for (const uint32_t number : route_) {
      Advance(&links_[number], start);
      const double slow =
          net_.links->even() ? 1 : net_.links->SlownessOf(number).byte;
      Enter(&links_[number], flight, busy * slow);
    }
  }
  return flight;
}

double Traffic::Held::Pass(double head, double busy) {
  if (head + busy <= from) return head;  // before them
  if (head >= until) from = head;
  head = std::max(head, until);
  until = head + busy;
  return head;
}

double Traffic::OneByOne(double start, double bytes, double stage,
                         double busy) {
  const double there = net_.machine.Message(bytes);
  const double hop = stage * net_.hop * there;
  double head = start, longest = route_.empty() ? busy : 0;
  for (const uint32_t link : route_) {
    const Links::Slowness slow =
        net_.links->even() ? Links::Slowness() : net_.links->SlownessOf(link);
    longest = std::max(longest, busy * slow.byte);
    head = held_[link].Pass(head + hop * slow.latency, busy * slow.byte);
  }
  // Its last byte is as late as the slowest link lets it be.
  return head + longest + stage * net_.LatencyOf(bytes, 0) * there;
}

void Traffic::Advance(Link* link, double clock) {
  double pass = clock - link->clock;
  if (pass <= 0) return;
  link->clock = clock;
  auto& on = link->messages;
  size_t through = 0;
  for (; through < on.size(); ++through) {
    const double n = double(on.size() - through);
    // link->time is what a message alone would have got; n that share it get it
    // n times as slowly. The first to end is the first in the list.
    const double needs = (on[through].end - link->time) * n;
    if (needs > pass) {
      link->time += pass / n;
      break;
    }
    pass -= needs;
    link->time = on[through].end;
    Land(on[through].flight);
  }
  on.erase(on.begin(), on.begin() + ptrdiff_t(through));
}

void Traffic::Enter(Link* link, Flight flight, double busy) {
  auto& on = link->messages;
  const double end = link->time + busy;
  on.insert(std::ranges::upper_bound(on, end, {}, &OnLink::end), {end, flight});
  const bool all_hear = ++link->fresh > on.size() / kAllHear;
  if (all_hear) link->fresh = 0;
  double clock = link->clock, time = link->time;
  for (size_t i = 0; i < on.size(); ++i) {
    clock += (on[i].end - time) * double(on.size() - i);
    time = on[i].end;
    if (!all_hear && on[i].flight != flight) continue;
    Message& m = flights_[on[i].flight];
    m.there = std::max(m.there, clock + m.latency);
  }
}

}  // namespace ranksight::online_model
