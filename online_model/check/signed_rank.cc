#include "online_model/check/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// How many of the means may be left out at each end: the most for which the sum
// of signed ranks of n pairs is no larger with a chance of at most alpha. -1:
// none is that unlikely.
int MostLeftOut(size_t n, double alpha) {
  // chance[s]: that the ranks with a plus sum up to s.
  std::vector<double> chance(n * (n + 1) / 2 + 1);
  chance[0] = 1;
  size_t most = 0;
  for (size_t rank = 1; rank <= n; ++rank) {
    most += rank;
    for (size_t s = most + 1; s-- > 0;) {
      const double with = s >= rank ? chance[s - rank] : 0;
      chance[s] = (chance[s] + with) / 2;
    }
  }
  double sum = 0;
  int left_out = -1;
  for (size_t s = 0; s < chance.size(); ++s) {
    sum += chance[s];
    if (sum > alpha) break;
    left_out = int(s);
  }
  return left_out;
}

double Median(const std::vector<double>& sorted) {
  RANKSIGHT_REQUIRE(!sorted.empty());
  const size_t half = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[half];
  return (sorted[half - 1] + sorted[half]) / 2;
}

}  // namespace

int LeastPairs(double alpha) {
  RANKSIGHT_REQUIRE(alpha > 0 && alpha < 0.5);
  return int(std::ceil(-std::log2(alpha) - 1e-12));
}

std::optional<ShiftInterval> ShiftOf(std::span<const double> differences,
                                     double alpha) {
  RANKSIGHT_REQUIRE(alpha > 0 && alpha < 0.5);
  const int left_out = MostLeftOut(differences.size(), alpha);
  if (left_out < 0) return std::nullopt;
  std::vector<double> means;
  for (size_t i = 0; i < differences.size(); ++i) {
    for (size_t j = i; j < differences.size(); ++j) {
      means.push_back((differences[i] + differences[j]) / 2);
    }
  }
  std::ranges::sort(means);
  return ShiftInterval{Median(means), means[size_t(left_out)],
                       means[means.size() - 1 - size_t(left_out)]};
}

}  // namespace ranksight::online_model
