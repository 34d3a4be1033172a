#include "cli/look/extrapolation_report.h"

#include <fmt/core.h>

#include "cli/base/lists.h"

namespace ranksight::cli {

std::string ReportText(const online_model::ExtrapolationReport& report,
                       bool with_laws) {
  std::string out =
      report.held_out_events > 0
          ? fmt::format(
                "held out: {} ranks predicted from the smaller inputs, {} "
                "events compared, identical\n",
                report.held_out_ranks, report.held_out_events)
          : fmt::format(
                "laws: carried by the trace of {} ranks, checked when "
                "they were found\n",
                report.held_out_ranks);
  if (!report.dims.empty()) {
    out += fmt::format("grid: {}\n", JoinNumbers(report.dims, "x"));
  }
  out += fmt::format("parameters: {} exact, {} estimated, {} refused\n",
                     report.exact, report.estimated, report.refused);
  if (!with_laws) return out;
  for (const std::string& law : report.laws) out += law + '\n';
  return out;
}

void WriteReport(const online_model::ExtrapolationReport& report,
                 JsonWriter* json) {
  json->Member("held_out_ranks", report.held_out_ranks)
      .Member("held_out_events", report.held_out_events);
  json->Key("dims").BeginArray();
  for (int64_t side : report.dims) json->Value(side);
  json->EndArray()
      .Member("exact", report.exact)
      .Member("estimated", report.estimated)
      .Member("refused", report.refused);
  json->Key("laws").BeginArray();
  for (const std::string& law : report.laws) json->Value(law);
  json->EndArray();
}

}  // namespace ranksight::cli
