#include "cli/study/study_facts.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "cli/base/format.h"
#include "cli/base/lists.h"
#include "cli/look/crowded.h"
#include "online_model/api/named_network.h"
#include "online_model/api/store.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

using reduction::Trace;

std::string HostName() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

// When the first and the last of them began.
std::string DatesText(std::span<const Trace> traces) {
  const auto [first, last] = std::ranges::minmax(
      traces, {}, [](const Trace& t) { return t.meta.start_unix_ns; });
  const std::string from = Timestamp(first.meta.start_unix_ns);
  const std::string to = Timestamp(last.meta.start_unix_ns);
  return from == to ? from : from + " to " + to;
}

std::string RunsText(const online_model::Forecast& forecast) {
  std::string text;
  for (const online_model::MeasuredSize& size : forecast.sizes) {
    text += fmt::format("{}{} on {}", text.empty() ? "" : ", ",
                        Counted(int64_t(size.runs), "run"),
                        Counted(size.ranks, "rank"));
  }
  return text;
}

// Of the first, as it stands for all: builds and parameters are the same.
std::string ProgramText(const reduction::Meta& meta) {
  std::string text = meta.program;
  if (!meta.params.empty()) {
    text += " with " + online_model::ParamText(meta.params);
  }
  return text + ", build " + (meta.build_id.empty() ? "?" : meta.build_id);
}

std::string JobsText(std::span<const Trace> traces) {
  std::string text;
  for (const Trace& trace : traces) {
    const std::string job = online_model::LaunchText(trace.meta.launch);
    if (!job.empty()) text += (text.empty() ? "" : ", ") + job;
  }
  return text;
}

std::string SettingsText(const StudyOptions& options,
                         const online_model::Forecast& forecast,
                         std::span<const Trace> traces) {
  return fmt::format(
      "launcher {}; computation by {}; network {}; 90 % intervals{}",
      LauncherOf(options.launcher),
      online_model::AnySharedCores(traces) ? "processor time" : "wall clock",
      forecast.network.empty() ? "as measured" : forecast.network,
      options.plugins.empty() ? "" : "; laws of one's own");
}

}  // namespace

std::string StudyCommand(const StudyOptions& options,
                         const std::vector<std::string>& program) {
  std::string text = "ranksight study";
  const auto add = [&text](const char* name, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} {}", name, ShellWord(value));
  };
  add("--ranks", options.ranks);
  add("--forecast", options.forecast);
  if (options.extrapolate > 0) {
    add("--extrapolate", std::to_string(options.extrapolate));
  }
  add("--output", options.output);
  if (options.repeat > 1) add("--repeat", std::to_string(options.repeat));
  add("--launcher", options.launcher);
  if (options.folder != StudyOptions().folder) add("--folder", options.folder);
  add("--store", options.store);
  add("--network", options.network);
  PlaceOptions places = options.places;
  for (const auto& [name, text] : PlaceTexts(&places)) {
    add((std::string("--") + name).c_str(), *text);
  }
  for (const std::string& speed : places.link_speeds) {
    add("--link-speed", speed);
  }
  if (places.ranks_per_node > 0) {
    add("--ranks-per-node", std::to_string(places.ranks_per_node));
  }
  for (const std::string& plugin : options.plugins) add("--plugin", plugin);
  text += " --";
  for (const std::string& word : program) text += " " + ShellWord(word);
  return text;
}

std::vector<online_model::ReportFact> StudyFacts(
    const StudyOptions& options, const std::vector<std::string>& program,
    std::span<const Trace> traces, const online_model::Forecast& forecast,
    const std::string& version) {
  std::vector<online_model::ReportFact> facts;
  const auto add = [&facts](const char* name, const std::string& text) {
    // Names come from traces, and from the command line.
    if (!text.empty()) facts.push_back({name, reduction::ShownName(text)});
  };
  if (!traces.empty()) {
    add("runs made", DatesText(traces));
    add("program", ProgramText(traces.front().meta));
  }
  add("command", StudyCommand(options, program));
  add("written on", HostName());
  add("by", "ranksight " + version);
  add("runs used", RunsText(forecast));
  add("jobs", JobsText(traces));
  add("settings", SettingsText(options, forecast, traces));
  return facts;
}

std::string SharedCoresText(std::span<const Trace> traces,
                            const online_model::Forecast& forecast) {
  const std::string text = CrowdedText(traces);
  if (forecast.network.empty() || !online_model::AnySharedCores(traces)) {
    return text;
  }
  return fmt::format(
      "{}{}ranks shared cores: computation is processor time, times in calls "
      "are not those measured; times are of a machine with a core for each "
      "rank and the network {}",
      text, text.empty() ? "" : "; ", forecast.network);
}

}  // namespace ranksight::cli
