#include "online_model/api/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "online_model/fit/series_fit.h"
#include "online_model/forecast/site_names.h"
#include "reduction/api/contract.h"
#include "reduction/api/shown_text.h"

namespace ranksight::online_model {
namespace {

using reduction::ShownName;

// Times of runs of one size that differ by more are said to be noise.
constexpr double kNoise = 0.1;
// Gains of share below this take nothing over.
constexpr double kLeastGain = 0.05;
constexpr size_t kMostNamed = 4;
// Time grows or falls no faster than this power of the ranks: two sizes side by
// side say little about the next.
constexpr double kSteepest = 2;
// Ends of the interval of where scaling ends are said where they are as many
// times apart; run sizes are mostly chosen by doubling.
constexpr double kWideEnd = 2;

std::string RoughSeconds(double s) {
  if (s >= 90) return fmt::format("{:.0f} min", s / 60);
  if (s >= 1) return fmt::format("{:.2g} s", s);
  // From here on two digits are no longer all there are before the point.
  if (s >= 0.0995) return fmt::format("{:.0f} ms", 10 * std::round(s * 100));
  return fmt::format("{:.2g} ms", s * 1e3);
}

// What computation all ranks of a size do together, by the laws of all sites;
// of a forecast over a parameter by its points.
double WorkAt(const Forecast& f, double ranks) {
  double seconds = 0;
  for (const SiteModel& site : f.sites) seconds += site.compute.At(ranks);
  return seconds * ranks;
}

// By more than the root of the rank count, as efficiencies have it.
bool IsWeak(const Forecast& f) {
  for (const ForecastPoint& p : f.points) {
    if (p.efficiencies) return p.efficiencies->is_weak;
  }
  if (f.sites.empty() || f.measured.size() < 2) return false;
  const double least = double(f.measured.front());
  const double most = double(f.measured.back());
  const double before = WorkAt(f, least);
  return before > 0 && WorkAt(f, most) / before > std::sqrt(most / least);
}

// An efficiency with its 90 % interval.
struct EfficiencyRange {
  double value = 0, low = 0, high = 0;
};
using EfficiencyByRanks = std::map<int64_t, EfficiencyRange>;
using EfficiencyCurve = std::map<int64_t, double>;

// What mean times of sizes are uncertain by, as a part of them: as repeated
// runs of any size differ. Of runs that nobody repeated nothing is known.
class MeasuredSpread {
 public:
  explicit MeasuredSpread(const Forecast& f) {
    for (const MeasuredSize& size : f.sizes) {
      if (size.runs < 2 || size.seconds <= 0) continue;
      const double relative = size.deviation / size.seconds;
      squares_ += relative * relative * double(size.runs - 1);
      freedom_ += double(size.runs - 1);
    }
  }
  // The square of half the 90 % interval.
  double SquareOf(const MeasuredSize& size) const {
    if (freedom_ < 1 || size.runs < 1) return 0;
    const double reach = StudentT90(freedom_);
    return reach * reach * squares_ / freedom_ / double(size.runs);
  }

 private:
  double squares_ = 0, freedom_ = 0;
};

// value, of a time between low and high; own: the square of what it is compared
// with is uncertain by.
EfficiencyRange Uncertain(double value, const ForecastPoint& p, double own) {
  const auto away = [own](double bound, double seconds) {
    const double part = std::log(bound / seconds);
    return std::exp(std::sqrt(part * part + own));
  };
  if (!(p.low > 0) || !(p.seconds > 0)) return {value, 0, HUGE_VAL};
  return {value, value / away(p.high, p.seconds),
          value * away(p.low, p.seconds)};
}

// Against the smallest run, by rank count: measured, and forecast where that is
// not refused.
EfficiencyByRanks EfficienciesOf(const Forecast& f, bool is_weak) {
  EfficiencyByRanks strong;
  // Of another machine, or a changed program, nothing was measured.
  const bool is_measured = !f.machine && f.what_if.empty() && !f.sizes.empty();
  const MeasuredSpread spread(f);
  const double own = is_measured ? spread.SquareOf(f.sizes[0]) : 0;
  for (const ForecastPoint& p : f.points) {
    if (p.refused || p.efficiency <= 0) continue;
    strong[p.ranks] = Uncertain(p.efficiency, p, own);
  }
  if (is_measured) {
    const double work = f.sizes[0].seconds * double(f.sizes[0].ranks);
    for (const MeasuredSize& size : f.sizes) {
      if (size.seconds <= 0) continue;
      const double value = work / (size.seconds * double(size.ranks));
      // The smallest, compared with itself, is what it is.
      const double away =
          &size == &f.sizes[0]
              ? 1
              : std::exp(std::sqrt(own + spread.SquareOf(size)));
      strong[size.ranks] = {value, value / away, value * away};
    }
  }
  if (!is_weak || f.measured.empty()) return strong;
  for (auto& [ranks, efficiency] : strong) {
    const double more = double(ranks) / double(f.measured.front());
    efficiency.value *= more;
    efficiency.low *= more;
    efficiency.high *= more;
  }
  return strong;
}

EfficiencyCurve CurveOf(const EfficiencyByRanks& all,
                        double EfficiencyRange::*part) {
  EfficiencyCurve curve;
  for (const auto& [ranks, efficiency] : all) curve[ranks] = efficiency.*part;
  return curve;
}

// Where efficiency falls below the limit and stays there; on a straight line
// over the logarithm of the rank count. Nothing where it is above at the end.
std::optional<int64_t> EndOfScaling(const EfficiencyCurve& all) {
  auto below = all.end();
  for (auto at = all.rbegin(); at != all.rend(); ++at) {
    if (at->second < kGoodEfficiency) {
      below = std::prev(at.base());
      continue;
    }
    if (below == all.end()) return std::nullopt;
    if (!std::isfinite(at->second)) return below->first;
    const double part =
        (at->second - kGoodEfficiency) / (at->second - below->second);
    return std::llround(
        double(at->first) *
        std::pow(double(below->first) / double(at->first), part));
  }
  if (below == all.end()) return std::nullopt;
  return below->first;
}

// The most ranks that are used well for sure; 0: no more than the fewest.
int64_t SureUpTo(const EfficiencyByRanks& all) {
  int64_t sure = 0;
  for (const auto& [ranks, efficiency] : all) {
    if (ranks != all.begin()->first && efficiency.low >= kGoodEfficiency) {
      sure = ranks;
    }
  }
  return sure;
}

// What leads where ranks are most, if another led before; else the call site
// whose share grows most; else the factor of efficiency that falls.
void FindWhatTakesOver(const Forecast& f, ScalingVerdict* v) {
  const auto grows = [](const GrowingSite& g) {
    return g.share_then - g.share_now >= kLeastGain;
  };
  if (f.dominant.size() > 1) {
    const DominantSite& last = f.dominant.back();
    v->call = last.call;
    v->site = last.site;
    v->in_call = last.in_call;
  } else if (!f.growing.empty() && grows(f.growing.front())) {
    v->call = f.growing.front().call;
    v->site = f.growing.front().site;
    v->in_call = f.growing.front().in_call;
  } else if (const auto limit = FindFirstLimit(f); limit && limit->is_reached) {
    v->factor = limit->factor;
  }
}

// What it is that falls, for who does not know the factor's name.
const char* InPlainWords(const std::string& factor) {
  if (factor == "load balance") {
    return "ranks wait for the one that computes most";
  }
  if (factor == "serialisation") return "ranks wait for one another's turn";
  if (factor == "transfer") return "messages and calls take over";
  return "all ranks together compute for longer";
}

std::string WhatTakesOver(const Forecast& f, const ScalingVerdict& v) {
  if (!v.factor.empty()) {
    return fmt::format("{} (efficiency of {} below {:.0f} %)",
                       InPlainWords(v.factor), v.factor, 100 * kGoodEfficiency);
  }
  if (v.call.empty()) return "ranks do less and less for their time";
  return fmt::format("{}{} at {} takes over",
                     v.in_call ? "" : "computation before ", v.call,
                     PlaceShown(f, v.site));
}

// What a run takes that somebody makes here; 0: not known.
double TookSeconds(const Forecast& f, const MeasuredSize& size) {
  return f.network.empty() ? size.seconds : size.took_seconds;
}

// What is forecast, where that is of the machine of the runs; else from what
// the two nearest sizes took there.
double RunSeconds(const Forecast& f, int64_t ranks) {
  const auto point = std::ranges::find(f.points, ranks, &ForecastPoint::ranks);
  const bool is_there = f.network.empty() && !f.machine && f.what_if.empty();
  if (is_there && point != f.points.end() && !point->refused) {
    return point->seconds;
  }
  std::vector<const MeasuredSize*> took;
  for (const MeasuredSize& size : f.sizes) {
    if (TookSeconds(f, size) > 0) took.push_back(&size);
  }
  if (took.empty()) return 0;
  const auto far = [&](const MeasuredSize* size) {
    return std::abs(std::log(double(size->ranks) / double(ranks)));
  };
  std::ranges::sort(took, {}, far);
  const double near = TookSeconds(f, *took[0]);
  if (took.size() == 1 || took[0]->ranks == ranks) return near;
  const double power =
      std::log(TookSeconds(f, *took[1]) / near) /
      std::log(double(took[1]->ranks) / double(took[0]->ranks));
  return near * std::pow(double(ranks) / double(took[0]->ranks),
                         std::clamp(power, -kSteepest, kSteepest));
}

std::string NextText(const Forecast& f, const ScalingVerdict& v) {
  if (v.next_run == 0) return "";
  std::string text = fmt::format("; next, run {} ranks", v.next_run);
  if (std::ranges::count(f.measured, v.next_run) > 0) text += " once more";
  if (f.over) {
    text += fmt::format(" with {}={:.6g}", ShownName(f.over->name),
                        f.over->next_value);
  }
  if (v.next_run_seconds > 0) {
    text += fmt::format(", about {}", RoughSeconds(v.next_run_seconds));
  }
  return text;
}

// Why nothing can be promised, and what else would help than one more run.
std::string CauseOf(const Forecast& f) {
  const auto refused = std::ranges::min_element(
      f.points, {}, [](const ForecastPoint& p) { return p.ranks; });
  std::string cause = ShownName(refused->reason);
  double noise = 0;
  for (const MeasuredSize& size : f.sizes) {
    if (size.seconds > 0) {
      noise = std::max(noise, size.deviation / size.seconds);
    }
  }
  if (noise < kNoise || f.sites.empty()) return cause;
  return cause + fmt::format(
                     ", for runs of one size differ by ±{:.0f} %: a quieter "
                     "machine, or more runs of each size, would help",
                     100 * noise);
}

// The least rank count beyond known that was asked for and refused; 0: none.
// Between the two nobody asked, so nothing is said.
int64_t FirstRefused(const Forecast& f, int64_t known) {
  int64_t first = 0;
  for (const ForecastPoint& p : f.points) {
    if (!p.refused || p.ranks <= known) continue;
    first = first == 0 ? p.ranks : std::min(first, p.ranks);
  }
  return first;
}

// "at 128 ranks efficiency is between 55 and 96 %".
std::string Unclear(int64_t ranks, const EfficiencyRange& efficiency) {
  if (!std::isfinite(efficiency.high)) {
    return fmt::format("at {} ranks efficiency may be anything", ranks);
  }
  return fmt::format("at {} ranks efficiency is between {:.0f} and {:.0f} %",
                     ranks, 100 * efficiency.low, 100 * efficiency.high);
}

// Where scaling ends, with the interval where that says less than the figure.
std::string EndText(const ScalingVerdict& v) {
  std::string text = fmt::format("about {} ranks", v.scales_to);
  if (double(v.most_scales_to) > kWideEnd * double(v.least_scales_to)) {
    text += fmt::format(" ({} to {})", v.least_scales_to, v.most_scales_to);
  }
  return text;
}

std::string ScalingText(const Forecast& f, const ScalingVerdict& v,
                        const EfficiencyByRanks& efficiency) {
  RANKSIGHT_REQUIRE(!efficiency.empty());
  const auto& [known, last] = *efficiency.rbegin();
  if (v.kind == VerdictKind::kUnclear) {
    return v.scales_to == 0
               ? "How far it scales cannot be told: " + Unclear(known, last)
               : fmt::format(
                     "Scales well to {} ranks; beyond, it cannot be "
                     "told: {}",
                     v.scales_to, Unclear(known, last));
  }
  if (v.kind == VerdictKind::kScales) {
    const int64_t refused = FirstRefused(f, known);
    if (refused == 0)
      return fmt::format("Scales well to at least {} ranks", known);
    return fmt::format(
        "Scales well to {} ranks, and nothing can be promised from {} on",
        known, refused);
  }
  // Only where also the most that it may be is near the smallest run: a wide
  // interval is no verdict against a program.
  if (!f.measured.empty() && v.scales_to <= f.measured.front() &&
      double(v.most_scales_to) <= kWideEnd * double(f.measured.front())) {
    return fmt::format("Scales badly: from {} ranks on {}", f.measured.front(),
                       WhatTakesOver(f, v));
  }
  return fmt::format("Scales well to {}; from there {}", EndText(v),
                     WhatTakesOver(f, v));
}

}  // namespace

std::string_view NameOf(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kScales:
      return "scales";
    case VerdictKind::kStops:
      return "stops";
    case VerdictKind::kUnclear:
      return "unclear";
    case VerdictKind::kNothingPromised:
      return "nothing promised";
    case VerdictKind::kNothingMeasured:
      return "nothing measured";
  }
  return "";
}

ScalingVerdict Judge(const Forecast& f) {
  if (f.judged_by != nullptr) return Judge(*f.judged_by);
  ScalingVerdict v;
  if (f.measured.empty()) {
    v.text = "Nothing is measured yet; run the program at three rank counts";
    return v;
  }
  v.next_run = f.next_run;
  v.next_run_seconds = RunSeconds(f, f.next_run);
  v.is_weak = IsWeak(f);
  const auto efficiency = EfficienciesOf(f, v.is_weak);
  const bool is_refused =
      std::ranges::all_of(f.points, [](const auto& p) { return p.refused; });
  if ((is_refused && !f.points.empty()) || efficiency.size() < 2) {
    v.kind = VerdictKind::kNothingPromised;
    v.cause = f.points.empty() ? f.next_run_reason : CauseOf(f);
    const int64_t refused = FirstRefused(f, f.measured.back());
    v.text = fmt::format(
        "Nothing can be promised {}: {}{}",
        refused > 0
            ? fmt::format("from {} ranks on", refused)
            : fmt::format("beyond the {} ranks measured", f.measured.back()),
        v.cause, NextText(f, v));
    return v;
  }
  const auto [known, last] = *efficiency.rbegin();
  const auto end = EndOfScaling(CurveOf(efficiency, &EfficiencyRange::value));
  const auto latest = EndOfScaling(CurveOf(efficiency, &EfficiencyRange::high));
  // What is said is so at both ends of the interval of the most ranks.
  if (end ? !latest : last.low < kGoodEfficiency) {
    v.kind = VerdictKind::kUnclear;
    v.scales_to = SureUpTo(efficiency);
  } else if (end) {
    v.kind = VerdictKind::kStops;
    v.scales_to = *end;
    v.least_scales_to =
        EndOfScaling(CurveOf(efficiency, &EfficiencyRange::low)).value_or(*end);
    v.most_scales_to = *latest;
    FindWhatTakesOver(f, &v);
  } else {
    v.kind = VerdictKind::kScales;
    v.scales_to = known;
  }
  v.text = ScalingText(f, v, efficiency) + NextText(f, v);
  return v;
}

std::string Refusal::Ranks() const {
  const auto& all = points;
  if (all.size() > kMostNamed) {
    return fmt::format("{} sizes from {} to {}", all.size(), all.front()->ranks,
                       all.back()->ranks);
  }
  std::string text;
  for (const ForecastPoint* p : all) {
    text += (text.empty() ? "" : ", ") + std::to_string(p->ranks);
  }
  return text;
}

std::string Refusal::Figures(std::string (*seconds)(double)) const {
  std::vector<std::string> known;
  for (const ForecastPoint* p : points) {
    if (!p->HasFigure()) continue;
    known.push_back(fmt::format("{} ({} to {})", seconds(p->seconds),
                                seconds(p->low), seconds(p->high)));
  }
  if (known.size() > kMostNamed) {
    return known.front() + " ... " + known.back();
  }
  std::string text;
  for (const std::string& figure : known) {
    text += (text.empty() ? "" : ", ") + figure;
  }
  return text;
}

std::vector<Refusal> Refusals(const Forecast& forecast) {
  std::vector<Refusal> refusals;
  for (const ForecastPoint& p : forecast.points) {
    if (!p.refused) continue;
    auto same = std::ranges::find(refusals, p.reason, &Refusal::reason);
    if (same == refusals.end()) {
      refusals.push_back({{}, p.reason});
      same = std::prev(refusals.end());
    }
    same->points.push_back(&p);
  }
  return refusals;
}

}  // namespace ranksight::online_model
