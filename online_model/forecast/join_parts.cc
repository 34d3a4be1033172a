#include "online_model/forecast/join_parts.h"

#include <algorithm>
#include <cmath>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// Parts are never taken to be more independent than this: they ran on the
// same machine at the same time.
constexpr double kLeastCorrelation = 0.05;

// Variance of a sum whose terms move together to the degree `correlation`.
class SumVariance {
 public:
  void Add(double variance) {
    variances_ += variance;
    deviations_ += std::sqrt(variance);
  }
  double At(double correlation) const {
    const double together = deviations_ * deviations_;
    return variances_ + correlation * std::max(0.0, together - variances_);
  }

 private:
  double variances_ = 0, deviations_ = 0;
};

}  // namespace

void PartsToWhole::SetRatio(std::span<const Point> elapsed,
                            std::span<const Point> sums) {
  RANKSIGHT_REQUIRE(elapsed.size() == sums.size());
  double weight = 0, mean = 0, variance = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].mean <= 0) continue;
    // By runs: what was run often says more.
    weight += sums[i].runs;
    mean += sums[i].runs * elapsed[i].mean / sums[i].mean;
  }
  if (weight <= 0) return;
  mean /= weight;
  for (size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].mean <= 0) continue;
    const double apart = elapsed[i].mean / sums[i].mean - mean;
    variance += sums[i].runs * apart * apart;
  }
  ratio = mean;
  ratio_variance = variance / weight;
}

double CorrelationOf(const std::vector<std::vector<double>>& residuals) {
  double own = 0, together = 0, actual = 0;
  for (const std::vector<double>& of_size : residuals) {
    double squares = 0, sizes = 0, sum = 0;
    for (const double r : of_size) {
      squares += r * r;
      sizes += std::abs(r);
      sum += r;
    }
    own += squares;
    together += sizes * sizes;
    actual += sum * sum;
  }
  if (together - own <= 1e-12 * together) return 1;
  return std::clamp((actual - own) / (together - own), kLeastCorrelation, 1.0);
}

Total JoinParts(std::span<const Estimate> parts, const Estimate& whole,
                const PartsToWhole& join) {
  Total t;
  SumVariance statistical, structural;
  double squares = 0, shared = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Estimate& e = parts[i];
    (i % 2 == 0 ? t.compute : t.call) += e.value;
    statistical.Add(e.statistical);
    structural.Add(e.structural);
    squares += e.statistical;
    shared += e.statistical * e.statistical / e.freedom;
  }
  const double sum = t.compute + t.call;
  const double scale = join.ratio * join.ratio;
  Estimate s;
  s.value = join.ratio * sum;
  s.statistical = scale * statistical.At(join.correlation);
  s.structural =
      scale * structural.At(join.correlation) + join.ratio_variance * sum * sum;
  // Satterthwaite's degrees of freedom of a sum of variances.
  s.freedom = shared > 0 ? squares * squares / shared : 1e9;
  if (sum <= 0) s = whole;

  const double width_s = s.HalfWidth(), width_w = whole.HalfWidth();
  const double floor = 1e-9 * std::max(s.value, whole.value) + 1e-300;
  const double precision_s = 1 / (width_s * width_s + floor * floor);
  // The whole is a sum of laws that no single one need describe: where it
  // disagrees with its parts, the disagreement counts against the whole.
  const double apart = s.value - whole.value;
  const double precision_w =
      1 / (width_w * width_w + apart * apart + floor * floor);
  const double share = precision_s / (precision_s + precision_w);
  t.seconds = share * s.value + (1 - share) * whole.value;
  t.half_width =
      std::sqrt(share * width_s * width_s + (1 - share) * width_w * width_w +
                2.7 * share * (1 - share) * apart * apart);
  return t;
}

}  // namespace ranksight::online_model
