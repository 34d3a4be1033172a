#include "online_model/join/costs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "online_model/fit/occurrence_fit.h"
#include "online_model/forecast/event_table.h"
#include "online_model/join/agree.h"
#include "online_model/join/two_kinds.h"
#include "online_model/series/event_key.h"
#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::EventTimes;

constexpr double kSecondsPerNs = 1e-9;

reduction::Moments Scaled(reduction::Moments m, double factor) {
  m.Scale(factor);
  return m;
}

// Of rank counts, for a law of how uneven work is.
constexpr size_t kLeastSizesOfLaw = 3;
// More contexts than this are not told apart: every choice is tried.
constexpr size_t kMostContexts = 10;
// Two kinds of places explain a spread when they miss its extremes by less.
constexpr double kExplained = 0.1;
// Computation behind two calls that differs by less follows one law.
constexpr double kAlike = 0.1;

double ShareOf(const std::vector<uint32_t>& contexts, size_t heavy,
               const std::vector<double>& occurrences) {
  double all = 0, some = 0;
  for (size_t i = 0; i < contexts.size(); ++i) {
    if (contexts[i] >= occurrences.size()) continue;
    all += occurrences[contexts[i]];
    if ((heavy >> i & 1) != 0) some += occurrences[contexts[i]];
  }
  return all > 0 ? some / all : 0;
}

}  // namespace

uint32_t CostTable::NumberOf(const reduction::Trace& trace,
                             const reduction::Node& event) {
  const auto [it, fresh] = numbers_.try_emplace(EventKey(trace.sites, event),
                                                uint32_t(calls_.size()));
  if (fresh) calls_.push_back(event.call);
  return it->second;
}

std::map<reduction::Predecessor, uint32_t> CostTable::EventAtSite(
    const reduction::Trace& trace) {
  std::map<reduction::Predecessor, uint32_t> out = {
      {reduction::kNoPredecessor, Operation::kAny}};
  reduction::ForEachEvent(trace.root, [&](const reduction::Node& node) {
    if (node.site < trace.sites.sites.size()) {
      out[node.site] = NumberOf(trace, node);
    }
  });
  return out;
}

void SizeCosts::Computation::AddBehind(
    const reduction::ComputeParts& parts, Occasion occasion,
    const std::map<reduction::Predecessor, uint32_t>& event_at, double scale) {
  for (const auto& part : parts.apart()) {
    const auto at = event_at.find(part.after);
    if (at == event_at.end()) continue;  // several of them
    Behind& b = behind[at->second];
    const reduction::Moments& m =
        occasion == kFirst ? part.compute.first : part.compute.rest.moments();
    b.moments.Merge(Scaled(m, scale));
    b.ranks.Merge(Scaled(part.compute.ranks, scale));
  }
}

void CostTable::Add(const reduction::Trace& trace, double scale) {
  const double seconds = scale * kSecondsPerNs;
  SizeCosts& size = sizes_[trace.meta.ranks];
  const std::map<reduction::Predecessor, uint32_t> event_at =
      EventAtSite(trace);
  std::vector<double> compute, count;
  double all_later = 0;
  reduction::ForEachEvent(trace.root, [&](const reduction::Node& node) {
    const uint32_t number = NumberOf(trace, node);
    if (number >= size.events.size()) size.events.resize(number + 1);
    if (number >= compute.size()) {
      compute.resize(number + 1);
      count.resize(number + 1);
    }
    SizeCosts::Event& e = size.events[number];
    const EventTimes& t = node.times;
    const double occurrences = double(t.call.Occurrences());
    SizeCosts::Computation& first = e.computation[kFirst];
    SizeCosts::Computation& later = e.computation[kLater];
    const double firsts = double(t.compute.first.count);
    first.count += firsts;
    first.seconds += t.compute.first.sum * seconds;
    later.count += occurrences - firsts;
    const double rest = (t.TotalCompute() - t.compute.first.sum) * seconds;
    later.seconds += rest;
    // What comes before MPI_Init is no computation of the run.
    if (!BeginsRun(node.call)) all_later += rest;
    e.call += t.TotalCall() * seconds;
    first.AddBehind(t.first_after, kFirst, event_at, scale);
    later.AddBehind(t.rest_after, kLater, event_at, scale);
    // Of one run alone: over several, what differs between runs would count as
    // what differs between ranks.
    if (size.runs == 0) {
      first.moments.Merge(Scaled(t.compute.first, scale));
      later.moments.Merge(Scaled(t.compute.rest.moments(), scale));
      e.ranks.Merge(Scaled(t.compute.ranks, scale));
    }
    compute[number] += t.TotalCompute() * seconds;
    count[number] += occurrences;
  });
  // Once a run, over all events of one number: two call sites may share one,
  // and the square is that of their mean.
  for (size_t i = 0; i < compute.size(); ++i) {
    if (count[i] == 0) continue;
    const double mean = compute[i] / count[i];
    size.events[i].squares += mean * mean;
    size.events[i].runs += 1;
  }
  size.later += all_later;
  size.later_squares += all_later * all_later;
  size.runs += 1;
  size.seconds += scale * SecondsOf(trace);
}

void CostTable::AddProgram(int64_t measured, const Program& program) {
  RANKSIGHT_REQUIRE(sizes_.contains(measured));
  sizes_.at(measured).occurrences = program.occurrences;
}

void CostTable::Separate() {
  of_event_.assign(calls_.size(), {});
  for (size_t c = 0; c < contexts_.contexts().size(); ++c) {
    of_event_[contexts_.contexts()[c].event].push_back(uint32_t(c));
  }
  for (const Occasion occasion : {kFirst, kLater}) Separate(occasion);
}

bool CostTable::IsRecorded(size_t event, Occasion occasion) const {
  return std::ranges::any_of(sizes_, [&](const auto& size) {
    const auto& events = size.second.events;
    return event < events.size() &&
           !events[event].computation[occasion].behind.empty();
  });
}

bool CostTable::TakeAsLong(size_t event, Occasion occasion, uint32_t one,
                           uint32_t other) const {
  bool known = false;
  for (const auto& [ranks, size] : sizes_) {
    if (event >= size.events.size()) continue;
    const auto& behind = size.events[event].computation[occasion].behind;
    const auto a = behind.find(one), b = behind.find(other);
    if (a == behind.end() || b == behind.end()) continue;
    const double x = a->second.moments.Mean(), y = b->second.moments.Mean();
    if (std::abs(x - y) > kAlike * std::max(x, y)) return false;
    known = true;
  }
  return known;
}

std::map<uint32_t, uint32_t> CostTable::AlikeBehind(size_t event,
                                                    Occasion occasion) const {
  std::map<uint32_t, uint32_t> out;
  for (const auto& [ranks, size] : sizes_) {
    if (event >= size.events.size()) continue;
    for (const auto& part : size.events[event].computation[occasion].behind) {
      out.emplace(part.first, part.first);
    }
  }
  for (auto& [after, like] : out) {
    for (const auto& [before, first] : out) {
      if (before == after) break;
      if (before != first || !TakeAsLong(event, occasion, before, after)) {
        continue;
      }
      like = first;
      break;
    }
  }
  return out;
}

void CostTable::Separate(Occasion occasion) {
  Kinds& kinds = kinds_[occasion];
  kinds.kind.assign(contexts_.contexts().size(), 0);
  kinds.separated.assign(calls_.size(), false);
  kinds.recorded.assign(calls_.size(), false);
  for (size_t e = 0; e < calls_.size(); ++e) {
    const std::vector<uint32_t>& contexts = of_event_[e];
    if (IsRecorded(e, occasion)) {
      kinds.separated[e] = kinds.recorded[e] = true;
      const auto like = AlikeBehind(e, occasion);
      for (const uint32_t c : contexts) {
        const uint32_t after = contexts_.contexts()[c].after;
        const auto at = like.find(after);
        kinds.kind[c] = at == like.end() ? after : at->second;
      }
      continue;
    }
    if (contexts.empty() || contexts.size() > kMostContexts) continue;
    double least = kExplained;
    size_t best = 0;
    for (size_t heavy = 0; heavy + 1 < size_t{1} << contexts.size(); ++heavy) {
      double farthest = 0;
      bool both = false;  // at one size; else there is nothing to tell apart
      for (const auto& [ranks, size] : sizes_) {
        if (e >= size.events.size()) continue;
        const auto& moments = size.events[e].computation[occasion].moments;
        if (moments.count == 0) continue;
        const double share =
            ShareOf(contexts, heavy, size.occurrences[occasion]);
        farthest = std::max(farthest, Distance(moments, share));
        both = both || (share > 0 && share < 1);
      }
      if (both && farthest < least) {
        least = farthest;
        best = heavy;
        kinds.separated[e] = true;
      }
    }
    for (size_t i = 0; i < contexts.size(); ++i) {
      kinds.kind[contexts[i]] = uint32_t(best >> i & 1);
    }
  }
}

double CostTable::OfKind(const std::vector<double>& occurrences,
                         Occasion occasion, uint32_t context) const {
  const Kinds& kinds = kinds_[occasion];
  const uint32_t event = contexts_.contexts()[context].event;
  double sum = 0;
  for (const uint32_t c : of_event_[event]) {
    if (c >= occurrences.size()) continue;
    if (!kinds.separated[event] || kinds.kind[c] == kinds.kind[context]) {
      sum += occurrences[c];
    }
  }
  return sum;
}

double CostTable::ComputeAt(const SizeCosts& size, Occasion occasion,
                            uint32_t context) const {
  RANKSIGHT_REQUIRE(context < contexts_.contexts().size());
  const uint32_t event = contexts_.contexts()[context].event;
  if (event >= size.events.size() || BeginsRun(calls_[event])) return 0;
  const auto& all = size.events[event].computation;
  // An event that occurred only once has but its first time.
  const Occasion known = all[occasion].count > 0 ? occasion : kFirst;
  const SizeCosts::Computation& c = all[known];
  if (c.count <= 0) return 0;
  const double mean = c.seconds / c.count, seen = c.moments.Mean();
  const Kinds& kinds = kinds_[known];
  if (kinds.recorded[event]) {
    const auto own = c.behind.find(contexts_.contexts()[context].after);
    const auto part =
        own == c.behind.end() ? c.behind.find(kinds.kind[context]) : own;
    return part == c.behind.end() || part->second.moments.count == 0
               ? mean
               : part->second.moments.Mean() * kSecondsPerNs;
  }
  if (!kinds.separated[event] || seen <= 0) return mean;
  size_t heavy = 0;
  const std::vector<uint32_t>& contexts = of_event_[event];
  for (size_t i = 0; i < contexts.size(); ++i) {
    heavy |= size_t{kinds.kind[contexts[i]]} << i;
  }
  const TwoKinds k = Split(seen, std::sqrt(c.moments.Variance()),
                           ShareOf(contexts, heavy, size.occurrences[known]));
  return mean / seen * (kinds.kind[context] != 0 ? k.heavy : k.light);
}

EventCost CostTable::EventAt(const SizeCosts& size, size_t event) const {
  EventCost c;
  if (event >= size.events.size() || BeginsRun(calls_[event])) return c;
  const SizeCosts::Event& e = size.events[event];
  if (e.Occurrences() == 0) return c;
  if (calls_[event] != Call::MPI_Finalize_) c.local = e.call / e.Occurrences();
  const WorkSpread first = SpreadOfFirst(size, event);
  if (first.known()) {
    // One value a rank tells nothing of jitter.
    c.spread[kFirst] = {first.between(), 0,
                        UnevenOf(first.between(), first.least(), first.most())};
  }
  const WorkSpread s = SpreadAt(size, event);
  if (!s.known()) return c;
  c.spread[kLater] = {s.between(), s.within(),
                      UnevenOf(s.between(), s.least(), s.most(), s.jitter())};
  return c;
}

WorkSpread CostTable::SpreadOfFirst(const SizeCosts& size, size_t event) const {
  WorkSpread s;
  const SizeCosts::Computation& first = size.events[event].computation[kFirst];
  if (!kinds_[kFirst].separated[event]) {
    s.Add(first.moments, first.moments);
  } else if (kinds_[kFirst].recorded[event]) {
    for (const auto& [after, part] : first.behind) {
      s.Add(part.moments, part.moments);
    }
  }
  return s;
}

WorkSpread CostTable::SpreadAt(const SizeCosts& size, size_t event) const {
  WorkSpread s;
  if (event >= size.events.size()) return s;
  const SizeCosts::Event& e = size.events[event];
  const SizeCosts::Computation& later = e.computation[kLater];
  if (!kinds_[kLater].separated[event]) {
    s.Add(later.moments, e.ranks);
  } else if (kinds_[kLater].recorded[event]) {
    for (const auto& [after, part] : later.behind) {
      s.Add(part.moments, part.ranks);
    }
  }
  return s;
}

// Deviation and extremes follow laws of their own: what one rank has more may
// stay as it is where all others have less. Beside the mean rank's work, which
// is 1: an error counts by what it is of that, and not by how little few ranks
// show.
Uneven CostTable::UnevenByLaw(double ranks, size_t event, int64_t below) const {
  std::vector<Point> deviation, less, more;
  for (const auto& [n, size] : sizes_) {
    const WorkSpread s = SpreadAt(size, event);
    if (n >= below || !s.known()) continue;
    const auto point = [n = double(n), runs = size.runs](double mean) {
      return Point{n, runs, 1 + std::max(0.0, mean), 0, 0};
    };
    deviation.push_back(point(s.between()));
    less.push_back(point(1 - s.least()));
    more.push_back(point(s.most() - 1));
  }
  if (deviation.size() < kLeastSizesOfLaw) return {};
  const auto law = [&](const std::vector<Point>& points) {
    return std::max(0.0, FitSeries(points).At(ranks).value - 1);
  };
  return UnevenOf(law(deviation), 1 - std::min(1.0, law(less)), 1 + law(more),
                  0.0);
}

Costs CostTable::At(int64_t measured) const {
  RANKSIGHT_REQUIRE(sizes_.contains(measured));
  Costs out;
  const SizeCosts& size = sizes_.at(measured);
  for (size_t e = 0; e < calls_.size(); ++e) {
    out.events.push_back(EventAt(size, e));
  }
  for (size_t c = 0; c < contexts_.contexts().size(); ++c) {
    for (const Occasion o : {kFirst, kLater}) {
      out.compute[o].push_back(ComputeAt(size, o, uint32_t(c)));
    }
  }
  return out;
}

std::vector<double> CostTable::InCall(int64_t measured) const {
  RANKSIGHT_REQUIRE(sizes_.contains(measured));
  std::vector<double> out(calls_.size());
  const SizeCosts& size = sizes_.at(measured);
  for (size_t i = 0; i < size.events.size(); ++i) {
    if (BeginsRun(calls_[i]) || calls_[i] == Call::MPI_Finalize_) continue;
    out[i] = size.events[i].call / size.runs;
  }
  return out;
}

bool CostTable::Tells(const SizeCosts& size, Occasion occasion,
                      uint32_t context) const {
  const Kinds& kinds = kinds_[occasion];
  const uint32_t event = contexts_.contexts()[context].event;
  if (!kinds.separated[event]) return true;
  const std::vector<double>& here = size.occurrences[occasion];
  if (context < here.size() && here[context] > 0) return true;
  double own = 0, other = 0;
  bool one_kind = true;
  for (const uint32_t c : of_event_[event]) {
    const bool same = kinds.kind[c] == kinds.kind[context];
    one_kind = one_kind && same;
    if (c < here.size()) (same ? own : other) += here[c];
  }
  // Where but one kind occurs, it could be either, unless it was recorded.
  return own > 0 && (one_kind || other > 0 || kinds.recorded[event]);
}

bool CostTable::IsSeen(const SizeCosts& size, Occasion occasion,
                       uint32_t context) const {
  const std::vector<double>& here = size.occurrences[occasion];
  if (kinds_[occasion].recorded[contexts_.contexts()[context].event]) {
    return OfKind(here, occasion, context) > 0;
  }
  return context < here.size() && here[context] > 0;
}

CostTable::BehindOne CostTable::ComputeBehind(const SizeCosts& size,
                                              Occasion occasion,
                                              uint32_t after) const {
  BehindOne all;
  const std::vector<double>& here = size.occurrences[occasion];
  for (uint32_t c = 0; c < here.size(); ++c) {
    if (contexts_.contexts()[c].after != after || here[c] <= 0) continue;
    all.occurrences += here[c];
    all.seconds += here[c] * ComputeAt(size, occasion, c);
  }
  return all;
}

double CostTable::OccurrencesBehind(const std::vector<double>& occurrences,
                                    uint32_t after) const {
  double sum = 0;
  for (size_t c = 0; c < occurrences.size(); ++c) {
    if (contexts_.contexts()[c].after == after) sum += occurrences[c];
  }
  return sum;
}

double CostTable::NewBehind(const std::vector<double>& occurrences,
                            Occasion occasion, uint32_t after,
                            int64_t below) const {
  double sum = 0;
  for (uint32_t c = 0; c < occurrences.size(); ++c) {
    if (contexts_.contexts()[c].after != after || occurrences[c] <= 0) continue;
    const bool seen = std::ranges::any_of(sizes_, [&](const auto& size) {
      return size.first < below && IsSeen(size.second, occasion, c);
    });
    if (!seen) sum += occurrences[c];
  }
  return sum;
}

// What a context costs follows the law of its kind of places, from all sizes
// that have the kind, and not only from those where the context itself occurs.
Estimate CostTable::ComputeByLaw(const Program& program, Occasion occasion,
                                 uint32_t context, int64_t below) const {
  const uint32_t event = contexts_.contexts()[context].event;
  const uint32_t after = contexts_.contexts()[context].after;
  std::vector<Point> points;
  std::vector<double> occurrences;
  bool seen = false, behind = true;
  for (const auto& [n, size] : sizes_) {
    if (n >= below) continue;
    seen |= IsSeen(size, occasion, context);
    behind &= ComputeBehind(size, occasion, after).occurrences > 0;
  }
  // What a program computes stands behind a call, whichever call is next: a
  // twin's rank may begin a step with another call than any rank of the runs.
  const bool by_behind = !seen && behind;
  for (const auto& [n, size] : sizes_) {
    if (n >= below || event >= size.events.size()) continue;
    const SizeCosts::Event& e = size.events[event];
    if (e.runs == 0) continue;
    if (seen && !Tells(size, occasion, context)) continue;
    const BehindOne others =
        by_behind ? ComputeBehind(size, occasion, after) : BehindOne();
    const double here =
        by_behind ? others.occurrences
                  : OfKind(size.occurrences[occasion], occasion, context);
    const double single = e.Compute() / e.Occurrences();
    Point p;
    p.ranks = double(n);
    p.runs = e.runs;
    // Where nothing stands behind that call, a context that no run has costs
    // what its event's others do.
    p.mean = seen ? ComputeAt(size, occasion, context) : single;
    if (by_behind) p.mean = others.seconds / others.occurrences;
    if (e.runs > 1 && single > 0) {
      const double variance =
          std::max(0.0, e.squares - e.runs * single * single) / (e.runs - 1);
      p.variance = variance * (p.mean / single) * (p.mean / single);
    }
    points.push_back(p);
    occurrences.push_back(here);
  }
  if (points.empty() || points.back().mean <= 0) return {};
  const std::vector<double>& there = program.occurrences[occasion];
  double often = by_behind ? OccurrencesBehind(there, after)
                           : OfKind(there, occasion, context);
  // Calls that come next in no run have their part of what stands behind it.
  if (seen && kinds_[occasion].recorded[event]) {
    often += NewBehind(there, occasion, after, below);
  }
  return OccurrenceFit(points, occurrences).At(double(program.ranks), often);
}

Estimate CostTable::AllByLaw(double ranks, int64_t below) const {
  std::vector<Point> points;
  for (const auto& [n, size] : sizes_) {
    if (n >= below || size.later <= 0) continue;
    const double mean = size.later / size.runs;
    Point p{double(n), size.runs, mean, 0, 0};
    if (size.runs > 1) {
      p.variance = std::max(0.0, size.later_squares - size.later * mean) /
                   (size.runs - 1);
    }
    points.push_back(p);
  }
  if (points.size() < kLeastSizesOfLaw) return {};
  return FitSeries(points).At(ranks);
}

double CostTable::ShareUnseen(const Program& program,
                              const Costs& costs) const {
  double all = 0, unseen = 0;
  for (const Occasion occasion : {kFirst, kLater}) {
    const std::vector<double>& occurrences = program.occurrences[occasion];
    for (size_t c = 0; c < occurrences.size(); ++c) {
      const double seconds = occurrences[c] * costs.compute[occasion][c];
      const bool seen = std::ranges::any_of(sizes_, [&](const auto& size) {
        return IsSeen(size.second, occasion, uint32_t(c));
      });
      all += seconds;
      if (!seen) unseen += seconds;
    }
  }
  return all > 0 ? unseen / all : 0;
}

double CostTable::ComputedByLaw(double ranks) const {
  std::vector<Point> points;
  for (const auto& [n, size] : sizes_) {
    double sum = 0;
    for (size_t e = 0; e < size.events.size(); ++e) {
      if (!BeginsRun(calls_[e])) sum += size.events[e].Compute() / size.runs;
    }
    points.push_back({double(n), size.runs, sum, 0, 0});
  }
  return points.empty() ? 0 : FitSeries(points).At(ranks).value;
}

EventCost CostTable::EventNear(double ranks, size_t event,
                               int64_t below) const {
  const SizeCosts* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [n, size] : sizes_) {
    if (n >= below || event >= size.events.size() ||
        size.events[event].Occurrences() == 0) {
      continue;
    }
    const double distance = std::abs(std::log(double(n) / ranks));
    if (distance > least) continue;
    least = distance;
    nearest = &size;
  }
  return nearest == nullptr ? EventCost() : EventAt(*nearest, event);
}

Costs CostTable::Extrapolate(const Program& program, int64_t below,
                             double* half_width) const {
  Costs out;
  const double ranks = double(program.ranks);
  for (size_t e = 0; e < calls_.size(); ++e) {
    out.events.push_back(EventNear(ranks, e, below));
    Uneven& uneven = out.events.back().spread[kLater].uneven;
    if (!uneven.known()) continue;
    // The nearest size tells where no law does.
    const Uneven law = UnevenByLaw(ranks, e, below);
    if (law.known()) uneven = law;
  }
  std::vector<Summand> parts;
  const std::vector<double>& occurrences = program.occurrences[kLater];
  for (size_t c = 0; c < contexts_.contexts().size(); ++c) {
    out.compute[kFirst].push_back(
        ComputeByLaw(program, kFirst, uint32_t(c), below).value);
    const Estimate law = ComputeByLaw(program, kLater, uint32_t(c), below);
    parts.push_back({c < occurrences.size() ? occurrences[c] : 0, law.value,
                     law.value > 0 ? law.HalfWidth() / law.value : 0});
  }
  // The sum has a law of its own, often better known than those of its parts,
  // which move until they agree with it.
  const Estimate all = AllByLaw(ranks, below);
  *half_width = Agree(all.value, all.HalfWidth(), &parts);
  for (const Summand& p : parts) out.compute[kLater].push_back(p.value);
  return out;
}

}  // namespace ranksight::online_model
