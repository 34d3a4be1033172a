#include "cli/look/summary.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/base/format.h"
#include "cli/look/extrapolation_report.h"
#include "cli/look/memory_summary.h"
#include "online_model/api/extrapolate.h"
#include "online_model/api/store.h"
#include "reduction/api/losses.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

using reduction::Meta;
using reduction::Trace;

uint64_t CountLoops(const reduction::Node& node) {
  uint64_t loops = 0;
  for (const auto& child : node.children) {
    loops += (child.is_event() ? 0 : 1) + CountLoops(child);
  }
  return loops;
}

std::string Line(std::string_view name, std::string_view value) {
  return fmt::format("{:<14}{}\n", name, value);
}

template <class T>
std::string MapText(const std::map<std::string, T>& map, const char* between) {
  std::string out;
  for (const auto& [name, value] : map) {
    if (!out.empty()) out += ", ";
    out += reduction::ShownName(fmt::format("{}{}{}", name, between, value));
  }
  return out.empty() ? "none" : out;
}

template <class T>
void WriteMap(std::string_view key, const std::map<std::string, T>& map,
              JsonWriter* json) {
  json->Key(key).BeginObject();
  for (const auto& [name, value] : map) json->Member(name, value);
  json->EndObject();
}

const char* OriginName(const Meta& meta) {
  return meta.origin == reduction::Origin::kExtrapolated ? "extrapolated"
                                                         : "recorded";
}

std::string StateText(const Meta& meta) {
  if (meta.complete) return "complete";
  return "partial, complete until " +
         Duration(static_cast<double>(meta.complete_until_ns)) +
         " after MPI_Init";
}

std::string ForecastText(const Meta& meta) {
  const reduction::StatedForecast& forecast = *meta.forecast;
  const std::string why =
      forecast.refused.empty()
          ? ""
          : "; not to be relied on: " + reduction::ShownName(forecast.refused);
  if (meta.elapsed.count == 0) return "no forecast" + why;
  std::string text =
      fmt::format("{}, forecast; 90 %: {} to {}", Duration(meta.elapsed.max),
                  Duration(forecast.low_ns), Duration(forecast.high_ns));
  if (!forecast.network.empty()) {
    text += "; a core for each rank, network " +
            reduction::ShownName(forecast.network);
  }
  return text + why;
}

std::string ElapsedText(const Meta& meta) {
  if (meta.forecast) return ForecastText(meta);
  if (meta.elapsed.count == 0) return "unknown";
  return fmt::format("{} (ranks {} to {})", Duration(meta.elapsed.Mean()),
                     Duration(meta.elapsed.min), Duration(meta.elapsed.max));
}

std::string StructureText(const Trace& trace) {
  const uint64_t nodes = CountNodes(trace), loops = CountLoops(trace.root);
  return fmt::format("nodes {}: loops {}, events {}; call sites {}", nodes,
                     loops, nodes - loops, trace.sites.sites.size());
}

// "12 as 4x3, 6 as 3x2 (asked 0x2)".
std::string GridsSummary(const std::vector<reduction::MadeDims>& grids) {
  std::string out;
  for (const reduction::MadeDims& made : grids) {
    out += (out.empty() ? "" : ", ") +
           fmt::format("{} as {}", made.nodes, fmt::join(made.dims, "x"));
    const bool is_free = std::all_of(made.asked.begin(), made.asked.end(),
                                     [](int64_t side) { return side == 0; });
    if (!is_free) {
      out += fmt::format(" (asked {})", fmt::join(made.asked, "x"));
    }
  }
  return out + " (MPI_Dims_create)";
}

void WriteGrids(const std::optional<std::vector<reduction::MadeDims>>& grids,
                JsonWriter* json) {
  json->Key("made_dims");
  if (!grids) return (void)json->Raw("null");
  const auto write = [json](const char* name, const auto& sides) {
    json->Key(name).BeginArray();
    for (const int64_t side : sides) json->Value(side);
    json->EndArray();
  };
  json->BeginArray();
  for (const reduction::MadeDims& made : *grids) {
    json->BeginObject().Member("nodes", made.nodes);
    write("asked", made.asked);
    write("dims", made.dims);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace

std::string LaunchSummary(const reduction::Launch& launch) {
  std::string out = reduction::ShownName(online_model::LaunchText(launch));
  if (launch.nodes > 0) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", launch.nodes,
                       launch.nodes == 1 ? "node" : "nodes");
  }
  if (!launch.tasks_per_node.empty()) {
    out += ", ranks on each: " + reduction::ShownName(launch.tasks_per_node);
  }
  return out;
}

void WriteLaunch(const reduction::Launch& launch, JsonWriter* json) {
  json->Key("launch")
      .BeginObject()
      .Member("by", launch.by)
      .Member("job_id", launch.job_id)
      .Member("step", launch.step)
      .Member("nodes", launch.nodes)
      .Member("tasks_per_node", launch.tasks_per_node)
      .EndObject();
}

std::string SummaryText(const Trace& trace, uint64_t file_bytes) {
  const Meta& meta = trace.meta;
  std::string program =
      meta.program.empty() ? "unknown" : reduction::ShownName(meta.program);
  if (!meta.build_id.empty()) {
    program += " (build " + reduction::ShownName(meta.build_id) + ")";
  }
  std::string out;
  out += Line("program", program);
  out += Line("job",
              meta.job.empty() ? "unknown" : reduction::ShownName(meta.job));
  out += Line("origin", OriginName(meta));
  out += Line("started", Timestamp(meta.start_unix_ns));
  out += Line("ranks", std::to_string(meta.ranks));
  if (meta.host_cores > 0) {
    out += Line("first host", fmt::format("{} ranks, {} cores", meta.host_ranks,
                                          meta.host_cores));
  }
  if (meta.launch != reduction::Launch()) {
    out += Line("launch", LaunchSummary(meta.launch));
  }
  if (meta.own_time) {
    out += Line("times",
                "computation is processor time; times in calls, and elapsed, "
                "are not to be used");
  }
  if (!meta.params.empty())
    out += Line("parameters", MapText(meta.params, "="));
  out += Line("state", StateText(meta));
  out += Line("epochs", std::to_string(meta.epochs));
  out += Line("elapsed", ElapsedText(meta));
  if (meta.made_dims && !meta.made_dims->empty()) {
    out += Line("grids", GridsSummary(*meta.made_dims));
  }
  if (const std::string memory = MemorySummary(meta.memory); !memory.empty()) {
    out += Line("memory", memory);
  }
  if (const std::string along = MemoryAlong(meta.memory.along);
      !along.empty()) {
    out += Line("  along", along);
  }
  out += Line("calls", std::to_string(CountEvents(trace)));
  out += Line("structure", StructureText(trace));
  out += Line("file", fmt::format("{} bytes", file_bytes));
  out += Line("polls", MapText(meta.polls, " "));
  out += Line("not recorded", MapText(meta.not_recorded, " "));
  out += Line("losses", MapText(reduction::LossesOf(meta), " "));
  if (const uint64_t failed = reduction::FailedCallsOf(meta); failed > 0) {
    out += Line("failed calls", std::to_string(failed));
  }
  if (!meta.estimates.empty()) {
    out += Line("twin", fmt::format("{} call sites estimated, all others exact",
                                    meta.estimates.size()));
  }
  if (!meta.laws.empty()) {
    out += Line("laws", fmt::format("{}{} (--laws lists them)",
                                    online_model::ReadableLaws(trace).size(),
                                    online_model::IsSymbolic(trace)
                                        ? ", for any number of ranks"
                                        : ""));
  }
  return out;
}

void WriteSummary(const Trace& trace, uint64_t file_bytes, JsonWriter* json) {
  const Meta& meta = trace.meta;
  const uint64_t nodes = CountNodes(trace), loops = CountLoops(trace.root);
  json->Member("program", meta.program)
      .Member("build_id", meta.build_id)
      .Member("job", meta.job)
      .Member("origin", OriginName(meta))
      .Member("start_unix_ns", meta.start_unix_ns)
      .Member("ranks", meta.ranks)
      .Member("host_ranks", meta.host_ranks)
      .Member("host_cores", meta.host_cores)
      .Member("own_time", meta.own_time);
  WriteLaunch(meta.launch, json);
  WriteMap("params", meta.params, json);
  json->Member("complete", meta.complete)
      .Member("complete_until_ns", meta.complete_until_ns)
      .Member("epochs", meta.epochs);
  json->Key("elapsed_ns");
  if (meta.elapsed.count == 0) {
    json->Raw("null");
  } else {
    json->BeginObject()
        .Member("mean", meta.elapsed.Mean())
        .Member("min", meta.elapsed.min)
        .Member("max", meta.elapsed.max)
        .EndObject();
  }
  WriteMemory(meta.memory, json);
  WriteGrids(meta.made_dims, json);
  if (meta.forecast) {
    json->Key("forecast")
        .BeginObject()
        .Member("low_ns", meta.forecast->low_ns)
        .Member("high_ns", meta.forecast->high_ns)
        .Member("refused", meta.forecast->refused)
        .Member("basis", meta.forecast->basis)
        .Member("network", meta.forecast->network)
        .EndObject();
  }
  json->Member("calls", CountEvents(trace))
      .Member("nodes", nodes)
      .Member("loops", loops)
      .Member("events", nodes - loops)
      .Member("call_sites", trace.sites.sites.size())
      .Member("file_bytes", file_bytes);
  WriteMap("polls", meta.polls, json);
  WriteMap("not_recorded", meta.not_recorded, json);
  WriteMap("losses", reduction::LossesOf(meta), json);
  json->Member("failed_calls", reduction::FailedCallsOf(meta));
  WriteEstimates(meta.estimates, json);
}

}  // namespace ranksight::cli
