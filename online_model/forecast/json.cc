#include <nlohmann/json.hpp>

#include "online_model/api/verdict.h"
#include "online_model/forecast/spread_text.h"

namespace ranksight::online_model {
namespace {

using nlohmann::json;

// The classic names; other terms of the normal form by their exponents.
std::string NameOf(const Shape& shape) {
  if (shape.IsConstant()) return "constant";
  if (shape == Shape{1, 0, true}) return "linear";
  if (shape == Shape{-1, 0, false}) return "inverse";
  if (shape == Shape{-1, 0, true}) return "inverse plus constant";
  return "power";
}

const char* PartName(bool in_call) {
  return in_call ? "in the call" : "computation before it";
}

json PointJson(const ForecastPoint& p, int64_t smallest) {
  json out = {{"ranks", p.ranks}, {"refused", p.refused}};
  if (p.refused) out["reason"] = p.reason;
  if (!p.basis.empty()) out["basis"] = p.basis;
  if (!p.HasFigure() && p.refused) return out;
  if (p.estimated) out["estimated_structure"] = true;
  out["seconds"] = p.seconds;
  out["low"] = p.low;
  out["high"] = p.high;
  out["interval"] = 0.9;
  out["compute_share"] = p.compute_share;
  out["call_share"] = p.call_share;
  out["strong_efficiency"] = p.efficiency;
  out["weak_efficiency"] = p.efficiency * double(p.ranks) / double(smallest);
  return out;
}

json ModelJson(const Model& m) {
  json out = {{"kind", NameOf(m.shape)},
              {"text", m.ToString()},
              {"a", m.a},
              {"b", m.b},
              {"power", m.shape.power},
              {"log_power", m.shape.log_power},
              {"held_out_error", m.held_out_error}};
  if (m.from > 0) out["from"] = m.from;
  return out;
}

json EfficienciesJson(int64_t ranks, bool measured, const Efficiencies& e) {
  return {{"ranks", ranks},
          {"measured", measured},
          {"load_balance", e.load_balance},
          {"serialisation", e.serialisation},
          {"transfer", e.transfer},
          {"communication", e.Communication()},
          {"parallel", e.Parallel()},
          {"computation", e.computation},
          {"scaling", e.is_weak ? "weak" : "strong"},
          {"global", e.Global()}};
}

void AddEfficiencies(const Forecast& f, json* out) {
  (*out)["efficiencies"] = json::array();
  json& all = (*out)["efficiencies"];
  for (const MeasuredSize& s : f.sizes) {
    if (!s.efficiencies) continue;
    all.push_back(EfficienciesJson(s.ranks, true, *s.efficiencies));
  }
  for (const ForecastPoint& p : f.points) {
    if (!p.efficiencies || p.refused) continue;
    all.push_back(EfficienciesJson(p.ranks, false, *p.efficiencies));
  }
  (*out)["first_limit"] = nullptr;
  if (const auto limit = FindFirstLimit(f)) {
    (*out)["first_limit"] = {{"factor", limit->factor},
                             {"ranks", limit->ranks},
                             {"efficiency", limit->efficiency},
                             {"is_reached", limit->is_reached}};
  }
}

json GrowingJson(const GrowingSite& g) {
  return {{"call", g.call},
          {"site", g.site},
          {"share_now", g.share_now},
          {"share_then", g.share_then},
          {"model", ModelJson(g.model)}};
}

json UnderWayJson(const RunUnderWay& run) {
  json out = {{"job", run.job}, {"ranks", run.ranks}, {"used", run.used}};
  if (!run.used) {
    out["reason"] = run.reason;
    return out;
  }
  out["share_seen"] = run.share_seen;
  out["seconds"] = run.seconds;
  return out;
}

// Names as they stand in the other answers: what shows them escapes them.
json VerdictJson(const Forecast& f) {
  const ScalingVerdict v = Judge(f);
  json out = {{"kind", NameOf(v.kind)}, {"text", v.text}};
  if (v.scales_to > 0) {
    out["scales_to"] = v.scales_to;
  }
  // Where nothing is promised, measured efficiencies are shown all the same.
  if (v.scales_to > 0 || v.kind == VerdictKind::kUnclear || v.is_weak) {
    out["scaling"] = v.is_weak ? "weak" : "strong";
  }
  if (v.most_scales_to > 0) {
    out["scales_to_interval"] = {v.least_scales_to, v.most_scales_to};
  }
  if (!v.call.empty()) {
    out["limit"] = {
        {"call", v.call}, {"site", v.site}, {"part", PartName(v.in_call)}};
  }
  if (!v.factor.empty()) out["limit"] = {{"factor", v.factor}};
  if (!v.cause.empty()) out["cause"] = v.cause;
  if (v.next_run > 0) out["next_run"] = v.next_run;
  if (v.next_run_seconds > 0) out["next_run_seconds"] = v.next_run_seconds;
  return out;
}

json RefusalsJson(const Forecast& f) {
  json out = json::array();
  for (const Refusal& refusal : Refusals(f)) {
    out.push_back({{"ranks", json::array()},
                   {"text", refusal.Ranks()},
                   {"reason", refusal.reason}});
    for (const ForecastPoint* p : refusal.points) {
      out.back()["ranks"].push_back(p->ranks);
    }
  }
  return out;
}

json DominantJson(const DominantSite& d) {
  return {{"from_ranks", d.from_ranks},
          {"call", d.call},
          {"site", d.site},
          {"part", PartName(d.in_call)},
          {"share", d.share}};
}

json OverRanksJson(const OverRanks& r) {
  return {{"least", r.least},
          {"mean", r.mean},
          {"most", r.most},
          {"deviation", r.deviation}};
}

bool IsCollective(const std::string& call) {
  const reduction::CallInfo* info = reduction::FindCallByName(call);
  return info != nullptr && info->collective;
}

json SiteJson(const Forecast& f, const SiteModel& s) {
  json out = {{"call", s.call},
              {"site", s.site},
              {"collective", IsCollective(s.call)},
              {"share_now", s.share_now},
              {"compute", ModelJson(s.compute)},
              {"in_call", ModelJson(s.in_call)},
              {"occurrences", ModelJson(s.occurrences)}};
  const auto path = f.paths.find(s.site);
  if (path != f.paths.end()) out["path"] = path->second;
  const auto spread = f.spreads.find({s.call, s.site});
  if (spread != f.spreads.end()) {
    const SiteSpread& of = spread->second;
    out["over_ranks"] = {{"ranks", f.spread_ranks},
                         {"compute", OverRanksJson(of.compute)}};
    if (of.in_call) {
      out["over_ranks"]["in_call"] = OverRanksJson(*of.in_call);
      out["over_ranks"]["waiting_share"] = of.waiting_share;
    }
  }
  return out;
}

json ParameterJson(const OverParameter& over) {
  json out = {{"name", over.name},
              {"value", over.value},
              {"measured", json::array()},
              {"laws", json::array()}};
  for (const OverParameter::Cell& c : over.cells) {
    out["measured"].push_back({{"ranks", c.ranks},
                               {"value", c.value},
                               {"runs", c.runs},
                               {"seconds", c.seconds}});
  }
  for (const ParameterLaw& law : over.laws) {
    out["laws"].push_back({{"call", law.call},
                           {"site", law.site},
                           {"compute", law.compute},
                           {"in_call", law.in_call},
                           {"share", law.share}});
  }
  return out;
}

json MemoryJson(const MemoryForecast& f) {
  json out = {{"law", f.law},
              {"file_bytes", f.file_bytes},
              {"ranks_per_node", f.node.ranks_per_node},
              {"measured", json::array()},
              {"points", json::array()}};
  for (size_t i = 0; i < f.measured.size(); ++i) {
    out["measured"].push_back(
        {{"ranks", f.measured[i]}, {"bytes", f.measured_bytes[i]}});
  }
  const bool limited = f.node.bytes > 0;
  if (limited) {
    out["bytes_per_node"] = f.node.bytes;
    out["fewest_nodes"] = nullptr;
    if (f.fewest_nodes > 0) out["fewest_nodes"] = f.fewest_nodes;
  }
  for (const MemoryPoint& p : f.points) {
    json point = {{"ranks", p.ranks},        {"refused", p.refused},
                  {"bytes", p.bytes},        {"low", p.low},
                  {"high", p.high},          {"interval", 0.9},
                  {"most", p.most},          {"most_high", p.most_high},
                  {"divided", p.divided},    {"kept", p.kept},
                  {"growing", p.growing},    {"node", p.node},
                  {"node_high", p.node_high}};
    if (p.refused) point["reason"] = p.reason;
    if (limited && !p.refused) {
      point["ranks_that_fit"] = p.ranks_that_fit;
      point["nodes"] = nullptr;
      if (p.nodes > 0) point["nodes"] = p.nodes;
    }
    out["points"].push_back(std::move(point));
  }
  return out;
}

}  // namespace

std::string ToJson(const Forecast& forecast) {
  const int64_t smallest =
      forecast.measured.empty() ? 1 : forecast.measured.front();
  json out = {
      {"program", forecast.program},      {"measured", json::array()},
      {"points", json::array()},          {"sizes", json::array()},
      {"growing", json::array()},         {"sites", json::array()},
      {"verdict", VerdictJson(forecast)}, {"refusals", RefusalsJson(forecast)}};
  for (size_t i = 0; i < forecast.measured.size(); ++i) {
    const uint64_t runs =
        i < forecast.repetitions.size() ? forecast.repetitions[i] : 1;
    out["measured"].push_back(
        {{"ranks", forecast.measured[i]}, {"runs", runs}});
  }
  for (const ForecastPoint& p : forecast.points) {
    out["points"].push_back(PointJson(p, smallest));
  }
  for (const GrowingSite& g : forecast.growing) {
    out["growing"].push_back(GrowingJson(g));
  }
  for (const MeasuredSize& size : forecast.sizes) {
    out["sizes"].push_back({{"ranks", size.ranks},
                            {"runs", size.runs},
                            {"seconds", size.seconds},
                            {"deviation", size.deviation}});
    if (size.took_seconds > 0) {
      out["sizes"].back()["took_seconds"] = size.took_seconds;
    }
  }
  out["spread"] = SpreadText(forecast);
  out["dominant"] = json::array();
  for (const DominantSite& d : forecast.dominant) {
    out["dominant"].push_back(DominantJson(d));
  }
  AddEfficiencies(forecast, &out);
  out["under_way"] = json::array();
  for (const RunUnderWay& run : forecast.under_way) {
    out["under_way"].push_back(UnderWayJson(run));
  }
  for (const SiteModel& s : forecast.sites) {
    out["sites"].push_back(SiteJson(forecast, s));
  }
  if (forecast.best) {
    const BestSize& best = *forecast.best;
    out["best"] = best.ranks == 0 ? json{{"reason", best.reason}}
                                  : json{{"ranks", best.ranks},
                                         {"seconds", best.seconds},
                                         {"rank_hours", best.rank_hours},
                                         {"sure", best.sure}};
  }
  out["machine"] = nullptr;
  if (forecast.machine) out["machine"] = json::parse(ToJson(*forecast.machine));
  out["network"] = nullptr;
  if (!forecast.links.empty()) out["network"] = forecast.links;
  if (!forecast.network.empty()) out["network"] = forecast.network;
  out["links"] = nullptr;
  if (!forecast.links.empty()) out["links"] = forecast.links;
  if (!forecast.what_if.empty()) out["what_if"] = forecast.what_if;
  out["drift"] = nullptr;
  if (forecast.drift) {
    const Drift& d = *forecast.drift;
    out["drift"] = {{"since_job", d.job},
                    {"since_unix_ms", d.since_unix_ns / 1'000'000},
                    {"factor", d.factor},
                    {"low", d.low},
                    {"high", d.high}};
  }
  out["memory"] = nullptr;
  if (forecast.memory) out["memory"] = MemoryJson(*forecast.memory);
  if (forecast.over) out["parameter"] = ParameterJson(*forecast.over);
  out["names"] = json::object();
  for (const auto& [site, name] : forecast.names) {
    out["names"][site] = {{"text", name.text}, {"place", name.place}};
  }
  out["walking"] = forecast.walking;
  if (forecast.walking) {
    const WalkProgress& walks = forecast.walks;
    out["walks"] = {{"walked", walks.walked},
                    {"all", walks.all},
                    {"left_seconds", walks.left_seconds},
                    {"waits_for_core", walks.waits_for_core}};
  }
  out["next_run"] = nullptr;
  if (forecast.next_run > 0) {
    out["next_run"] = {{"ranks", forecast.next_run},
                       {"reason", forecast.next_run_reason}};
    if (forecast.over) out["next_run"]["value"] = forecast.over->next_value;
  }
  // Names come from traces: bytes that are not UTF-8 are replaced.
  return out.dump(2, ' ', true, json::error_handler_t::replace) + "\n";
}

}  // namespace ranksight::online_model
