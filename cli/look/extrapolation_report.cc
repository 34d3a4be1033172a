#include "cli/look/extrapolation_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "cli/base/lists.h"
#include "reduction/api/call.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {

namespace {

// The name of a type or operation in place of its number.
std::string WithNameOfCode(const std::string& law) {
  using reduction::Param;
  for (const Param param :
       {Param::kTypeKind, Param::kRecvTypeKind, Param::kReduceOp}) {
    const std::string key = fmt::format(": {} = ", reduction::ParamName(param));
    const size_t found = law.find(key);
    if (found == std::string::npos) continue;
    const size_t start = found + key.size();
    int64_t code = 0;
    const auto [end, error] =
        std::from_chars(law.data() + start, law.data() + law.size(), code);
    // An expression goes on behind the number.
    const std::string rest(end, law.data() + law.size());
    if (error != std::errc() || rest.rfind("  [", 0) != 0) return law;
    const std::string_view name = param == Param::kReduceOp
                                      ? reduction::OpNameByCode(code)
                                      : reduction::TypeNameByCode(code);
    if (name.empty()) return law;
    return law.substr(0, start) + std::string(name) + rest;
  }
  return law;
}

}  // namespace

std::string LawLine(const std::string& law) {
  return reduction::ShownName(WithNameOfCode(law));
}

std::string EstimatesText(const std::vector<reduction::SiteEstimate>& estimates,
                          bool others_exact) {
  std::string out;
  for (const reduction::SiteEstimate& e : estimates) {
    out += fmt::format("estimated: {} at {}", e.call,
                       reduction::ShownName(e.site));
    if (e.messages > 0) {
      out += fmt::format(
          ": {:.0f} ± {:.0f} messages, {:.0f} ± {:.0f} bytes, {:.0f} ± {:.0f} "
          "pairs of ranks",
          e.messages, e.messages_width, e.bytes, e.bytes_width, e.partners,
          e.partners_width);
    }
    out += '\n';
  }
  if (!out.empty() && others_exact) out += "all other call sites are exact\n";
  return out;
}

const reduction::SiteEstimate* EstimateOf(const reduction::Trace& trace,
                                          reduction::Call call, uint32_t site) {
  const auto& all = trace.meta.estimates;
  if (all.empty()) return nullptr;
  const std::string text = ToString(trace.sites, site);
  const auto it = std::ranges::find_if(all, [&](const auto& e) {
    return e.call == Info(call).name && e.site == text;
  });
  return it == all.end() ? nullptr : &*it;
}

void WriteEstimates(const std::vector<reduction::SiteEstimate>& estimates,
                    JsonWriter* json) {
  json->Key("estimates").BeginArray();
  for (const reduction::SiteEstimate& e : estimates) {
    json->BeginObject()
        .Member("call", e.call)
        .Member("site", e.site)
        .Member("messages", e.messages)
        .Member("messages_width", e.messages_width)
        .Member("bytes", e.bytes)
        .Member("bytes_width", e.bytes_width)
        .Member("partners", e.partners)
        .Member("partners_width", e.partners_width)
        .EndObject();
  }
  json->EndArray();
}

std::string SettingText(const std::string& name,
                        const online_model::RunsAtValue& made) {
  return fmt::format(
      "held out: all runs at {}={} predicted from those at the others, {} "
      "events compared, identical\n",
      reduction::ShownName(name), JoinNumbers(made.held_out, ", "),
      made.held_out_events);
}

void WriteSetting(const std::string& name, int64_t value,
                  const online_model::RunsAtValue& made, JsonWriter* json) {
  json->Key("setting").BeginObject();
  json->Member("name", name).Member("value", value);
  json->Key("values").BeginArray();
  for (const int64_t v : made.values) json->Value(v);
  json->EndArray();
  json->Key("held_out").BeginArray();
  for (const int64_t v : made.held_out) json->Value(v);
  json->EndArray();
  json->Member("held_out_events", made.held_out_events);
  json->EndObject();
}

namespace {

// What the trace was held against, or made of.
std::string BasisText(const online_model::ExtrapolationReport& report) {
  if (report.copied_ranks > 0) {
    return fmt::format(
        "copied: the run on {} ranks, as no law and no draw gives "
        "one\n",
        report.copied_ranks);
  }
  if (!report.estimates.empty() && report.shapes.empty()) {
    return fmt::format("held out: {} ranks drawn from the smaller inputs\n",
                       report.held_out_ranks);
  }
  if (report.by_held_out) {
    return fmt::format(
        "held out: {} ranks, which alone show a side of the grid at that "
        "length; else the smaller inputs say the same\n",
        report.held_out_ranks);
  }
  if (report.held_out_events > 0) {
    return fmt::format(
        "held out: {} ranks predicted from the {} inputs, {} events "
        "compared, identical\n",
        report.held_out_ranks, report.by_all_others ? "other" : "smaller",
        report.held_out_events);
  }
  return fmt::format(
      "laws: carried by the trace of {} ranks, checked when they were found\n",
      report.held_out_ranks);
}

}  // namespace

std::string ReportText(const online_model::ExtrapolationReport& report,
                       bool with_laws) {
  std::string out = BasisText(report);
  if (report.left_out_ranks > 0) {
    out += fmt::format(
        "left out: the run on {} ranks, which no law of the others explains\n",
        report.left_out_ranks);
  }
  if (!report.dims.empty()) {
    out += fmt::format("grid: {}\n", JoinNumbers(report.dims, "x"));
  }
  if (!report.shapes.empty()) {
    std::string shapes;
    for (const auto& dims : report.shapes) {
      shapes += (shapes.empty() ? "" : " or ") + JoinNumbers(dims, "x");
    }
    out += fmt::format(
        "not told apart by the inputs: {}; the first is taken, --dims says "
        "which it is\n",
        shapes);
  }
  out += fmt::format("parameters: {} exact, {} estimated, {} refused\n",
                     report.exact, report.estimated, report.refused);
  // Copies have no call site that a law says.
  out += EstimatesText(report.estimates, report.copied_ranks == 0);
  if (!with_laws) return out;
  for (const std::string& law : report.laws) out += LawLine(law) + '\n';
  return out;
}

void WriteReport(const online_model::ExtrapolationReport& report,
                 JsonWriter* json) {
  json->Member("held_out_ranks", report.held_out_ranks)
      .Member("held_out_events", report.held_out_events)
      .Member("by_held_out", report.by_held_out)
      .Member("by_all_others", report.by_all_others)
      .Member("left_out_ranks", report.left_out_ranks)
      .Member("copied_ranks", report.copied_ranks);
  json->Key("dims").BeginArray();
  for (int64_t side : report.dims) json->Value(side);
  json->EndArray();
  json->Key("shapes").BeginArray();
  for (const auto& dims : report.shapes) {
    json->BeginArray();
    for (const int64_t side : dims) json->Value(side);
    json->EndArray();
  }
  json->EndArray()
      .Member("exact", report.exact)
      .Member("estimated", report.estimated)
      .Member("refused", report.refused);
  json->Key("laws").BeginArray();
  for (const std::string& law : report.laws) json->Value(law);
  json->EndArray();
  WriteEstimates(report.estimates, json);
}

}  // namespace ranksight::cli
