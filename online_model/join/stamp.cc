#include "online_model/join/stamp.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "online_model/series/resized.h"
#include "reduction/api/total.h"

namespace ranksight::online_model {
namespace {

using reduction::ComputeParts;
using reduction::EventTimes;
using reduction::Moments;
using reduction::Node;
using reduction::Predecessor;
using reduction::Sketch;
using reduction::TimeSummary;
using reduction::Trace;

constexpr double kNsOfOneSecond = 1e9;
// Of a distribution that is made. Twice as many would lie closer than the
// buckets of a sketch.
constexpr int kMostPoints = 256;
// Jitter of one rank, in standard deviations: the middles of five equal parts
// of a normal distribution.
constexpr double kJitter[] = {-1.2816, -0.5244, 0, 0.5244, 1.2816};

Moments Constant(double value, uint64_t count) {
  if (count == 0) return {};
  const double n = double(count);
  return {count, n * value, n * value * value, value, value};
}

// With this mean.
Moments WithMean(const Moments& like, double mean, uint64_t count) {
  if (like.sum <= 0 || mean <= 0) return Constant(mean, count);
  return Resized(like, mean / like.Mean(), count);
}

Sketch WithMean(const Sketch& like, double mean, uint64_t count) {
  if (count == 0) return {};
  if (like.moments().sum > 0 && mean > 0) {
    return Resized(like, mean / like.moments().Mean(), count);
  }
  Sketch constant;
  constant.Add(uint64_t(std::llround(std::max(0.0, mean))));
  constant.Restore(Constant(mean, count), constant.first_bucket(), {count});
  return constant;
}

// Relative to the mean rank, as the walk spreads work over the ranks.
double ShareOfWork(const ComputeSpread& spread, double share) {
  if (spread.uneven.known()) return std::max(0.0, spread.uneven.At(share));
  // Less than a hundredth of the ranks are beyond it.
  constexpr double kReach = 2.5;
  return std::max(0.0, 1 + spread.between * kReach * (2 * share - 1) /
                               std::sqrt(kReach * kReach / 3));
}

// A distribution of this spread about 1, in steps of 1 / kUnit.
constexpr double kUnit = 1e6;
TimeSummary Spread(const ComputeSpread& spread, int64_t ranks) {
  TimeSummary made;
  const int points = int(std::clamp<int64_t>(ranks, 1, kMostPoints));
  for (int i = 0; i < points; ++i) {
    const double share = points > 1 ? double(i) / double(points - 1) : 0.5;
    const double rank = ShareOfWork(spread, share);
    for (const double z : kJitter) {
      const double value = std::max(0.0, rank + z * spread.within);
      made.rest.Add(uint64_t(value * kUnit));
      if (spread.within == 0) break;
    }
    made.ranks.Add(rank * kUnit);
  }
  return made;
}

bool IsMade(const ComputeSpread& spread) {
  return spread.uneven.known() || spread.within == 0;
}

class Stamper {
 public:
  Stamper(const std::vector<EventMeans>& means, const Costs* costs,
          const NumberOfEvent& number_of, const Trace& like, Trace* made)
      : means_(means),
        costs_(costs),
        number_of_(number_of),
        like_(like),
        made_(made),
        measured_(means.size()),
        trips_(means.size()) {
    reduction::ForEachEvent(like.root, [&](const Node& n) {
      const uint32_t event = number_of(like, n);
      site_like_[event] = n.site;
      if (event < measured_.size()) measured_[event].Merge(n.times);
    });
    reduction::ForEachEvent(made->root, [&](const Node& n) {
      const uint32_t event = number_of(*made, n);
      site_made_[event] = n.site;
      if (event < trips_.size()) trips_[event] += double(TotalOf(n.trips));
    });
  }

  void Run() {
    reduction::ForEachEvent(made_->root, [&](Node& n) {
      const uint32_t event = number_of_(*made_, n);
      // What the program does not come to, as behind MPI_Finalize.
      if (event >= means_.size()) return;
      n.times = TimesOf(event, double(TotalOf(n.trips)));
    });
  }

 private:
  using Behind = EventMeans::Behind;
  static Predecessor SiteOf(const std::map<uint32_t, uint32_t>& sites,
                            uint32_t event) {
    if (event == Operation::kAny) return reduction::kNoPredecessor;
    const auto at = sites.find(event);
    return at == sites.end() ? reduction::kAnyPredecessor : at->second;
  }

  // Of one node of the event, which may have several.
  EventTimes TimesOf(uint32_t event, double trips) const {
    const double share = trips_[event] > 0 ? trips / trips_[event] : 0;
    EventTimes out;
    const EventMeans& means = means_[event];
    for (const Occasion occasion : {kFirst, kLater}) {
      std::vector<ComputeParts::Part> parts;
      for (const auto& [before, behind] : means.behind[occasion]) {
        const auto count = uint64_t(std::llround(share * behind.count));
        if (count == 0) continue;
        TimeSummary part =
            PartOf(event, occasion, before, behind.Mean(), count);
        out.compute.Merge(part);
        parts.push_back({SiteOf(site_made_, before), std::move(part)});
      }
      (occasion == kFirst ? out.first_after : out.rest_after) =
          ComputeParts::Of(std::move(parts));
    }
    // Ranks have a mean each of all of it, and not one of each part.
    const TimeSummary& like = measured_[event].compute;
    out.compute.ranks = WithMean(
        like.ranks, out.compute.Mean(out.compute.rest.moments().count == 0),
        std::min(out.compute.Occurrences(), uint64_t(made_->meta.ranks)));
    const TimeSummary& call = measured_[event].call;
    out.call.first = WithMean(call.first, MeanOf(call, true, means.call),
                              out.compute.first.count);
    out.call.rest = WithMean(call.rest, MeanOf(call, false, means.call),
                             out.compute.rest.moments().count);
    out.call.ranks = WithMean(call.ranks, means.call, out.compute.ranks.count);
    return out;
  }

  // First calls take longer than others as they did in the measured run.
  static double MeanOf(const TimeSummary& call, bool is_first, double mean) {
    const double all = call.Total(), n = double(call.Occurrences());
    const Moments& of = is_first ? call.first : call.rest.moments();
    return all > 0 && of.count > 0 ? mean * of.Mean() * n / all : mean;
  }

  TimeSummary PartOf(uint32_t event, Occasion occasion, uint32_t before,
                     double mean, uint64_t count) const {
    TimeSummary like = LikeOf(event, occasion, before);
    if (costs_ != nullptr) {
      const ComputeSpread& spread = costs_->events[event].spread[occasion];
      if (IsMade(spread)) {
        like = Spread(spread, made_->meta.ranks);
        like.first = like.ranks;
      }
    }
    TimeSummary part;
    if (occasion == kFirst) {
      part.first = WithMean(like.first, mean, count);
      return part;
    }
    part.rest = WithMean(like.rest, mean, count);
    const uint64_t ranks = std::min(count, uint64_t(made_->meta.ranks));
    part.ranks = WithMean(like.ranks, mean, ranks);
    return part;
  }

  // What the measured run knows of computation behind this event, or else of
  // all before that one.
  TimeSummary LikeOf(uint32_t event, Occasion occasion, uint32_t before) const {
    const EventTimes& times = measured_[event];
    const ComputeParts& parts =
        occasion == kFirst ? times.first_after : times.rest_after;
    const TimeSummary* part = parts.Find(SiteOf(site_like_, before));
    return part != nullptr ? *part : times.compute;
  }

  const std::vector<EventMeans>& means_;
  const Costs* const costs_;
  const NumberOfEvent& number_of_;
  const Trace& like_;
  Trace* const made_;
  std::vector<EventTimes> measured_;  // by event
  std::vector<double> trips_;         // by event, of all nodes at the target
  std::map<uint32_t, uint32_t> site_like_, site_made_;  // by event
};

}  // namespace

EventMeans::Behind EventMeans::Of(Occasion occasion) const {
  Behind all;
  for (const auto& [before, part] : behind[occasion]) {
    all.count += part.count;
    all.sum += part.sum;
  }
  return all;
}

std::vector<EventMeans> MeansOf(const ContextTable& contexts,
                                const Program& program,
                                const WalkedTimes& times) {
  std::vector<EventMeans> out(program.events);
  std::vector<double> occurrences(program.events);
  for (const Occasion occasion : {kFirst, kLater}) {
    const std::vector<double>& often = program.occurrences[occasion];
    for (size_t c = 0; c < often.size(); ++c) {
      const ContextTable::Context& context = contexts.contexts()[c];
      if (often[c] <= 0 || context.event >= out.size()) continue;
      EventMeans::Behind& behind =
          out[context.event].behind[occasion][context.after];
      behind.count += often[c];
      behind.sum +=
          often[c] * times.costs.compute[occasion][c] * kNsOfOneSecond;
      occurrences[context.event] += often[c];
    }
  }
  for (size_t e = 0; e < out.size(); ++e) {
    if (occurrences[e] > 0) {
      out[e].call = times.walked.in_call[e] * kNsOfOneSecond / occurrences[e];
    }
  }
  return out;
}

void Stamp(const std::vector<EventMeans>& means, const Costs* costs,
           const NumberOfEvent& number_of, const Trace& like, Trace* made) {
  Stamper(means, costs, number_of, like, made).Run();
}

}  // namespace ranksight::online_model
