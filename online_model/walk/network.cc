#include "online_model/walk/network.h"

#include <algorithm>
#include <cmath>

#include "reduction/api/contract.h"

namespace ranksight::online_model {

constexpr double kGoesOn = 0.5;
// Seconds: of a switch of today and its cable, as `map` has it by default.
constexpr double kUsualHop = 1e-7;

Network Network::At(double ranks) const {
  Network n = *this;
  // Beyond what was measured only a part of a growth goes on: links that were
  // shared by few at first end up shared by all, once.
  const double part = ranks > reference ? kGoesOn : 1;
  const double factor = ranks / reference;
  n.latency *= std::pow(factor, part * latency_power);
  n.byte *= std::pow(factor, part * byte_power);
  n.gap *= std::pow(factor, part * byte_power);
  n.latency_power = n.byte_power = 0;
  if (links != nullptr && mean_route.hops == 0) {
    n.mean_route = MeanRouteOf(*links, int64_t(ranks));
  }
  return n;
}

Network Network::In(const OtherPlace& there) const {
  Network n = *this;
  n.machine = there.machine;
  n.bytes_scale = there.bytes_scale;
  if (there.links == nullptr) return n;
  if (n.links == nullptr) {
    // A latency from node to node is one over the two links to a switch.
    n.hop = std::min(kUsualHop, n.latency / 2);
    n.latency -= 2 * n.hop;
    n.link_byte = n.byte;
  }
  n.links = there.links;
  n.mean_route = {};
  return n;
}

Network WithoutTransfer(const Protocol& protocol, double bytes_scale) {
  Network n;
  static_cast<Protocol&>(n) = protocol;
  n.bytes_scale = bytes_scale;
  return n;
}

Network NetworkOf(const NamedNetwork& named) {
  Network n;
  n.eager_limit = Network::kLong;
  n.latency = named.latency;
  n.overhead = named.overhead;
  n.byte = n.gap = named.byte;
  n.stage.fill(1);
  n.volume.fill(1);
  const auto curve = std::make_shared<MessageCurve>(named.messages);
  if (curve->known()) n.curve = curve;
  return n;
}

double LengthOf(CollectiveForm form, double members, double bytes) {
  const bool splits =
      form == CollectiveForm::kAlltoall || form == CollectiveForm::kAllgather ||
      form == CollectiveForm::kFanOut || form == CollectiveForm::kFanIn;
  return splits ? bytes / members : bytes;
}

double Network::CostOf(CollectiveForm form, double members,
                       double bytes) const {
  RANKSIGHT_REQUIRE(members >= 1 && bytes >= 0);
  const double stages = std::ceil(std::log2(members));
  const double each = LengthOf(form, members, bytes);
  const double there = machine.Message(each);
  const double l = stage[size_t(form)] *
                   (LatencyOf(each, mean_route.hops) + overhead) * there;
  // An exchange of all with all fills the links; trees do so less.
  const double full =
      form == CollectiveForm::kAlltoall ? link_byte * mean_route.most_load : 0;
  const double g =
      volume[size_t(form)] * std::max(ByteOf(each), full) * bytes * there;
  if (flat[size_t(form)]) {
    return l + (members - 1) * std::max(overhead * there, BusyWith(each));
  }
  switch (form) {
    case CollectiveForm::kTree:
    case CollectiveForm::kTreeDown:
    case CollectiveForm::kTreeUp:
      return stages * (l + g);
    case CollectiveForm::kAlltoall:
      return (members - 1) * l + g;
    default:
      return stages * l + g;
  }
}

}  // namespace ranksight::online_model
