// ranksight stats: counts, bytes and times per call and per call site.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/base/files.h"
#include "cli/base/format.h"
#include "cli/base/json.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/commands/register.h"
#include "cli/look/extrapolation_report.h"
#include "cli/look/load_report.h"
#include "cli/look/memory_summary.h"
#include "cli/look/summary.h"
#include "cli/symbols/site_names.h"
#include "reduction/api/codec.h"
#include "reduction/api/losses.h"
#include "reduction/api/shown_text.h"
#include "reduction/api/totals.h"

namespace ranksight::cli {
namespace {

using reduction::EventTotal;
using reduction::Trace;

struct StatsOptions {
  std::string file;
  bool by_rank = false;
  bool json = false;
};

std::string Bytes(uint64_t bytes, const EventTotal& total) {
  return (total.estimated ? "~" : "") + std::to_string(bytes);
}

std::vector<std::string> Cells(const EventTotal& total) {
  return {std::string(Info(total.call).name),
          std::to_string(total.count),
          Bytes(total.sent, total),
          Bytes(total.received, total),
          Duration(total.times.TotalCall()),
          Duration(total.MeanCall()),
          Duration(total.CallQuantile(0.5)),
          Duration(total.CallQuantile(0.99)),
          Duration(total.times.TotalCompute())};
}

std::vector<std::string> Names() {
  return {"<call",     "count",    "sent B",   "posted B",      "call time",
          "call mean", "call p50", "call p99", "compute before"};
}

EventTotal Sum(const std::vector<EventTotal>& totals) {
  EventTotal sum;
  for (const EventTotal& total : totals) sum.Merge(total);
  return sum;
}

std::string CountsText(const char* title,
                       const std::map<std::string, uint64_t>& counts) {
  if (counts.empty()) return "";
  std::string out = std::string("\n") + title + ":";
  for (const auto& [name, count] : counts) {
    out += " " + reduction::ShownName(name) + " " + std::to_string(count) + ",";
  }
  out.back() = '\n';
  return out;
}

// Whether it is a call site of a twin that has no law throughout.
bool IsEstimated(const Trace& trace, const EventTotal& total) {
  return EstimateOf(trace, total.call, total.site) != nullptr;
}

void PrintText(const Trace& trace, const std::vector<EventTotal>& by_site,
               const std::vector<EventTotal>& by_call, SiteNames* site_names) {
  Table calls(Names());
  for (const EventTotal& total : by_call) calls.Add(Cells(total));
  std::vector<std::string> sum = Cells(Sum(by_call));
  sum[0] = "all calls";
  calls.Add(sum);
  std::vector<std::string> names = Names();
  names.push_back("<call site");
  Table sites(names);
  for (const EventTotal& total : by_site) {
    std::vector<std::string> cells = Cells(total);
    if (IsEstimated(trace, total)) cells[1] = "~" + cells[1];
    cells.push_back(site_names->Text(total.site));
    sites.Add(cells);
  }
  Print("Per call, all " + std::to_string(trace.meta.ranks) + " ranks:\n");
  Print(calls.ToText());
  if (trace.meta.launch != reduction::Launch()) {
    Print("Launch: " + LaunchSummary(trace.meta.launch) + "\n");
  }
  if (trace.meta.own_time) {
    Print(
        "Ranks shared cores: computation is processor time; times in calls "
        "are not to be used.\n");
  }
  if (const std::string memory = MemorySummary(trace.meta.memory);
      !memory.empty()) {
    Print("Memory: " + memory + "\n");
  }
  Print("\nPer call site:\n");
  Print(sites.ToText());
  Print(CountsText("Polls that found nothing", trace.meta.polls));
  Print(CountsText("Seen, not recorded", trace.meta.not_recorded));
  Print(CountsText("Losses", reduction::LossesOf(trace.meta)));
  if (const uint64_t failed = reduction::FailedCallsOf(trace.meta);
      failed > 0) {
    Print(fmt::format("\nFailed calls, left out: {}\n", failed));
  }
}

// How the mean time of one occurrence differs from rank to rank.
void WriteOverRanks(std::string_view key, const reduction::Moments& ranks,
                    JsonWriter* json) {
  json->Key(key)
      .BeginObject()
      .Member("least_ns", ranks.min)
      .Member("mean_ns", ranks.Mean())
      .Member("most_ns", ranks.max)
      .Member("deviation_ns", std::sqrt(ranks.Variance()))
      .EndObject();
}

// Members of an object that the caller has begun.
void WriteTotal(const EventTotal& total, JsonWriter* json) {
  json->Member("count", total.count)
      .Member("sent_bytes", total.sent)
      .Member("posted_bytes", total.received)
      .Member("bytes_estimated", total.estimated)
      .Member("call_ns", total.times.TotalCall())
      .Member("call_mean_ns", total.MeanCall())
      .Member("call_p50_ns", total.CallQuantile(0.5))
      .Member("call_p99_ns", total.CallQuantile(0.99))
      .Member("compute_ns", total.times.TotalCompute());
}

void WriteCounts(std::string_view key,
                 const std::map<std::string, uint64_t>& counts,
                 JsonWriter* json) {
  json->Key(key).BeginObject();
  for (const auto& [name, count] : counts) json->Member(name, count);
  json->EndObject();
}

void PrintJson(const Trace& trace, const std::vector<EventTotal>& by_site,
               const std::vector<EventTotal>& by_call, SiteNames* site_names) {
  JsonWriter json;
  json.BeginObject().Member("ranks", trace.meta.ranks);
  WriteLaunch(trace.meta.launch, &json);
  WriteMemory(trace.meta.memory, &json);
  json.Key("calls").BeginArray();
  for (const EventTotal& total : by_call) {
    json.BeginObject().Member("call", Info(total.call).name);
    WriteTotal(total, &json);
    json.EndObject();
  }
  json.EndArray().Key("sites").BeginArray();
  for (const EventTotal& total : by_site) {
    json.BeginObject().Member("call", Info(total.call).name);
    json.Member("site", ToString(trace.sites, total.site));
    json.Member("name", site_names->Text(total.site));
    json.Member("estimated", IsEstimated(trace, total));
    WriteTotal(total, &json);
    WriteOverRanks("compute_over_ranks", total.times.compute.ranks, &json);
    WriteOverRanks("call_over_ranks", total.times.call.ranks, &json);
    json.EndObject();
  }
  json.EndArray().Key("total").BeginObject();
  WriteTotal(Sum(by_call), &json);
  json.EndObject();
  WriteCounts("polls", trace.meta.polls, &json);
  WriteCounts("not_recorded", trace.meta.not_recorded, &json);
  WriteCounts("losses", reduction::LossesOf(trace.meta), &json);
  json.Member("failed_calls", reduction::FailedCallsOf(trace.meta));
  Print(json.EndObject().text());
}

int Stats(const StatsOptions& options) {
  const auto trace = WithProgress("reading " + options.file, [&] {
    return reduction::ReadTraceFile(options.file);
  });
  if (!trace.ok()) return Fail(trace.status());
  if (options.by_rank) {
    Print(WithProgress("adding up what each rank does", [&] {
      return options.json ? LoadJson(*trace, trace->meta.ranks)
                          : LoadText(*trace);
    }));
    return 0;
  }
  const auto by_site = WithProgress("adding up what calls take",
                                    [&] { return TotalsBySite(*trace); });
  if (!by_site.ok()) return Fail(Named(options.file, by_site.status()));
  const std::vector<EventTotal> by_call = TotalsByCall(*by_site);
  SiteNames names(trace->sites, PlacesNear({&options.file, 1}));
  if (options.json) {
    PrintJson(*trace, *by_site, by_call, &names);
  } else {
    PrintText(*trace, *by_site, by_call, &names);
  }
  return 0;
}

}  // namespace

void RegisterStats(Commands& commands) {
  auto options = std::make_shared<StatsOptions>();
  CLI::App* app = commands.Add(
      "stats", "Counts, bytes and times per call and per call site",
      [options] { return Stats(*options); });
  app->add_option("FILE", options->file, "The trace")->required();
  app->add_flag(
      "--by-rank", options->by_rank,
      "Instead what each rank computes and what it spends in calls,\n"
      "by what it calls; and its node or place in the program's grid");
  app->add_flag("--json", options->json,
                "One JSON document on stdout; times in nanoseconds");
  app->footer(
      "All figures are sums over all ranks. \"sent B\" are the bytes of the\n"
      "send side, \"posted B\" those of the receive side, as the canonical\n"
      "text counts them (persistent requests count where they are made).\n"
      "Quantiles leave out the first call of each rank where there are\n"
      "others. Behind ~ stand estimates: calls at sites of a twin that\n"
      "have no law throughout, and bytes of amounts left only as\n"
      "distributions, of elements of several sizes. \"compute before\" is\n"
      "the time between the previous call's end and this call.\n\n"
      "Example: ranksight stats stencil2d.16.trace");
}

}  // namespace ranksight::cli
