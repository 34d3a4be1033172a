#include "online_model/walk/traffic.h"

#include <algorithm>

namespace ranksight::online_model {

Traffic::Traffic(const Network& network) : net_(network) {
  if (net_.links != nullptr) held_.resize(net_.links->count());
}

double Traffic::Held::Pass(double head, double busy) {
  if (head + busy <= from) return head;  // before them
  if (head >= until) from = head;
  head = std::max(head, until);
  until = head + busy;
  return head;
}

double Traffic::Travel(uint32_t from, uint32_t to, double start, double bytes,
                       double stage, double volume) {
  const double there = net_.machine.Message(bytes);
  if (held_.empty()) return start + net_.WayOf(bytes, 0, stage, volume);
  route_.clear();
  net_.links->AddRoute(from, to, &route_);
  const double hops = double(route_.size());
  const double busy = volume * net_.LinkBusyWith(bytes);
  const double hop = stage * net_.hop * there;
  double head = start;
  for (const uint32_t link : route_) head = held_[link].Pass(head + hop, busy);
  return std::max(start + net_.WayOf(bytes, hops, stage, volume),
                  head + busy + stage * net_.LatencyOf(bytes, 0) * there);
}

}  // namespace ranksight::online_model
