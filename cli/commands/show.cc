// ranksight show: what a trace holds.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/base/files.h"
#include "cli/base/number_checks.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/commands/register.h"
#include "cli/look/extrapolation_report.h"
#include "cli/look/phases.h"
#include "cli/look/summary.h"
#include "cli/look/timeline_report.h"
#include "cli/look/tree_text.h"
#include "online_model/api/extrapolate.h"
#include "reduction/api/canonical.h"
#include "reduction/api/codec.h"
#include "reduction/api/cursor.h"

namespace ranksight::cli {
namespace {

using reduction::Cursor;
using reduction::Status;
using reduction::Trace;

struct ShowOptions {
  std::string file;
  bool tree = false, events = false, laws = false, phases = false;
  bool timeline = false;
  bool json = false;
  bool matched = false;
  std::vector<std::string> binaries;
  int64_t rank = 0;
  uint64_t limit = UINT64_MAX;
};

int ShowSummary(const Trace& trace, const ShowOptions& options) {
  const uint64_t bytes = FileBytes(options.file);
  if (!options.json) {
    Print(SummaryText(trace, bytes));
    Print(EstimatesText(trace.meta.estimates));
    return 0;
  }
  JsonWriter json;
  json.BeginObject();
  WriteSummary(trace, bytes, &json);
  Print(json.EndObject().text());
  return 0;
}

// Where modules are looked for.
std::vector<std::string> PlacesOf(const ShowOptions& options) {
  std::vector<std::string> places = options.binaries;
  for (std::string& folder : PlacesNear({&options.file, 1})) {
    places.push_back(std::move(folder));
  }
  return places;
}

int ShowTree(const Trace& trace, const ShowOptions& options) {
  SiteNames names(trace.sites, PlacesOf(options));
  if (!options.json) {
    Print(TreeText(trace, &names));
    return 0;
  }
  JsonWriter json;
  json.BeginObject().Member("ranks", trace.meta.ranks).Key("tree");
  WriteTree(trace, &names, &json);
  Print(json.EndObject().text());
  return 0;
}

int ShowLaws(const Trace& trace, const ShowOptions& options) {
  const std::span<const std::string> laws = online_model::ReadableLaws(trace);
  if (laws.empty()) {
    Note(options.file +
         " carries no laws: `ranksight extrapolate` finds them in several "
         "traces of a program, and its result carries them");
  }
  if (!options.json) {
    for (const std::string& law : laws) Print(LawLine(law) + "\n");
    return 0;
  }
  JsonWriter json;
  json.BeginObject().Key("laws").BeginArray();
  for (const std::string& law : laws) json.Value(law);
  Print(json.EndArray().EndObject().text());
  return 0;
}

int ShowPhases(const Trace& trace, const ShowOptions& options) {
  const std::vector<Phase> phases = PhasesOf(trace);
  if (!options.json) {
    Print(WithNames(PhasesText(phases), {&trace, 1}, PlacesOf(options)));
    return 0;
  }
  JsonWriter json;
  json.BeginObject().Member("ranks", trace.meta.ranks).Key("phases");
  WritePhases(phases, &json);
  Print(json.EndObject().text());
  return 0;
}

int ShowTimeline(const Trace& trace, const ShowOptions& options) {
  static constexpr char kWalking[] = "walking one iteration";
  if (options.json) {
    const auto json =
        WithProgress(kWalking, [&] { return TimelineJson(trace); });
    if (!json.ok()) return Fail(json.status());
    Print(*json);
    return 0;
  }
  const auto timeline =
      WithProgress(kWalking, [&] { return TimelineOf(trace); });
  if (!timeline.ok()) return Fail(timeline.status());
  SiteNames names(trace.sites, PlacesOf(options));
  Print(TimelineText(trace, *timeline, &names));
  return 0;
}

// " matched=3:7,none": sources and tags that were asked for as any.
void AppendMatched(const reduction::Event& event, std::string* line) {
  const auto sources = event.GetArray(reduction::Param::kMatched);
  const auto tags = event.GetArray(reduction::Param::kMatchedTags);
  for (size_t i = 0; i < sources.size(); ++i) {
    *line += i == 0 ? " matched=" : ",";
    if (reduction::IsSpecial(sources[i])) {
      *line += sources[i] == reduction::kPeerNull ? "null" : "none";
    } else {
      *line += std::to_string(sources[i]) + ':' + std::to_string(tags[i]);
    }
  }
}

// Calls print(line) for each event; the line has no newline.
template <class F>
reduction::Status ForEachLine(const Trace& trace, const ShowOptions& options,
                              F&& print) {
  auto cursor =
      Cursor::Open(trace, options.rank, reduction::Missing::kAccepted);
  if (!cursor.ok()) return cursor.status();
  std::string line;
  for (uint64_t n = 0; n < options.limit && cursor->Next(); ++n) {
    line.clear();
    AppendCanonicalText(cursor->event(), &line);
    if (options.matched) AppendMatched(cursor->event(), &line);
    print(line);
  }
  const reduction::Status& status = cursor->status();
  if (status.ok()) return status;
  return {status.code(), options.file + ": " + status.message()};
}

int ShowEvents(const Trace& trace, const ShowOptions& options) {
  reduction::Status status;
  if (options.json) {
    JsonWriter json;
    json.BeginObject().Member("rank", options.rank).Key("events").BeginArray();
    status = ForEachLine(trace, options, [&](const std::string& line) {
      json.Value(line);
      if (json.text().size() > (1 << 16)) Print(json.Take());
    });
    json.EndArray().EndObject();
    if (status.ok()) Print(json.text());
  } else {
    status = ForEachLine(trace, options, [](std::string& line) {
      line += '\n';
      Print(line);
    });
  }
  return status.ok() ? 0 : Fail(status);
}

int Show(const ShowOptions& options) {
  for (const std::string& binary : options.binaries) {
    if (Status s = CheckThere(binary); !s.ok()) return Fail(s);
  }
  auto trace = WithProgress("reading " + options.file, [&] {
    return reduction::ReadTraceFile(options.file);
  });
  if (!trace.ok()) return Fail(trace.status());
  if (options.events) return ShowEvents(*trace, options);
  if (options.tree) return ShowTree(*trace, options);
  if (options.laws) return ShowLaws(*trace, options);
  if (options.phases) return ShowPhases(*trace, options);
  if (options.timeline) return ShowTimeline(*trace, options);
  return ShowSummary(*trace, options);
}

}  // namespace

void RegisterShow(Commands& commands) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* app = commands.Add("show", "Show what a trace holds",
                               [options] { return Show(*options); });
  app->add_option("FILE", options->file, "The trace")->required();
  auto* tree = app->add_flag(
      "--tree", options->tree,
      "The compressed structure: loops with trip counts, events with call\n"
      "site, the ranks that make them, and the form of each parameter\n"
      "(r is the own rank, xN means N times)");
  auto* events =
      app->add_flag("--events", options->events,
                    "The calls of one rank in order, in the canonical text");
  auto* laws = app->add_flag("--laws", options->laws,
                             "The laws an extrapolated trace was made with");
  auto* phases = app->add_flag(
      "--phases", options->phases,
      "The phases that take 95 % of the time: what a loop does at each\n"
      "iteration, how often a rank runs it (weight; its equation where the\n"
      "trace carries laws), and how long one run takes");
  auto* timeline = app->add_flag(
      "--timeline", options->timeline,
      "One iteration of the loop that takes most time, call by call, as the\n"
      "slowest, the median and the fastest rank go through it, with times\n"
      "from the distributions that the trace keeps of each call");
  tree->excludes(events)->excludes(laws)->excludes(phases)->excludes(timeline);
  events->excludes(laws)->excludes(phases)->excludes(timeline);
  laws->excludes(phases)->excludes(timeline);
  phases->excludes(timeline);
  app->add_option("--rank", options->rank, "Rank whose calls --events prints")
      ->needs(events)
      ->capture_default_str();
  app->add_option("--limit", options->limit,
                  "Print at most this many calls (default: all)")
      ->check(NotNegative())
      ->needs(events);
  app->add_flag("--matched", options->matched,
                "After each line what receives and probes matched that asked\n"
                "for any source or tag: matched=SOURCE:TAG,...")
      ->needs(events);
  app->add_option("--binary", options->binaries,
                  "Program, library or folder with them that --tree names\n"
                  "functions, files and lines from; also looked at are the\n"
                  "trace's folder, the current one, PATH and system libraries")
      ->needs(tree);
  app->add_flag("--json", options->json, "One JSON document on stdout");
  app->footer(
      "Without an option: program, ranks, complete or partial (and until\n"
      "when), calls, structure, file size, and everything not recorded.\n\n"
      "Example: ranksight show stencil2d.16.trace --events --rank 3 --limit 5");
}

}  // namespace ranksight::cli
