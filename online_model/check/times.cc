#include <algorithm>
#include <cmath>
#include <optional>

#include "online_model/api/check.h"
#include "online_model/check/signed_rank.h"
#include "reduction/api/contract.h"
#include "reduction/api/shown_text.h"
#include "reduction/api/totals.h"

namespace ranksight::online_model {
namespace {

using reduction::Trace;
using Runs = std::vector<const Trace*>;  // by start

// Chance that an interval's lower end lies above a ratio of 1 where nothing
// changed, all rank counts together. Twice of it would save one pair of runs;
// half of it cost one. What is called slower must exceed the tolerance as well.
constexpr double kAlpha = 0.01;
// Of the runs of both: how far the mean places in the order of their starts may
// be apart. 0.5 is one build after the other, 0 in turn throughout.
constexpr double kInTurn = 0.25;

constexpr double kNanoseconds = 1e-9;

Runs RunsOf(std::span<const Trace> traces, int64_t ranks) {
  Runs runs;
  for (const Trace& t : traces) {
    if (t.meta.ranks == ranks) runs.push_back(&t);
  }
  std::ranges::stable_sort(
      runs, {}, [](const Trace* t) { return t->meta.start_unix_ns; });
  return runs;
}

double SecondsOf(const Trace& trace, bool processor_time) {
  if (!processor_time) return trace.meta.elapsed.Mean() * kNanoseconds;
  double ns = 0;
  ForEachEvent(trace.root, [&](const reduction::Node& node) {
    ns += node.times.TotalCompute();
  });
  return ns * kNanoseconds / double(trace.meta.ranks);
}

bool AreInTurn(const Runs& before, const Runs& after) {
  std::vector<std::pair<int64_t, bool>> starts;
  for (const Trace* t : before)
    starts.push_back({t->meta.start_unix_ns, false});
  for (const Trace* t : after) starts.push_back({t->meta.start_unix_ns, true});
  std::ranges::sort(starts);
  double mean[2] = {};
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto side = starts[i].second;
    mean[side] += double(i) / double(side ? after.size() : before.size());
  }
  return std::abs(mean[0] - mean[1]) <= kInTurn * double(starts.size());
}

double MedianOf(std::vector<double> values) {
  RANKSIGHT_REQUIRE(!values.empty());
  std::ranges::sort(values);
  const size_t half = values.size() / 2;
  if (values.size() % 2 == 1) return values[half];
  return (values[half - 1] + values[half]) / 2;
}

// Of a mean rank and run, seconds.
struct PlaceTimes {
  double compute = 0, call = 0;
};
std::map<NamedSite, PlaceTimes> TimesByPlace(const Runs& runs,
                                             const NameSite& name) {
  std::map<NamedSite, PlaceTimes> places;
  for (const Trace* trace : runs) {
    const double share =
        kNanoseconds / double(trace->meta.ranks) / double(runs.size());
    ForEachEvent(trace->root, [&](const reduction::Node& node) {
      PlaceTimes& at = places[{std::string(Info(node.call).name),
                               reduction::ShownName(name(*trace, node.site))}];
      at.compute += node.times.TotalCompute() * share;
      at.call += node.times.TotalCall() * share;
    });
  }
  return places;
}

// Where processor time is compared, times in calls say whose turn it was.
void NameGrown(const Runs& before, const Runs& after, const NameSite& name,
               TimeCheck* check) {
  const auto was = TimesByPlace(before, name);
  for (const auto& [place, now] : TimesByPlace(after, name)) {
    const auto found = was.find(place);
    const PlaceTimes then = found == was.end() ? PlaceTimes{} : found->second;
    if (now.compute - then.compute > check->grown_seconds) {
      check->grown = place;
      check->grown_in_call = false;
      check->grown_seconds = now.compute - then.compute;
    }
    if (!check->processor_time && now.call - then.call > check->grown_seconds) {
      check->grown = place;
      check->grown_in_call = true;
      check->grown_seconds = now.call - then.call;
    }
  }
}

void Decide(const ShiftInterval& shift, double tolerance, TimeCheck* check) {
  check->ratio = std::exp(shift.middle);
  check->low = std::exp(shift.low);
  check->high = std::exp(shift.high);
  if (check->low > 1 && check->ratio > 1 + tolerance) {
    check->verdict = Verdict::kWorse;
  } else if (check->high < 1 && check->ratio < 1 / (1 + tolerance)) {
    check->verdict = Verdict::kBetter;
  } else if (check->high < 1 + tolerance) {
    check->verdict = Verdict::kSame;
  } else {
    check->reason = "the times vary too much for so few runs";
  }
}

TimeCheck CompareSize(int64_t ranks, const Runs& before, const Runs& after,
                      double tolerance, double alpha) {
  TimeCheck check;
  check.ranks = ranks;
  check.alpha = alpha;
  check.pairs = std::min(before.size(), after.size());
  const auto own_time = [](const Trace* t) { return t->meta.own_time; };
  check.processor_time = std::ranges::all_of(before, own_time) &&
                         std::ranges::all_of(after, own_time);
  std::vector<double> a, b, differences;
  for (size_t i = 0; i < check.pairs; ++i) {
    a.push_back(SecondsOf(*before[i], check.processor_time));
    b.push_back(SecondsOf(*after[i], check.processor_time));
    // Of the logarithms, so that a shift is a factor.
    if (a[i] > 0 && b[i] > 0) differences.push_back(std::log(b[i] / a[i]));
  }
  check.before = MedianOf(a);
  check.after = MedianOf(b);
  if (!check.processor_time && (std::ranges::any_of(before, own_time) ||
                                std::ranges::any_of(after, own_time))) {
    check.reason = "ranks shared cores in some of the runs only";
    return check;
  }
  const auto shift = ShiftOf(differences, alpha);
  if (!shift) {
    check.reason = "it takes " + std::to_string(LeastPairs(alpha)) +
                   " pairs of runs, and there are " +
                   std::to_string(differences.size());
  } else if (!AreInTurn(before, after)) {
    // Builds run one after the other differ by whatever the machine did
    // meanwhile, too.
    check.reason = "the builds were not run in turn";
  } else {
    Decide(*shift, tolerance, &check);
  }
  return check;
}

}  // namespace

std::vector<TimeCheck> CompareTimes(std::span<const Trace> before,
                                    std::span<const Trace> after,
                                    const NameSite& name, double tolerance) {
  std::map<int64_t, std::pair<Runs, Runs>> sizes;
  for (const Trace& t : before) {
    const int64_t n = t.meta.ranks;
    if (sizes.contains(n)) continue;
    auto runs = RunsOf(after, n);
    if (!runs.empty()) sizes[n] = {RunsOf(before, n), std::move(runs)};
  }
  std::vector<TimeCheck> checks;
  for (const auto& [ranks, runs] : sizes) {
    // Each size has its share of the risk of a false alarm (Bonferroni), so
    // that many sizes do not raise it.
    TimeCheck check = CompareSize(ranks, runs.first, runs.second, tolerance,
                                  kAlpha / double(sizes.size()));
    if (check.verdict == Verdict::kWorse) {
      NameGrown(runs.first, runs.second, name, &check);
    }
    checks.push_back(std::move(check));
  }
  return checks;
}

std::vector<BudgetCheck> CheckBudget(const Forecast& forecast, double within) {
  std::vector<BudgetCheck> checks;
  for (const ForecastPoint& point : forecast.points) {
    BudgetCheck check;
    check.ranks = point.ranks;
    check.within = within;
    check.seconds = point.seconds;
    check.low = point.low;
    check.high = point.high;
    if (point.refused) {
      check.reason = point.reason;
    } else if (point.high <= within) {
      check.verdict = Verdict::kSame;
    } else if (point.low > within) {
      check.verdict = Verdict::kWorse;
    } else {
      check.reason = "the interval holds the limit";
    }
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace ranksight::online_model
