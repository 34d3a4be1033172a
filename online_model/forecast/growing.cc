#include "online_model/forecast/growing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

constexpr size_t kMostListed = 10;
// A share that moves by less than half a percent of the run is not news.
constexpr double kLeastGrowth = 0.005;

// Series that lead nowhere among the largest at either end are not looked at
// between: laws of few terms cross once or twice.
constexpr size_t kMostLeading = 16;
constexpr double kStep = 1.4142135623730951;

struct Part {
  size_t event = 0;
  Quantity quantity = kCompute;
  bool operator==(const Part&) const = default;
};

double SecondsAt(const TotalModel& model, const Part& part, double ranks) {
  return model.PartFit(part.event, part.quantity).At(ranks).value;
}

class Leaders {
 public:
  Leaders(const EventTable& table, const TotalModel& model, int64_t from,
          int64_t to)
      : model_(model) {
    for (const int64_t end : {from, to}) {
      std::vector<std::pair<double, Part>> all;
      for (size_t e = 0; e < table.events().size(); ++e) {
        for (const Quantity q : {kCompute, kCall}) {
          all.push_back({SecondsAt(model, {e, q}, double(end)), {e, q}});
        }
      }
      const size_t kept = std::min(kMostLeading, all.size());
      std::partial_sort(
          all.begin(), all.begin() + long(kept), all.end(),
          [](const auto& a, const auto& b) { return a.first > b.first; });
      for (size_t i = 0; i < kept; ++i) parts_.push_back(all[i].second);
    }
  }
  Part At(int64_t ranks) const {
    const double n = double(ranks);
    return *std::ranges::max_element(parts_, {}, [&](const Part& part) {
      return SecondsAt(model_, part, n);
    });
  }

 private:
  const TotalModel& model_;
  std::vector<Part> parts_;
};

}  // namespace

std::vector<DominantSite> FindDominant(const EventTable& table,
                                       const TotalModel& model, int64_t from,
                                       int64_t to) {
  RANKSIGHT_REQUIRE(1 <= from && from <= to);
  std::vector<DominantSite> sites;
  if (table.events().empty()) return sites;
  const Leaders leaders(table, model, from, to);
  const auto add = [&](int64_t ranks, const Part& part) {
    const Total total = model.At(double(ranks));
    const double sum = total.compute + total.call;
    if (sum <= 0) return;
    const EventSeries& event = table.events()[part.event];
    sites.push_back({ranks, event.call, event.site, part.quantity == kCall,
                     SecondsAt(model, part, double(ranks)) / sum});
  };
  int64_t at = from;
  Part leader = leaders.At(at);
  add(at, leader);
  while (at < to) {
    const int64_t step =
        std::max<int64_t>(at + 1, std::llround(double(at) * kStep));
    const int64_t next = std::min(to, step);
    int64_t before = at, after = next;
    const Part there = leaders.At(next);
    // Between two rank counts with different leaders the change is found by
    // halving, to the rank.
    while (!(there == leader) && before + 1 < after) {
      const int64_t middle = before + (after - before) / 2;
      (leaders.At(middle) == leader ? before : after) = middle;
    }
    if (!(there == leader)) add(after, leaders.At(after));
    leader = there;
    at = next;
  }
  return sites;
}

std::vector<GrowingSite> FindGrowing(const EventTable& table,
                                     const TotalModel& model, double now,
                                     double then) {
  RANKSIGHT_REQUIRE(now > 0 && then > 0);
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
      // Its model is that of the part that grows most, not of the larger one.
      if (b - a > most) {
        most = b - a;
        site.model = fit.model;
        site.in_call = q == kCall;
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
