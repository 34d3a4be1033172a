#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "online_model/api/verdict.h"
#include "online_model/forecast/site_names.h"
#include "online_model/forecast/spread_text.h"
#include "reduction/api/shown_text.h"

namespace ranksight::online_model {
namespace {

using reduction::ShownName;

std::string Seconds(double s) {
  if (s >= 1) return fmt::format("{:.4g} s", s);
  if (s >= 1e-3) return fmt::format("{:.4g} ms", s * 1e3);
  return fmt::format("{:.4g} us", s * 1e6);
}

std::string Percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string Header(const Forecast& f) {
  std::string out = ShownName(f.program) + ": measured at ";
  for (size_t i = 0; i < f.measured.size(); ++i) {
    if (i > 0) out += ", ";
    out += std::to_string(f.measured[i]);
    if (i < f.repetitions.size() && f.repetitions[i] > 1) {
      out += fmt::format(" (x{})", f.repetitions[i]);
    }
  }
  return out + (f.measured.empty() ? "no rank count\n" : " ranks\n");
}

// The values of a parameter that were run, and which one this is about.
std::string ParameterText(const Forecast& f) {
  if (!f.over) return "";
  std::set<double> values;
  for (const OverParameter::Cell& c : f.over->cells) values.insert(c.value);
  std::string list;
  for (const double v : values) {
    list += fmt::format("{}{:.6g}", list.empty() ? "" : ", ", v);
  }
  return fmt::format("{} was {}; forecast for {:.6g}\n",
                     ShownName(f.over->name), list, f.over->value);
}

std::string MachineText(const Forecast& f) {
  if (!f.machine) return "";
  return "times on a machine with " + ToText(*f.machine) +
         " of the times here\n";
}

std::string WhatIfText(const Forecast& f) {
  return f.what_if.empty() ? "" : "what if: " + ShownName(f.what_if) + "\n";
}

std::string SpreadLine(const Forecast& f) {
  const std::string text = SpreadText(f);
  return text.empty() ? "" : text + "\n";
}

std::string NetworkText(const Forecast& f) {
  std::string text;
  if (!f.network.empty()) {
    text = "times on a machine with a core for each rank and the network " +
           ShownName(f.network) + "\n";
  }
  if (!f.links.empty()) {
    text += "messages walked over the links of " + ShownName(f.links) + "\n";
  }
  return text;
}

std::string LawsText(const Forecast& f) {
  constexpr size_t kMost = 10;
  if (!f.over || f.over->laws.empty()) return "";
  std::string out =
      "laws of a rank's seconds (share then; computation before | in call)\n";
  for (size_t i = 0; i < std::min(kMost, f.over->laws.size()); ++i) {
    const ParameterLaw& law = f.over->laws[i];
    if (law.share <= 0) break;
    out +=
        fmt::format("{:>9}  {} | {}  {} at {}\n", Percent(law.share),
                    law.compute, law.in_call, law.call, SiteShown(f, law.site));
  }
  return out;
}

std::string NextRunText(const Forecast& f) {
  if (f.next_run <= 0) return "";
  const std::string with =
      f.over ? fmt::format(" with {}={:.6g}", ShownName(f.over->name),
                           f.over->next_value)
             : "";
  // The verdict, which is the same whatever was asked for, may name another.
  const bool is_other = f.judged_by && f.judged_by->next_run != f.next_run;
  return fmt::format("next run{}: {} ranks{}; {}\n",
                     is_other ? " for these rank counts alone" : "", f.next_run,
                     with, ShownName(f.next_run_reason));
}

std::string DominantText(const Forecast& f) {
  std::string out;
  for (const DominantSite& d : f.dominant) {
    out += fmt::format("from {} {} most time is {} {}, {}, at {}\n",
                       d.from_ranks, d.from_ranks == 1 ? "rank" : "ranks",
                       d.in_call ? "in" : "computation before", d.call,
                       Percent(d.share), SiteShown(f, d.site));
  }
  return out;
}

std::string BestText(const Forecast& f) {
  if (!f.best) return "";
  const BestSize& best = *f.best;
  if (best.ranks == 0) return "best: " + ShownName(best.reason) + "\n";
  return fmt::format(
      "best: {} ranks, {}, {:.4g} rank hours{}\n", best.ranks,
      Seconds(best.seconds), best.rank_hours,
      best.sure ? "" : "; its interval reaches beyond the target");
}

std::string DriftText(const Forecast& f) {
  if (!f.drift) return "";
  const Drift& d = *f.drift;
  return fmt::format(
      "since run {} the same sizes take {:.3g} times as long ({:.3g} to "
      "{:.3g}); "
      "earlier runs count as if they did\n",
      ShownName(d.job), d.factor, d.low, d.high);
}

std::string UnderWayText(const Forecast& f) {
  std::string out;
  for (const RunUnderWay& run : f.under_way) {
    out += run.used
               ? fmt::format(
                     "under way: {} ranks, {} seen, {} expected; provisional\n",
                     run.ranks, Percent(run.share_seen), Seconds(run.seconds))
               : fmt::format("under way: {} ranks, not used: {}\n", run.ranks,
                             ShownName(run.reason));
  }
  return out;
}

// How the times were found, each way once.
std::string BasisText(const Forecast& f) {
  std::map<std::string, std::string> ranks;  // by basis
  for (const ForecastPoint& p : f.points) {
    if (p.basis.empty()) continue;
    std::string& list = ranks[p.basis];
    list += (list.empty() ? "" : ", ") + std::to_string(p.ranks);
  }
  std::string out;
  for (const auto& [basis, list] : ranks) {
    out += "at " + list + " ranks: " + ShownName(basis) + "\n";
  }
  return out;
}

std::string EfficienciesText(const Forecast& f) {
  std::map<int64_t, const Efficiencies*> by_ranks;
  for (const ForecastPoint& p : f.points) {
    if (p.efficiencies && !p.refused) by_ranks[p.ranks] = &*p.efficiencies;
  }
  if (by_ranks.empty()) return "";
  // Measured ones take the place of forecast ones of the same size.
  for (const MeasuredSize& s : f.sizes) {
    if (s.efficiencies) by_ranks[s.ranks] = &*s.efficiencies;
  }
  static constexpr char kRow[] =
      "{:>9}  {:>8}  {:>12}  {:>13}  {:>8}  {:>11}\n";
  std::string out = "efficiencies, POP model\n";
  out += fmt::format(kRow, "ranks", "global", "load balance", "serialisation",
                     "transfer", "computation");
  for (const auto& [ranks, e] : by_ranks) {
    out += fmt::format(kRow, ranks, Percent(e->Global()),
                       Percent(e->load_balance), Percent(e->serialisation),
                       Percent(e->transfer), Percent(e->computation));
  }
  const auto limit = FindFirstLimit(f);
  if (!limit) return out;
  return out + (limit->is_reached
                    ? fmt::format("what stops it first: {}, {} from about {} "
                                  "ranks on\n",
                                  limit->factor, Percent(limit->efficiency),
                                  limit->ranks)
                    : fmt::format("what stops it first: nothing up to {} "
                                  "ranks; lowest is {}, {}\n",
                                  limit->ranks, limit->factor,
                                  Percent(limit->efficiency)));
}

std::string MeasuredText(const Forecast& f) {
  std::string out;
  for (const MeasuredSize& size : f.sizes) {
    out += fmt::format("{:>9}  {:>10}  measured, {} {}", size.ranks,
                       Seconds(size.seconds), size.runs,
                       size.runs == 1 ? "run" : "runs");
    if (size.deviation > 0) out += ", ±" + Seconds(size.deviation);
    out += '\n';
  }
  return out;
}

// Against the smallest run: of the same work, or of as much for each rank. The
// one that the program does not have says nothing, and may be thousands of
// percent.
double EfficiencyOf(const Forecast& f, const ForecastPoint& p, bool is_weak) {
  if (!is_weak || f.measured.empty()) return p.efficiency;
  return p.efficiency * double(p.ranks) / double(f.measured.front());
}

// A line for all that is refused for one reason.
std::string RefusalsText(const Forecast& f) {
  std::string out;
  for (const Refusal& refusal : Refusals(f)) {
    const std::string figures = refusal.Figures(Seconds);
    out += fmt::format(
        "{:>9}  refused: {}{}\n", refusal.Ranks(), ShownName(refusal.reason),
        figures.empty() ? "" : "; " + figures + ", not to be relied on");
  }
  return out;
}

}  // namespace

std::string ToText(const Forecast& forecast) {
  const ScalingVerdict verdict = Judge(forecast);
  std::string out =
      verdict.text + "\n" + Header(forecast) + ParameterText(forecast) +
      MachineText(forecast) + WhatIfText(forecast) + SpreadLine(forecast) +
      NetworkText(forecast) + DriftText(forecast) + UnderWayText(forecast);
  auto to = std::back_inserter(out);
  static constexpr char kRow[] =
      "{:>9}  {:>10}  {:>10}  {:>10}  {:>8}  {:>8}  {:>17}\n";
  fmt::format_to(to, kRow, "ranks", "time", "low", "high", "compute", "calls",
                 verdict.is_weak ? "weak efficiency" : "strong efficiency");
  out += MeasuredText(forecast);
  for (const ForecastPoint& p : forecast.points) {
    if (p.refused) continue;
    fmt::format_to(to, kRow, p.ranks, Seconds(p.seconds), Seconds(p.low),
                   Seconds(p.high), Percent(p.compute_share),
                   Percent(p.call_share),
                   Percent(EfficiencyOf(forecast, p, verdict.is_weak)));
  }
  out +=
      RefusalsText(forecast) + BasisText(forecast) + EfficienciesText(forecast);
  if (!forecast.growing.empty()) {
    out += "call sites that grow (share now, share then, seconds a rank)\n";
  }
  for (const GrowingSite& g : forecast.growing) {
    fmt::format_to(to, "{:>9}  {:>9}  {:<22}  {}  at {}\n",
                   Percent(g.share_now), Percent(g.share_then),
                   g.model.ToString(), g.call, SiteShown(forecast, g.site));
  }
  if (forecast.memory) out += ToText(*forecast.memory);
  return out + LawsText(forecast) + DominantText(forecast) +
         BestText(forecast) + NextRunText(forecast);
}

}  // namespace ranksight::online_model
