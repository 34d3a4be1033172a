#include <fmt/format.h>

#include "online_model/api/forecast.h"

namespace ranksight::online_model {
namespace {

constexpr double kSecondsPerHour = 3600;

double RankHours(const ForecastPoint& p, double seconds) {
  return double(p.ranks) * seconds / kSecondsPerHour;
}

bool Meets(const SizeTarget& target, const ForecastPoint& p, double seconds) {
  return (target.within_seconds <= 0 || seconds <= target.within_seconds) &&
         (target.budget_rank_hours <= 0 ||
          RankHours(p, seconds) <= target.budget_rank_hours);
}

// The cheapest, or the fastest where only the cost is bounded.
bool IsBetter(const SizeTarget& target, const ForecastPoint& p,
              const ForecastPoint& than) {
  if (target.within_seconds <= 0) return p.seconds < than.seconds;
  return RankHours(p, p.seconds) < RankHours(than, than.seconds);
}

std::string WhyNone(const Forecast& forecast) {
  const ForecastPoint* fastest = nullptr;
  const ForecastPoint* cheapest = nullptr;
  for (const ForecastPoint& p : forecast.points) {
    if (p.refused) continue;
    if (fastest == nullptr || p.seconds < fastest->seconds) fastest = &p;
    if (cheapest == nullptr ||
        RankHours(p, p.seconds) < RankHours(*cheapest, cheapest->seconds)) {
      cheapest = &p;
    }
  }
  if (fastest == nullptr) return "every rank count asked for is refused";
  return fmt::format(
      "no rank count asked for; the fastest is {} with {:.4g} s, the cheapest "
      "{} with {:.4g} rank hours",
      fastest->ranks, fastest->seconds, cheapest->ranks,
      RankHours(*cheapest, cheapest->seconds));
}

}  // namespace

BestSize ChooseSize(const Forecast& forecast, const SizeTarget& target) {
  BestSize best;
  const ForecastPoint* chosen = nullptr;
  for (const ForecastPoint& p : forecast.points) {
    if (p.refused || !Meets(target, p, p.seconds)) continue;
    if (chosen == nullptr || IsBetter(target, p, *chosen)) chosen = &p;
  }
  if (chosen == nullptr) {
    best.reason = WhyNone(forecast);
    return best;
  }
  best.ranks = chosen->ranks;
  best.seconds = chosen->seconds;
  best.rank_hours = RankHours(*chosen, chosen->seconds);
  best.sure = Meets(target, *chosen, chosen->high);
  return best;
}

}  // namespace ranksight::online_model
