#include "replay_engine/compute/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

#include "reduction/api/contract.h"
#include "replay_engine/compute/normal.h"

namespace ranksight::replay_engine {
namespace {

// Doubling it halves the steps of the distribution, already smaller than the
// buckets of a sketch, and doubles the memory.
constexpr int kStrata = 512;
constexpr double kGolden = 0.6180339887498949;
constexpr uint64_t kSpread = 0x9e3779b97f4a7c15u;  // the same as an integer

// The same on all ranks, which have the trace in common.
double StartOf(uint64_t seed, const reduction::Moments& times) {
  const uint64_t key = std::bit_cast<uint64_t>(times.sum) ^ times.count;
  return Random(Random(seed).Next() ^ Random(key).Next()).Uniform();
}

// Never an end of 0..1.
double InnerShare(double u) { return std::clamp(u, 0x1p-53, 1 - 0x1p-53); }

// Permutes 0..n-1: ranks that are neighbours get parts that are far apart.
int64_t Scatter(int64_t rank, int64_t n, uint64_t seed) {
  RANKSIGHT_REQUIRE(rank >= 0 && rank < n);
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
    : seed_(seed),
      random_(Random(seed).Next() ^ Random(uint64_t(rank) + 1).Next()) {
  RANKSIGHT_REQUIRE(rank >= 0 && rank < ranks);
  const double place = double(Scatter(rank, ranks, Random(seed).Next()));
  rank_z_ = NormalQuantile((place + 0.5) / double(ranks));
}

ComputeSampler::Prepared ComputeSampler::Prepare(
    const reduction::TimeSummary& compute) const {
  Prepared prepared;
  double sum = 0;
  for (int i = 0; i < kStrata; ++i) {
    prepared.durations.push_back(compute.rest.Quantile((i + 0.5) / kStrata));
    sum += prepared.durations.back();
  }
  const reduction::Moments& moments = compute.rest.moments();
  const double mean = moments.Mean();
  if (sum > 0) {
    // Quantiles come from buckets and miss the mean by their width; the sum is
    // what has to be right.
    for (double& d : prepared.durations) d *= mean * kStrata / sum;
  }
  const double share = compute.ShareBetweenRanks();
  // Weights are roots of shares of the variance, as variances of independent
  // draws add up.
  prepared.rank_weight = std::sqrt(share);
  const double jitter = (1 - share) * compute.JitterShare();
  prepared.jitter_weight = std::sqrt(jitter);
  prepared.common_weight = std::sqrt(1 - share - jitter);
  prepared.start = StartOf(seed_, moments);
  return prepared;
}

const ComputeSampler::Prepared& ComputeSampler::Of(
    const reduction::TimeSummary& compute) {
  auto [it, added] = prepared_.try_emplace(&compute);
  if (added) it->second = Prepare(compute);
  return it->second;
}

double ComputeSampler::Share(const Prepared& p, uint64_t occurrence) {
  const double jitter = random_.Uniform();
  if (p.jitter_weight == 1) return jitter;
  double z = p.rank_weight * rank_z_;
  if (p.jitter_weight > 0) z += p.jitter_weight * NormalQuantile(jitter);
  if (p.common_weight > 0) {
    const double common = p.start + double(occurrence) * kGolden;
    z += p.common_weight *
         NormalQuantile(InnerShare(common - std::floor(common)));
  }
  return NormalCdf(z);
}

const ComputeSampler::Source& ComputeSampler::SourceOf(
    const reduction::EventTimes& times, reduction::Predecessor after) {
  const uint64_t key =
      std::bit_cast<uintptr_t>(&times) / alignof(reduction::EventTimes) + after;
  Source& source = recent_[(key * kSpread) >> (64 - kRecentBits)];
  if (source.times != &times || source.after != after) {
    const reduction::TimeSummary& rest = times.RestAfter(after);
    const bool known = rest.rest.moments().count > 0;
    source = {&times, after, times.compute.first.count > 0,
              known ? &Of(rest) : nullptr};
  }
  return source;
}

double ComputeSampler::Draw(const reduction::EventTimes& times,
                            uint64_t occurrence, reduction::Predecessor after) {
  const Source& source = SourceOf(times, after);
  if (source.rest == nullptr || (source.has_firsts && occurrence == 0)) {
    return times.MeanCompute(occurrence == 0, after);
  }
  const Prepared& p = *source.rest;
  const auto step = static_cast<size_t>(Share(p, occurrence) * kStrata);
  return p.durations[std::min<size_t>(step, kStrata - 1)];
}

}  // namespace ranksight::replay_engine
