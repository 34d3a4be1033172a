#include "online_model/synthesize/time_ladder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "online_model/series/resized.h"
#include "reduction/api/total.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::TimeSummary;
using reduction::Trace;

// share: occurrences at the target for each one of the input.
void Scale(double factor, double more_ranks, double share, TimeSummary* t) {
  const auto count = [](uint64_t n, double times) {
    return n == 0 ? 0 : uint64_t(std::max(1.0, double(n) * times));
  };
  t->first = Resized(t->first, factor, count(t->first.count, more_ranks));
  t->rest = Resized(t->rest, factor, count(t->rest.moments().count, share));
  t->ranks = Resized(t->ranks, factor, count(t->ranks.count, more_ranks));
}

double Ratio(double target, double measured) {
  return measured > 0 && target > 0 && std::isfinite(target) ? target / measured
                                                             : 1;
}

struct Site {
  reduction::Call call;
  uint32_t site;
  auto operator<=>(const Site&) const = default;
};

// v at x, between (x0, v0) and (x1, v1) on a power of x.
double Between(double x0, double v0, double x1, double v1, double x) {
  if (v0 <= 0 || v1 <= 0) return 0;
  if (x1 == x0) return v0;
  const double share = std::log(x / x0) / std::log(x1 / x0);
  return v0 * std::pow(v1 / v0, share);
}

// The step at or below, and at or above, a rank count; the last two where it is
// beyond all.
std::pair<size_t, size_t> Around(const std::vector<int64_t>& steps,
                                 int64_t ranks) {
  size_t low = 0, high = steps.size() - 1;
  if (high > 0 && ranks > steps.back()) return {high - 1, high};
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] <= ranks) low = i;
    if (steps[steps.size() - 1 - i] >= ranks) high = steps.size() - 1 - i;
  }
  return {low, high};
}

}  // namespace

TimeLadder::Means TimeLadder::At(size_t event, int64_t at_ranks) const {
  if (ranks.empty()) return {};
  const auto [i, j] = Around(ranks, at_ranks);
  const Means &low = events[event][i], &high = events[event][j];
  const double x0 = double(ranks[i]), x1 = double(ranks[j]);
  const double x = double(at_ranks);
  Means means{Between(x0, low.compute, x1, high.compute, x),
              Between(x0, low.call, x1, high.call, x),
              {}};
  for (size_t p = 0; p < low.after.size(); ++p) {
    means.after.push_back(Between(x0, low.after[p], x1, high.after[p], x));
  }
  return means;
}

bool TimeLadder::TellsApart() const {
  return std::ranges::any_of(events, [](const std::vector<Means>& steps) {
    return !steps.empty() && !steps[0].after.empty();
  });
}

size_t PartsOf(const Node& event) {
  return event.times.rest_after.apart().size();
}

double TimeLadder::NanosecondsAt(int64_t at_ranks) const {
  if (ranks.empty()) return 0;
  const auto [i, j] = Around(ranks, at_ranks);
  return Between(double(ranks[i]), nanoseconds[i], double(ranks[j]),
                 nanoseconds[j], double(at_ranks));
}

void MoveTimes(
    const Trace& base,
    const std::function<TimeFactors(const Node& from, size_t event)>& factors,
    Trace* target) {
  struct Measured {
    const Node* node;
    TimeFactors factors;
  };
  std::map<Site, Measured> measured;
  size_t event = 0;
  ForEachEvent(base.root, [&](const Node& n) {
    if (!n.trips.empty() && !measured.contains({n.call, n.site})) {
      measured[{n.call, n.site}] = {&n, factors(n, event)};
    }
    ++event;
  });
  const double more_ranks =
      double(target->meta.ranks) / double(base.meta.ranks);
  ForEachEvent(target->root, [&](Node& n) {
    const auto it = measured.find({n.call, n.site});
    if (it == measured.end()) return;
    const auto& [from, by] = it->second;
    const double share =
        Ratio(double(TotalOf(n.trips)), double(TotalOf(from->trips)));
    n.times = from->times;
    Scale(by.compute, more_ranks, share, &n.times.compute);
    Scale(by.call, more_ranks, share, &n.times.call);
    const auto factor_after = [&, &by = by,
                               from = from](reduction::Predecessor after) {
      for (size_t p = 0; p < std::min(PartsOf(*from), by.after.size()); ++p) {
        if (from->times.rest_after.apart()[p].after == after)
          return by.after[p];
      }
      return by.compute;
    };
    for (auto* parts : {&n.times.first_after, &n.times.rest_after}) {
      parts->Change([&](reduction::Predecessor after, TimeSummary* t) {
        Scale(factor_after(after), more_ranks, share, t);
      });
    }
  });
}

void ScaleTimes(const TimeLadder& ladder, const Trace& base, Trace* target) {
  const int64_t ranks = target->meta.ranks;
  MoveTimes(
      base,
      [&](const Node&, size_t event) {
        const auto now = ladder.At(event, base.meta.ranks);
        const auto then = ladder.At(event, ranks);
        TimeFactors by{
            Ratio(then.compute, now.compute), Ratio(then.call, now.call), {}};
        for (size_t p = 0; p < now.after.size(); ++p) {
          by.after.push_back(Ratio(then.after[p], now.after[p]));
        }
        return by;
      },
      target);
  const double ns = ladder.NanosecondsAt(ranks);
  if (ns > 0) SetElapsed(ns, &target->meta);
}

void SetElapsed(double nanoseconds, reduction::Meta* meta) {
  const double n = double(meta->ranks);
  meta->elapsed = {uint64_t(meta->ranks), nanoseconds * n,
                   nanoseconds * nanoseconds * n, nanoseconds, nanoseconds};
}

}  // namespace ranksight::online_model
