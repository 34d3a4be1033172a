// The numbers of a network that are fitted to runs, as logarithms or powers,
// and what is known of them beforehand.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <vector>

#include "online_model/walk/calibrate.h"
#include "online_model/walk/protocols.h"

namespace ranksight::online_model {

enum NetworkNumber : size_t {
  kOverhead,
  kLatency,
  kByte,
  kGap,
  kLatencyPower,
  kBytePower,
  kHop,
  kLinkByte,
  kLongLatency,
  kShortByte,
  kFirstForm  // then stage and volume for each form
};

// Normal; a mean and a standard deviation.
struct NumberPrior {
  double mean, deviation;
};
// REQUIRES: number < kFirstForm.
const NumberPrior& CommonPrior(size_t number);

// forms: those that the numbers from kFirstForm on are of. reference: ranks at
// which powers of the rank count are 1.
Network NetworkFrom(const std::vector<double>& numbers,
                    const std::vector<CollectiveForm>& forms,
                    const Protocol& protocol, double reference,
                    const KnownNetwork& known);

}  // namespace ranksight::online_model
