#include "online_model/forecast/under_way.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

constexpr double kSecondsPerNs = 1e-9;
// Occurrences on a mean rank from which on their mean is taken for that of
// the whole run. Doubling it delays what short loops can say.
constexpr double kLeastOccurrences = 3;
// Relative held-out error up to which a law of occurrences is a structure's,
// not a fit: trip counts are whole numbers, only rounding is left.
constexpr double kExact = 1e-3;
// A law of occurrences that is less sure than this (relative half width) says
// nothing about how much is still to come.
constexpr double kWidest = 0.1;
// Occurrences beyond the law's by which a run is known not to follow it.
constexpr double kMostBeyond = 1.02;
// Share of the time seen in events or past laws that no other run has, from
// which on the run is too unlike the others.
constexpr double kMostStrange = 0.1;
constexpr size_t kLeastSizesBefore = 2;

}  // namespace

SeenRun::SeenRun(const reduction::Trace& so_far, const EventTable& table)
    : job_(so_far.meta.job),
      ranks_(so_far.meta.ranks),
      seen_(table.events().size()) {
  RANKSIGHT_REQUIRE(ranks_ >= 1);
  const double per_rank = 1 / double(ranks_);
  const double seconds = kSecondsPerNs * per_rank;
  reduction::ForEachEvent(so_far.root, [&](const reduction::Node& event) {
    const reduction::EventTimes& t = event.times;
    const double in_run = reduction::BeginsRun(event.call) ? 0 : seconds;
    const int64_t at = table.Find(so_far, event);
    if (at < 0) {
      strange_ += t.TotalCompute() * seconds + t.TotalCall() * in_run;
      return;
    }
    Seen& s = seen_[size_t(at)];
    s.first += double(t.call.first.count) * per_rank;
    s.first_compute += t.compute.first.sum * seconds;
    s.first_call += t.call.first.sum * in_run;
    s.rest += double(t.call.rest.moments().count) * per_rank;
    s.rest_compute += t.compute.rest.moments().sum * seconds;
    s.rest_call += t.call.rest.moments().sum * in_run;
    s.occurrences = s.first + s.rest;
  });
}

SeenRun::Expected SeenRun::ExpectedOf(size_t event, const EventTable& table,
                                      const TotalModel& model) const {
  RANKSIGHT_REQUIRE(event < table.events().size());
  const std::vector<Point> measured =
      table.Points(table.events()[event].series[kOccurrences]);
  for (const Point& p : measured) {
    if (p.ranks == double(ranks_)) return {p.mean, true};
  }
  const SeriesFit& law = model.PartFit(event, kOccurrences);
  const Estimate e = law.At(double(ranks_));
  if (law.model.held_out_error <= kExact) return {e.value, true};
  return {e.value, e.HalfWidth() <= kWidest * e.value};
}

SeenRun::Completed SeenRun::Complete(const EventTable& table,
                                     const TotalModel& model) const {
  Completed out;
  out.part.ranks = double(ranks_);
  out.part.values.resize(table.events().size());
  out.about.job = job_;
  out.about.ranks = ranks_;
  if (table.columns().size() < kLeastSizesBefore) {
    out.about.reason = "two rank counts must be measured before";
    return out;
  }
  double so_far = strange_, whole = 0, beyond = 0;
  for (size_t e = 0; e < table.events().size(); ++e) {
    const Seen s = e < seen_.size() ? seen_[e] : Seen();
    const double own =
        s.first_compute + s.first_call + s.rest_compute + s.rest_call;
    so_far += own;
    const Expected expected = ExpectedOf(e, table, model);
    // A program that does more of something than its runs ever did is another
    // one by then.
    if (s.occurrences > kMostBeyond * expected.occurrences) beyond += own;
    const double all = std::max(expected.occurrences, s.occurrences);
    const bool over = s.occurrences >= all * (1 - kExact);
    // What has hardly begun, or whose end nobody knows, takes what the models
    // say: a few occurrences are no rate.
    const bool is_rate = s.occurrences >= kLeastOccurrences && s.rest > 0;
    if (!expected.known || s.occurrences <= 0 || (!over && !is_rate)) {
      whole += model.PartFit(e, kCompute).At(double(ranks_)).value +
               model.PartFit(e, kCall).At(double(ranks_)).value;
      continue;
    }
    // The first occurrences are over and come no more; the rest goes on at the
    // pace so far.
    const double times = over ? 1 : (all - s.first) / s.rest;
    const double weight = s.occurrences / all;
    const double compute = s.first_compute + times * s.rest_compute;
    const double call = s.first_call + times * s.rest_call;
    out.part.values[e][kCompute] = PartOfRun::Value{compute, weight};
    out.part.values[e][kCall] = PartOfRun::Value{call, weight};
    whole += compute + call;
  }
  if (so_far <= 0 || whole <= 0) {
    out.about.reason = "nothing has been seen yet";
    return out;
  }
  out.about.share_seen = std::min(1.0, so_far / whole);
  out.about.seconds = out.part.seconds = model.ratio() * whole;
  out.part.weight = out.about.share_seen;
  if (strange_ + beyond > kMostStrange * so_far) {
    out.about.reason = fmt::format(
        "{:.0f} % of its time is in calls that stored runs do not make, or "
        "make less often",
        100 * (strange_ + beyond) / so_far);
    return out;
  }
  out.about.used = true;
  return out;
}

}  // namespace ranksight::online_model
