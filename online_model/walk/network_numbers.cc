#include "online_model/walk/network_numbers.h"

#include <algorithm>
#include <cmath>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// Common values of today's networks, each within two orders of magnitude.
const NumberPrior kPriors[] = {{std::log(2e-7), 2},
                               {std::log(2e-6), 2},
                               {std::log(5e-10), 2},
                               {std::log(0.3), 1},
                               {0, 0.2},
                               {0, 0.2},
                               {std::log(2e-7), 2},
                               {0, 0.3},
                               {std::log(1.5), 0.7},
                               {std::log(1.4), 0.5}};

}  // namespace

const NumberPrior& CommonPrior(size_t number) { return kPriors[number]; }

Network NetworkFrom(const std::vector<double>& numbers,
                    const std::vector<CollectiveForm>& forms,
                    const Protocol& protocol, double reference,
                    const KnownNetwork& known) {
  RANKSIGHT_REQUIRE(numbers.size() == kFirstForm + 2 * forms.size());
  Network n;
  static_cast<Protocol&>(n) = protocol;
  n.overhead = std::exp(numbers[kOverhead]);
  n.latency = std::exp(numbers[kLatency]);
  n.byte = std::exp(numbers[kByte]);
  // No more than a byte takes on its way: else senders would be slower than the
  // network.
  n.gap = n.byte * std::min(1.0, std::exp(numbers[kGap]));
  n.curve = known.curve;
  n.links = known.links;
  if (n.links != nullptr) {
    n.hop = std::exp(numbers[kHop]);
    n.link_byte = n.byte * std::exp(numbers[kLinkByte]);
  } else {
    // Without links their sharing is known as a power of the rank count only.
    n.latency_power = numbers[kLatencyPower];
    n.byte_power = numbers[kBytePower];
  }
  n.long_latency = std::exp(numbers[kLongLatency]);
  n.short_byte = std::exp(numbers[kShortByte]);
  n.reference = reference;
  for (size_t i = 0; i < forms.size(); ++i) {
    n.stage[size_t(forms[i])] = std::exp(numbers[kFirstForm + 2 * i]);
    n.volume[size_t(forms[i])] = std::exp(numbers[kFirstForm + 2 * i + 1]);
  }
  return n;
}

}  // namespace ranksight::online_model
