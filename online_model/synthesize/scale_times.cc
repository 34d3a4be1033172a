#include "online_model/synthesize/scale_times.h"

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "online_model/api/forecast.h"

namespace ranksight::online_model {
namespace {

using reduction::EventTimes;
using reduction::Moments;
using reduction::Node;
using reduction::Sketch;
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

double Ratio(double target, double measured) {
  return measured > 0 && target > 0 && std::isfinite(target) ? target / measured
                                                             : 1;
}

struct Site {
  reduction::Call call;
  uint32_t site;
  auto operator<=>(const Site&) const = default;
};

uint64_t Occurrences(const Node& node) {
  uint64_t n = 0;
  for (const auto& p : node.trips.pieces()) {
    for (const int64_t rank : p.ranks.Expand()) {
      n += uint64_t(node.trips.At(rank).Sum());
    }
  }
  return n;
}

}  // namespace

void ScaleTimes(std::span<const Trace> inputs, const Trace& base,
                Trace* target) {
  Forecaster models;
  for (const Trace& t : inputs) (void)models.AddRun(t);
  std::map<Site, const Node*> measured;
  ForEachEvent(base.root, [&measured](const Node& n) {
    if (!n.trips.empty()) measured.try_emplace({n.call, n.site}, &n);
  });
  const int64_t ranks = target->meta.ranks;
  const double more_ranks = double(ranks) / double(base.meta.ranks);
  ForEachEvent(target->root, [&](Node& n) {
    const auto it = measured.find({n.call, n.site});
    if (it == measured.end()) return;
    const Node& from = *it->second;
    const auto now = models.EventAt(base, from, base.meta.ranks);
    const auto then = models.EventAt(base, from, ranks);
    const double compute = Ratio(then.compute_ns, now.compute_ns);
    const double call = Ratio(then.call_ns, now.call_ns);
    const double share =
        Ratio(double(Occurrences(n)), double(Occurrences(from)));
    n.times = from.times;
    ScaleMoments(compute, more_ranks, &n.times.first_compute);
    ScaleMoments(call, more_ranks, &n.times.first_call);
    ScaleSketch(compute, share, &n.times.compute);
    ScaleSketch(call, share, &n.times.call);
    ScaleMoments(compute, more_ranks, &n.times.rank_compute);
    ScaleMoments(call, more_ranks, &n.times.rank_call);
  });
  const int64_t asked[] = {ranks};
  const Forecast forecast = models.At(asked);
  if (forecast.points.empty() || forecast.points[0].refused) return;
  const double ns = forecast.points[0].seconds * 1e9;
  target->meta.elapsed = {uint64_t(ranks), ns * double(ranks),
                          ns * ns * double(ranks), ns, ns};
}

}  // namespace ranksight::online_model
