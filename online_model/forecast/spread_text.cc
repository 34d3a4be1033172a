#include "online_model/forecast/spread_text.h"

#include <algorithm>

namespace ranksight::online_model {

// As PooledSpread and SetScatter take it (fit/weights.h, fit/series_fit.h).
std::string SpreadText(const Forecast& f) {
  const auto is_again = [](const MeasuredSize& s) { return s.runs > 1; };
  if (std::ranges::all_of(f.sizes, is_again)) return "";
  return std::ranges::none_of(f.sizes, is_again)
             ? "each size was run once: how runs scatter is not known, and "
               "intervals are as wide as the laws miss the runs"
             : "sizes that were run once are taken to scatter as those that "
               "were run again";
}

}  // namespace ranksight::online_model
