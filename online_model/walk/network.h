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
#include "online_model/api/named_network.h"
#include "online_model/walk/message_curve.h"
#include "online_model/walk/program.h"

namespace ranksight::online_model {

// Which messages wait for what.
struct Protocol {
  double eager_limit = 0;  // longer messages hold their sender until received
  // Shorter ones hold nobody, but leave no sooner than their receive is
  // posted, as longer ones do: transfers that the receiver starts.
  bool pulled = false;
  // By form, where links are known: a root deals with each member itself,
  // instead of down or up a tree.
  std::array<bool, size_t(CollectiveForm::kForms)> flat{};
};

// Where, and with what, a program is walked that the runs were not: the machine
// whose ratios messages take, and the times by which all bytes are more.
struct OtherPlace {
  MachineRatios machine;
  double bytes_scale = 1;
  std::shared_ptr<const Links> links;  // in place of those of the runs
};

struct Network : Protocol {
  double overhead = 0;  // of posting a message, on its sender
  double latency = 0;   // from rank to rank
  // By which it is more for messages of more than kLong bytes: hand-shakes, and
  // whatever else these wait for.
  static constexpr double kLong = 65536;
  double long_latency = 1;
  double byte = 0;  // L + bytes * byte: a message's way
  // By which that is more for shorter ones: buffers that are copied, and
  // packets. Links are not busy for longer.
  double short_byte = 1;
  // Where times of messages were measured: both go with the length as these do,
  // and the two numbers above count for nothing. nullptr, or known().
  std::shared_ptr<const MessageCurve> curve;
  double gap = 0;  // per byte that a rank's connection is busy
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
  // By which what a program says of bytes is multiplied.
  double bytes_scale = 1;

  // Of a message: from rank to rank, its latency and bytes taken so often, and
  // how long it keeps the connection of a rank busy, its sender's processor not
  // counted.
  double WayOf(double bytes, double hops = 0, double stage = 1,
               double volume = 1) const {
    return (stage * LatencyOf(bytes, hops) + volume * ByteOf(bytes) * bytes) *
           machine.Message(bytes);
  }
  double ByteOf(double bytes) const {
    if (curve != nullptr) return byte * curve->Byte(bytes);
    return byte * (bytes > kLong ? 1 : short_byte);
  }
  double LatencyOf(double bytes, double hops) const {
    const double of_way = latency + hop * hops;
    if (curve != nullptr) return of_way * curve->Latency(bytes);
    return of_way * (bytes > kLong ? long_latency : 1);
  }
  double BusyWith(double bytes) const {
    return gap * OfCurve(bytes) * bytes * machine.Message(bytes);
  }
  double LinkBusyWith(double bytes) const {
    return link_byte * OfCurve(bytes) * bytes * machine.Message(bytes);
  }
  double OfCurve(double bytes) const {
    return curve != nullptr ? curve->Byte(bytes) : 1;
  }
  // What of it is elsewhere.
  Network In(const OtherPlace& there) const;
  // With the powers applied, and the mean route.
  Network At(double ranks) const;
  // From the last arrival (of the root, for kTreeDown and kFanOut) on.
  double CostOf(CollectiveForm form, double members, double bytes) const;
};

// Of the messages of a collective that moves so many bytes.
double LengthOf(CollectiveForm form, double members, double bytes);

// Where messages take no time, whatever waits for them as here.
Network WithoutTransfer(const Protocol& protocol, double bytes_scale = 1);

// Without links; collectives in the stages of their forms.
Network NetworkOf(const NamedNetwork& named);

}  // namespace ranksight::online_model
