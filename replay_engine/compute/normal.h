// The standard normal distribution, both ways.
// Thread-safety: pure functions.
#pragma once

namespace ranksight::replay_engine {

// Probability of a value below z.
double NormalCdf(double z);
// Its inverse. Relative error below 1.2e-9 (Acklam's rational
// approximation). REQUIRES: 0 < p < 1.
double NormalQuantile(double p);

}  // namespace ranksight::replay_engine
