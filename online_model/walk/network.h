// What messages and collectives cost: the LogGP model (Alexandrov et al.,
// SPAA 1995) with an eager limit, and one latency and one volume factor for
// each form of collective. Latency and volume may change with the rank count
// by a power, for messages travel farther and meet more others; where the
// machine's links are known, every hop adds to the latency instead, and
// messages pass a link one after the other.
//
// Seconds, bytes. Thread-safety: value types.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "online_model/api/links.h"
#include "online_model/api/machine.h"
#include "online_model/walk/program.h"

namespace ranksight::online_model {

struct Network {
  double overhead = 0;     // of posting a message, on its sender
  double latency = 0;      // from rank to rank
  double byte = 0;         // L + bytes * byte: a message's way
  double gap = 0;          // per byte that a rank's connection is busy
  double eager_limit = 0;  // longer messages wait for their receive
  double latency_power = 0, byte_power = 0;  // of ranks / reference
  double reference = 1;
  // Where links are known. Of each hop; and for a byte, how long a link is
  // busy.
  std::shared_ptr<const Links> links;
  double hop = 0, link_byte = 0;
  MeanRoute mean_route;  // of the rank count at hand; by At where it is 0
  std::array<double, size_t(CollectiveForm::kForms)> stage{}, volume{};

  // Of the machine the walk is for; where nothing is said, the runs' own.
  MachineRatios machine;

  // Of a message: from rank to rank, and how long it keeps the connection of
  // a rank busy, its sender's processor not counted.
  double WayOf(double bytes, double hops = 0) const {
    return (latency + hop * hops + byte * bytes) * machine.Message(bytes);
  }
  double BusyWith(double bytes) const {
    return gap * bytes * machine.Message(bytes);
  }
  double LinkBusyWith(double bytes) const {
    return link_byte * bytes * machine.Message(bytes);
  }
  // With the powers applied, and the mean route.
  Network At(double ranks) const;
  // From the last arrival (of the root, for kTreeDown and kFanOut) on.
  double CostOf(CollectiveForm form, double members, double bytes) const;
};

}  // namespace ranksight::online_model
