#include "replay_engine/compute/sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "replay_engine/compute/normal.h"

namespace ranksight::replay_engine {
namespace {

// Doubling it halves the steps of the distribution, already smaller than the
// buckets of a sketch, and doubles the memory.
constexpr int kStrata = 512;

// Permutes 0..n-1: ranks that are neighbours get parts that are far apart.
int64_t Scatter(int64_t rank, int64_t n, uint64_t seed) {
  int64_t step = std::max<int64_t>(1, std::llround(0.618034 * double(n)));
  while (std::gcd(step, n) != 1) ++step;
  const auto shift = static_cast<int64_t>(seed % uint64_t(n));
  return static_cast<int64_t>(
      (static_cast<unsigned __int128>(rank) * uint64_t(step) +
       uint64_t(shift)) %
      uint64_t(n));
}

}  // namespace

ComputeSampler::ComputeSampler(uint64_t seed, int64_t rank, int64_t ranks)
    : random_(Random(seed).Next() ^ Random(uint64_t(rank) + 1).Next()) {
  const double place = double(Scatter(rank, ranks, Random(seed).Next()));
  rank_z_ = NormalQuantile((place + 0.5) / double(ranks));
}

ComputeSampler::Prepared ComputeSampler::Prepare(
    const reduction::EventTimes& times) {
  Prepared prepared;
  double sum = 0;
  for (int i = 0; i < kStrata; ++i) {
    prepared.durations.push_back(times.compute.Quantile((i + 0.5) / kStrata));
    sum += prepared.durations.back();
  }
  const double mean = times.compute.moments().Mean();
  if (sum > 0) {
    for (double& d : prepared.durations) d *= mean * kStrata / sum;
  }
  const double share = times.ComputeShareBetweenRanks();
  prepared.rank_weight = std::sqrt(share);
  prepared.own_weight = std::sqrt(1 - share);
  return prepared;
}

const ComputeSampler::Prepared& ComputeSampler::Of(
    const reduction::EventTimes& times) {
  auto [it, added] = prepared_.try_emplace(&times);
  if (added) it->second = Prepare(times);
  return it->second;
}

double ComputeSampler::Draw(const reduction::EventTimes& times,
                            uint64_t occurrence) {
  const bool has_rest = times.compute.moments().count > 0;
  if (times.first_compute.count > 0 && (occurrence == 0 || !has_rest)) {
    return times.first_compute.Mean();
  }
  if (!has_rest) return 0;
  const Prepared& p = Of(times);
  double u = random_.Uniform();
  if (p.rank_weight > 0) {
    u = NormalCdf(p.rank_weight * rank_z_ + p.own_weight * NormalQuantile(u));
  }
  const auto step = static_cast<size_t>(u * kStrata);
  return p.durations[std::min<size_t>(step, kStrata - 1)];
}

}  // namespace ranksight::replay_engine
