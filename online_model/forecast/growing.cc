#include "online_model/forecast/growing.h"

#include <algorithm>

namespace ranksight::online_model {
namespace {

constexpr size_t kMostListed = 10;
// A share that moves by less than half a percent of the run is not news.
constexpr double kLeastGrowth = 0.005;

}  // namespace

std::vector<GrowingSite> FindGrowing(const EventTable& table,
                                     const TotalModel& model, double now,
                                     double then) {
  std::vector<GrowingSite> growing;
  const Total total_now = model.At(now), total_then = model.At(then);
  const double sum_now = total_now.compute + total_now.call;
  const double sum_then = total_then.compute + total_then.call;
  if (sum_now <= 0 || sum_then <= 0) return growing;
  for (size_t i = 0; i < table.events().size(); ++i) {
    double share_now = 0, share_then = 0, most = -1;
    GrowingSite site;
    for (Quantity q : {kCompute, kCall}) {
      const SeriesFit& fit = model.PartFit(i, q);
      const double a = fit.At(now).value / sum_now;
      const double b = fit.At(then).value / sum_then;
      share_now += a;
      share_then += b;
      if (b - a > most) {
        most = b - a;
        site.model = fit.model;
      }
    }
    if (share_then - share_now < kLeastGrowth) continue;
    site.call = table.events()[i].call;
    site.site = table.events()[i].site;
    site.share_now = share_now;
    site.share_then = share_then;
    growing.push_back(std::move(site));
  }
  std::stable_sort(growing.begin(), growing.end(),
                   [](const GrowingSite& a, const GrowingSite& b) {
                     return a.share_then - a.share_now >
                            b.share_then - b.share_now;
                   });
  if (growing.size() > kMostListed) growing.resize(kMostListed);
  return growing;
}

}  // namespace ranksight::online_model
