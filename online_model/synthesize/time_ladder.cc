#include "online_model/synthesize/time_ladder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "online_model/api/forecast.h"
#include "online_model/fit/occurrence_fit.h"
#include "reduction/api/total.h"

namespace ranksight::online_model {
namespace {

using reduction::Moments;
using reduction::Node;
using reduction::Sketch;
using reduction::TimeSummary;
using reduction::Trace;

void ScaleMoments(double factor, double share, Moments* m) {
  const double count = double(m->count);
  m->count = m->count == 0 ? 0 : uint64_t(std::max(1.0, count * share));
  const double kept = count == 0 ? 0 : double(m->count) / count;
  m->sum *= factor * kept;
  m->sum_squares *= factor * factor * kept;
  m->min *= factor;
  m->max *= factor;
}

// share: occurrences at the target for each one of the input.
void ScaleSketch(double factor, double share, Sketch* s) {
  s->Scale(factor);
  Moments m = s->moments();
  ScaleMoments(1, share, &m);
  std::vector<uint64_t> counts = s->counts();
  for (uint64_t& c : counts) {
    if (c != 0) c = uint64_t(std::max(1.0, std::round(double(c) * share)));
  }
  s->Restore(m, s->first_bucket(), std::move(counts));
}

void Scale(double factor, double more_ranks, double share, TimeSummary* t) {
  ScaleMoments(factor, more_ranks, &t->first);
  ScaleSketch(factor, share, &t->rest);
  ScaleMoments(factor, more_ranks, &t->ranks);
}

double Ratio(double target, double measured) {
  return measured > 0 && target > 0 && std::isfinite(target) ? target / measured
                                                             : 1;
}

// A law needs so many sizes.
constexpr size_t kLeastSizes = 3;

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

// The step at or below, and at or above, a rank count.
std::pair<size_t, size_t> Around(const std::vector<int64_t>& steps,
                                 int64_t ranks) {
  size_t low = 0, high = steps.size() - 1;
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

namespace {

std::vector<std::vector<const Node*>> EventsOf(std::span<const Trace> traces) {
  std::vector<std::vector<const Node*>> events;
  for (const Trace& t : traces) {
    events.emplace_back();
    ForEachEvent(t.root, [&](const Node& n) { events.back().push_back(&n); });
  }
  return events;
}

// The means behind one predecessor, by what is known of it at each size.
// Where that is too little: as the event's own, from base to there.
std::vector<double> MeansAfter(
    reduction::Predecessor after, std::span<const Trace> traces,
    const std::vector<std::vector<const Node*>>& events, size_t event,
    const std::vector<int64_t>& ranks) {
  std::vector<Point> points;
  std::vector<double> occurrences;
  for (size_t t = 0; t < traces.size(); ++t) {
    const reduction::TimeSummary* part =
        events[t][event]->times.KnownRestAfter(after);
    if (part == nullptr || part->rest.moments().count == 0) continue;
    const double mean = part->rest.moments().Mean();
    if (mean <= 0) continue;
    points.push_back({double(traces[t].meta.ranks), 1, mean});
    occurrences.push_back(double(part->rest.moments().count));
  }
  if (points.size() < kLeastSizes) return {};
  const OccurrenceFit fit(points, occurrences);
  std::vector<double> means;
  for (const int64_t n : ranks) means.push_back(fit.At(double(n), 0).value);
  return means;
}

void AddMeansAfter(std::span<const Trace> traces, const Trace& base,
                   TimeLadder* ladder) {
  const auto events = EventsOf(traces);
  size_t event = 0;
  ForEachEvent(base.root, [&](const Node& n) {
    auto& steps = ladder->events[event];
    const TimeLadder::Means own = ladder->At(event, base.meta.ranks);
    for (size_t p = 0; p < PartsOf(n); ++p) {
      const auto& part = n.times.rest_after.apart()[p];
      const double recorded = part.compute.Mean(false);
      const auto means =
          MeansAfter(part.after, traces, events, event, ladder->ranks);
      for (size_t i = 0; i < steps.size(); ++i) {
        steps[i].after.push_back(
            !means.empty() ? means[i]
                           : recorded * Ratio(steps[i].compute, own.compute));
      }
    }
    ++event;
  });
}

}  // namespace

TimeLadder MeasureLadder(std::span<const Trace> inputs,
                         std::span<const Trace> aligned, const Trace& base,
                         std::vector<int64_t> ranks) {
  Forecaster models;
  for (const Trace& t : inputs) (void)models.AddRun(t);
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  TimeLadder ladder;
  ladder.ranks = ranks;
  ForEachEvent(base.root, [&](const Node& n) {
    auto& means = ladder.events.emplace_back();
    for (const auto& time : models.EventAt(base, n, ranks)) {
      means.push_back({time.compute_ns, time.call_ns, {}});
    }
  });
  AddMeansAfter(aligned, base, &ladder);
  const Forecast forecast = models.At(ranks);
  for (size_t i = 0; i < ranks.size(); ++i) {
    const bool known =
        i < forecast.points.size() && !forecast.points[i].refused;
    ladder.nanoseconds.push_back(known ? forecast.points[i].seconds * 1e9 : 0);
  }
  return ladder;
}

std::vector<int64_t> WideSteps(int64_t base_ranks) {
  std::vector<int64_t> steps{base_ranks};
  for (int e = 0; e <= 40; e += 4) steps.push_back(int64_t{1} << e);
  return steps;
}

void ScaleTimes(const TimeLadder& ladder, const Trace& base, Trace* target) {
  struct Measured {
    const Node* node;
    size_t event;
  };
  std::map<Site, Measured> measured;
  size_t event = 0;
  ForEachEvent(base.root, [&](const Node& n) {
    if (!n.trips.empty())
      measured.try_emplace({n.call, n.site}, Measured{&n, event});
    ++event;
  });
  const int64_t ranks = target->meta.ranks;
  const double more_ranks = double(ranks) / double(base.meta.ranks);
  ForEachEvent(target->root, [&](Node& n) {
    const auto it = measured.find({n.call, n.site});
    if (it == measured.end()) return;
    const Node& from = *it->second.node;
    const auto now = ladder.At(it->second.event, base.meta.ranks);
    const auto then = ladder.At(it->second.event, ranks);
    const double compute = Ratio(then.compute, now.compute);
    const double call = Ratio(then.call, now.call);
    const double share =
        Ratio(double(TotalOf(n.trips)), double(TotalOf(from.trips)));
    n.times = from.times;
    Scale(compute, more_ranks, share, &n.times.compute);
    Scale(call, more_ranks, share, &n.times.call);
    const auto ratio_after = [&](reduction::Predecessor after) {
      for (size_t p = 0; p < std::min(PartsOf(from), now.after.size()); ++p) {
        if (from.times.rest_after.apart()[p].after != after) continue;
        return Ratio(then.after[p], now.after[p]);
      }
      return compute;
    };
    for (auto* parts : {&n.times.first_after, &n.times.rest_after}) {
      parts->Change([&](reduction::Predecessor after, TimeSummary* t) {
        Scale(ratio_after(after), more_ranks, share, t);
      });
    }
  });
  const double ns = ladder.NanosecondsAt(ranks);
  if (ns <= 0) return;
  target->meta.elapsed = {uint64_t(ranks), ns * double(ranks),
                          ns * ns * double(ranks), ns, ns};
}

}  // namespace ranksight::online_model
