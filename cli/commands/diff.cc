// ranksight diff: are two traces the same program behaviour?
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "cli/base/files.h"
#include "cli/base/format.h"
#include "cli/base/json.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/commands/register.h"
#include "cli/look/compare.h"
#include "cli/look/site_spreads.h"
#include "reduction/api/codec.h"
#include "reduction/api/totals.h"

namespace ranksight::cli {
namespace {

using reduction::Call;
using reduction::EventTotal;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

struct DiffOptions {
  std::string a, b;
  bool times = false, json = false, literal = false;
};

using TotalPairs = std::map<Call, std::pair<EventTotal, EventTotal>>;

Result<TotalPairs> PairTotals(const Trace& a, const Trace& b,
                              const DiffOptions& options) {
  TotalPairs pairs;
  const auto of_a = TotalsBySite(a), of_b = TotalsBySite(b);
  if (!of_a.ok()) return Named(options.a, of_a.status());
  if (!of_b.ok()) return Named(options.b, of_b.status());
  for (const auto& t : TotalsByCall(*of_a)) pairs[t.call].first = t;
  for (const auto& t : TotalsByCall(*of_b)) pairs[t.call].second = t;
  return pairs;
}

std::string TotalsText(const TotalPairs& pairs) {
  Table table({"<call", "count A", "count B", "sent B (A)", "sent B (B)",
               "posted B (A)", "posted B (B)", "<"});
  for (const auto& [call, pair] : pairs) {
    const auto& [a, b] = pair;
    table.Add({std::string(Info(call).name), std::to_string(a.count),
               std::to_string(b.count), std::to_string(a.sent),
               std::to_string(b.sent), std::to_string(a.received),
               std::to_string(b.received), a.SameAmounts(b) ? "" : "differs"});
  }
  return table.ToText();
}

std::string Ratio(double a, double b) {
  return a > 0 ? fmt::format("{:.3f}", b / a) : "-";
}

std::string TimesText(const Trace& a, const Trace& b, const TotalPairs& pairs) {
  Table table({"<time", "A", "B", "B/A"});
  const auto add = [&](std::string_view name, double ta, double tb) {
    table.Add({std::string(name), Duration(ta), Duration(tb), Ratio(ta, tb)});
  };
  add("elapsed, mean rank", a.meta.elapsed.Mean(), b.meta.elapsed.Mean());
  double compute_a = 0, compute_b = 0, call_a = 0, call_b = 0;
  for (const auto& [call, pair] : pairs) {
    compute_a += pair.first.times.TotalCompute();
    compute_b += pair.second.times.TotalCompute();
    call_a += pair.first.times.TotalCall();
    call_b += pair.second.times.TotalCall();
  }
  add("computation, all ranks", compute_a, compute_b);
  add("in calls, all ranks", call_a, call_b);
  for (const auto& [call, pair] : pairs) {
    add(Info(call).name, pair.first.times.TotalCall(),
        pair.second.times.TotalCall());
  }
  return table.ToText();
}

void PrintText(const Comparison& result, bool same_ranks, const Trace& a,
               const Trace& b, const TotalPairs& pairs,
               const std::vector<SiteSpread>& spreads,
               const DiffOptions& options) {
  if (result.identical) {
    Print(fmt::format("identical: {} ranks, {} events\n", a.meta.ranks,
                      result.events));
    if (result.not_kept > 0) {
      Print(fmt::format("{} values are kept only as distributions: equal\n",
                        result.not_kept));
    }
    if (options.times) Print(TimesText(a, b, pairs));
    return;
  }
  if (result.in_meaning) {
    Print(fmt::format(
        "identical in meaning: {} ranks, {} events; --literal shows which "
        "completions are called otherwise\n",
        a.meta.ranks, result.events));
    if (options.times) Print(TimesText(a, b, pairs));
    return;
  }
  if (!same_ranks) {
    Print(fmt::format("differ: A has {} ranks, B has {}\n", a.meta.ranks,
                      b.meta.ranks));
  } else {
    const auto line = [](const std::string& text) {
      return text.empty() ? std::string("(no more calls)") : text;
    };
    Print(fmt::format("differ: rank {}, call {}\nA: {}\nB: {}\n", result.rank,
                      result.position, line(result.line_a),
                      line(result.line_b)));
  }
  if (spreads.empty()) {
    Print(TotalsText(pairs));
  } else {
    Print("a twin is compared by what its ranks have, most to least:\n");
    Print(SpreadsText(spreads));
  }
  if (options.times) Print(TimesText(a, b, pairs));
}

void WriteSide(std::string_view name, const EventTotal& total,
               JsonWriter* json) {
  json->Key(name)
      .BeginObject()
      .Member("count", total.count)
      .Member("sent_bytes", total.sent)
      .Member("posted_bytes", total.received)
      .Member("call_ns", total.times.TotalCall())
      .Member("compute_ns", total.times.TotalCompute())
      .EndObject();
}

void PrintJson(const Comparison& result, bool same_ranks, const Trace& a,
               const Trace& b, const TotalPairs& pairs,
               const std::vector<SiteSpread>& spreads) {
  JsonWriter json;
  json.BeginObject().Member("identical", result.identical);
  json.Member("in_meaning", result.identical || result.in_meaning);
  json.Key("ranks").BeginArray().Value(a.meta.ranks).Value(b.meta.ranks);
  json.EndArray();
  if (result.in_meaning) json.Member("events", result.events);
  if (result.identical) {
    json.Member("events", result.events);
    json.Member("values_kept_as_distributions", result.not_kept);
  }
  if (!result.identical && !result.in_meaning && same_ranks) {
    json.Key("first").BeginObject();
    json.Member("rank", result.rank).Member("position", result.position);
    json.Member("a", result.line_a).Member("b", result.line_b).EndObject();
  }
  json.Key("elapsed_ns").BeginArray();
  json.Value(a.meta.elapsed.Mean()).Value(b.meta.elapsed.Mean()).EndArray();
  json.Key("calls").BeginArray();
  for (const auto& [call, pair] : pairs) {
    json.BeginObject().Member("call", Info(call).name);
    WriteSide("a", pair.first, &json);
    WriteSide("b", pair.second, &json);
    json.EndObject();
  }
  json.EndArray();
  if (!spreads.empty()) {
    json.Key("sites");
    WriteSpreads(spreads, &json);
  }
  Print(json.EndObject().text());
}

int Diff(const DiffOptions& options) {
  const auto a = reduction::ReadTraceFile(options.a);
  if (!a.ok()) return Fail(a.status());
  const auto b = reduction::ReadTraceFile(options.b);
  if (!b.ok()) return Fail(b.status());
  const bool same_ranks = a->meta.ranks == b->meta.ranks;
  Comparison result;
  result.identical = false;
  if (same_ranks) {
    auto compared = WithProgress("comparing", [&](Progress* progress) {
      return Compare(*a, *b, options.a, options.b, TellTo(progress));
    });
    if (!compared.ok()) return Fail(compared.status());
    result = *compared;
  }
  if (same_ranks && !result.identical && !options.literal) {
    Comparison meaning = result;
    // Where values are missing, calls as written are all that can be compared.
    const Status walked =
        WithProgress("comparing meanings", [&](Progress* progress) {
          return CompareMeaning(*a, *b, &meaning, TellTo(progress));
        });
    if (walked.ok()) result = meaning;
  }
  TotalPairs pairs;
  if (!result.identical || options.json || options.times) {
    auto paired = PairTotals(*a, *b, options);
    if (!paired.ok()) return Fail(paired.status());
    pairs = std::move(*paired);
  }
  std::vector<SiteSpread> spreads;
  const bool differ = !result.identical && !result.in_meaning;
  if (differ && same_ranks && !options.literal && (IsTwin(*a) || IsTwin(*b))) {
    auto found = SpreadsOf(*a, *b);
    if (!found.ok()) return Fail(found.status());
    spreads = std::move(*found);
  }
  if (options.json) {
    PrintJson(result, same_ranks, *a, *b, pairs, spreads);
  } else {
    PrintText(result, same_ranks, *a, *b, pairs, spreads, options);
  }
  return result.identical || result.in_meaning ? 0 : 1;
}

}  // namespace

void RegisterDiff(Commands& commands) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* app =
      commands.Add("diff", "Compare the calls of two traces, rank by rank",
                   [options] { return Diff(*options); });
  app->add_option("A", options->a, "A trace")->required();
  app->add_option("B", options->b, "Another trace")->required();
  app->add_flag("--literal", options->literal,
                "Compare calls as written, not which operations completions "
                "complete");
  app->add_flag("--times", options->times,
                "Compare total times as well (they never change the answer)");
  app->add_flag("--json", options->json,
                "One JSON document on stdout; times in nanoseconds");
  app->footer(
      "Compares the canonical text of every call of every rank, in order.\n"
      "Exit 0 and `identical: R ranks, E events`, or exit 1 and the first\n"
      "rank and position (from 1) that differ, both calls, and the totals\n"
      "per call. Completions behind one another that together complete the\n"
      "same operations mean the same: exit 0 and `identical in meaning`,\n"
      "unless --literal is given. A twin differs from a real run: without\n"
      "--literal its call sites are compared by calls, bytes and pairs of\n"
      "ranks, how far the sums are off, and how far ranks are apart, sorted.\n"
      "\n"
      "Example: ranksight diff predicted.100.trace stencil2d.100.trace");
}

}  // namespace ranksight::cli
