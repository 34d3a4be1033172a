#include <array>
#include <cmath>
#include <map>

#include "online_model/api/forecast.h"
#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

struct Factor {
  const char* name;
  double Efficiencies::*value;
};
constexpr std::array<Factor, 4> kFactors = {
    {{"load balance", &Efficiencies::load_balance},
     {"serialisation", &Efficiencies::serialisation},
     {"transfer", &Efficiencies::transfer},
     {"computation", &Efficiencies::computation}}};

// Where a straight line over the logarithm of the rank count passes the limit.
int64_t CrossingOf(int64_t from, double above, int64_t to, double below) {
  RANKSIGHT_REQUIRE(0 < from && from < to);
  RANKSIGHT_REQUIRE(below < kGoodEfficiency && kGoodEfficiency <= above);
  const double part = (above - kGoodEfficiency) / (above - below);
  const double ranks = double(from) * std::pow(double(to) / double(from), part);
  return std::llround(ranks);
}

}  // namespace

std::optional<FirstLimit> FindFirstLimit(const Forecast& forecast) {
  std::map<int64_t, Efficiencies> by_ranks;
  for (const ForecastPoint& p : forecast.points) {
    if (p.efficiencies && !p.refused) by_ranks[p.ranks] = *p.efficiencies;
  }
  for (const MeasuredSize& size : forecast.sizes) {
    if (size.efficiencies) by_ranks[size.ranks] = *size.efficiencies;
  }
  if (by_ranks.size() < 2) return std::nullopt;
  std::optional<FirstLimit> first;
  const auto offer = [&](FirstLimit limit) {
    const bool is_sooner =
        !first || limit.ranks < first->ranks ||
        (limit.ranks == first->ranks && limit.efficiency < first->efficiency);
    if (is_sooner) first = std::move(limit);
  };
  for (const Factor& factor : kFactors) {
    auto before = by_ranks.end();
    for (auto at = by_ranks.begin(); at != by_ranks.end(); before = at++) {
      const double is = at->second.*factor.value;
      if (is >= kGoodEfficiency) continue;
      if (before == by_ranks.end()) {
        offer({factor.name, at->first, is, true});
      } else {
        const int64_t ranks = CrossingOf(
            before->first, before->second.*factor.value, at->first, is);
        offer({factor.name, ranks, kGoodEfficiency, true});
      }
      break;
    }
  }
  if (first) return first;
  const auto& [most, last] = *by_ranks.rbegin();
  for (const Factor& factor : kFactors) {
    offer({factor.name, most, last.*factor.value, false});
  }
  return first;
}

}  // namespace ranksight::online_model
