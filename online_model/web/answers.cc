#include "online_model/web/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "online_model/api/page.h"
#include "reduction/api/fnv.h"
#include "reduction/api/shown_text.h"
#include "reduction/api/wire.h"

namespace ranksight::online_model {
namespace {

using nlohmann::json;
using reduction::Status;

constexpr int64_t kMostRanks = int64_t{1} << 40;
constexpr size_t kMostAsked = 64;
constexpr double kReach = 64;  // beyond, every forecast is refused
constexpr double kStepsPerDoubling = 2;
// What is asked for again and again stays small: so many groups, the newest,
// have metrics of their own, and labels have so many characters. The label
// `group` tells apart what begins alike.
constexpr size_t kMostMetricGroups = 50;
constexpr size_t kMostLabelCharacters = 128;

std::string Text(const json& document) {
  // Names come from clients: bytes that are not UTF-8 are replaced, and what a
  // terminal would obey is escaped, as all beyond ASCII.
  return document.dump(-1, ' ', true, json::error_handler_t::replace);
}

const char* NameOf(LiveRun::State state) {
  switch (state) {
    case LiveRun::State::kReceiving:
      return "receiving";
    case LiveRun::State::kStoring:
      return "storing";
    case LiveRun::State::kStored:
      return "stored";
  }
  return "unknown";
}

json LiveJson(const LiveRun& run) {
  return {{"job", run.job},
          {"program", run.program},
          {"build_id", run.build_id},
          {"params", run.params},
          {"ranks", run.ranks},
          {"user", run.sender.user},
          {"key", run.sender.key},
          {"state", NameOf(run.state)},
          {"segments", run.segments},
          {"bytes", run.bytes},
          {"epochs", run.epochs},
          {"started_unix_ms", run.started_unix_ms},
          {"heard_unix_ms", run.heard_unix_ms}};
}

json GroupJson(const RunGroup& group) {
  return {{"id", group.id},
          {"program", group.program},
          {"build_id", group.build_id},
          {"params", group.params},
          {"runs", group.runs},
          {"measured", group.measured},
          {"last_unix_ms", group.last_unix_ns / 1'000'000}};
}

json OverviewGroupJson(const GroupOverview& overview) {
  const RunGroup& group = overview.group;
  json out = GroupJson(group);
  out["last_job"] = group.last_job;
  out["last_launch"] = group.last_launch;
  out["last_ranks"] = group.last_ranks;
  out["last_from"] = group.last_sender.Name();
  out["verdict"] = overview.verdict.text;
  out["by_laws"] = overview.by_laws;
  out["drift"] = nullptr;
  if (overview.drift) out["drift"] = overview.drift->factor;
  out["sizes"] = json::array();
  for (const MeasuredSize& size : overview.sizes) {
    out["sizes"].push_back({size.ranks, size.seconds});
  }
  out["points"] = json::array();
  for (const ForecastPoint& point : overview.points) {
    out["points"].push_back({point.ranks, point.seconds});
  }
  return out;
}

// "refused app on 4 ranks from anna: why", for page and monitor alike.
std::string NoticeText(const RunNotice& notice) {
  std::string text = notice.refused.empty() ? "stored " : "refused ";
  text += notice.program.empty()
              ? "a run"
              : fmt::format("{} on {} rank{}", notice.program, notice.ranks,
                            notice.ranks == 1 ? "" : "s");
  const std::string from = notice.sender.Name();
  if (!from.empty()) text += " from " + from;
  if (!notice.refused.empty()) text += ": " + notice.refused;
  return text;
}

json NoticeJson(const RunNotice& notice) {
  return {{"unix_ms", notice.unix_ms}, {"user", notice.sender.user},
          {"key", notice.sender.key},  {"program", notice.program},
          {"ranks", notice.ranks},     {"refused", notice.refused},
          {"text", NoticeText(notice)}};
}

json CountersJson(const IngestCounters& c, uint64_t stored) {
  return {{"runs_stored", stored},  {"runs_refused", c.runs_refused},
          {"frames", c.frames},     {"frames_refused", c.frames_refused},
          {"segments", c.segments}, {"bytes", c.bytes},
          {"clients", c.clients},   {"keys_refused", c.keys_refused},
          {"sockets", c.sockets},   {"sockets_closed", c.sockets_closed}};
}

// Whoever reads metrics takes none of them where one is no UTF-8.
std::string Label(const std::string& text) {
  std::string out;
  for (const char c :
       reduction::ShownName(text.substr(0, kMostLabelCharacters))) {
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return out;
}

// lines: with labels.
void Metric(std::string* out, const char* name, const char* kind,
            const char* help, const std::string& lines) {
  *out += fmt::format("# HELP ranksight_{0} {1}\n# TYPE ranksight_{0} {2}\n",
                      name, help, kind) +
          lines;
}

void Metric(std::string* out, const char* name, const char* kind,
            const char* help, uint64_t value) {
  Metric(out, name, kind, help, fmt::format("ranksight_{} {}\n", name, value));
}

void StoreMetrics(Server* server, std::string* out) {
  Metric(out, "build_info", "gauge", "Which version runs.",
         fmt::format("ranksight_build_info{{version=\"{}\",wire=\"{}\"}} 1\n",
                     RANKSIGHT_VERSION, reduction::kWireVersion));
  const Quotas quotas = server->quotas();
  Metric(out, "store_quota_bytes", "gauge",
         "Bytes of traces that the store may hold; 0: no limit.",
         quotas.all_bytes);
  Metric(out, "user_quota_bytes", "gauge",
         "The same of each user or key; 0: no limit.", quotas.sender_bytes);
  Metric(out, "program_quota_bytes", "gauge",
         "The same of each program; 0: no limit.", quotas.program_bytes);
  const auto use = server->Use();
  if (!use.ok()) return;
  Metric(out, "store_runs", "gauge", "Runs in the store.", use->runs);
  Metric(out, "store_bytes", "gauge", "Bytes of traces in the store.",
         use->bytes);
  Metric(out, "last_stored_timestamp_seconds", "gauge",
         "When the newest run was stored; 0: there is none.",
         uint64_t(use->last_unix_ns) / 1'000'000'000);
}

// Lines of the metrics that have labels.
struct LabelledMetrics {
  std::string measured, forecast, share_seen, expected;
};

// By rank count, not by run: each run would leave a series behind. Of several
// the one that has longest to go.
void UnderWayMetrics(const Forecast& f, const std::string& labels,
                     LabelledMetrics* out) {
  const auto left = [](const RunUnderWay& run) {
    return (1 - run.share_seen) * run.seconds;
  };
  std::map<int64_t, const RunUnderWay*> of_ranks;
  for (const RunUnderWay& run : f.under_way) {
    if (!run.used) continue;
    const RunUnderWay*& longest = of_ranks[run.ranks];
    if (longest == nullptr || left(run) > left(*longest)) longest = &run;
  }
  for (const auto& [ranks, run] : of_ranks) {
    const std::string own = fmt::format("{{{},ranks=\"{}\"}}", labels, ranks);
    out->share_seen += fmt::format("ranksight_under_way_share_seen{} {}\n", own,
                                   run->share_seen);
    out->expected +=
        fmt::format("ranksight_under_way_seconds{} {}\n", own, run->seconds);
  }
}

void ForecastMetrics(Server* server, const RunGroup& group,
                     LabelledMetrics* out) {
  const int64_t largest = group.measured.back();
  const std::vector<int64_t> asked = {4 * largest, 16 * largest, 64 * largest};
  const auto f = server->ForecastOf(group.id, asked);
  if (!f.ok()) return;
  const std::string labels =
      fmt::format("program=\"{}\",group=\"{}\",params=\"{}\"",
                  Label(group.program), group.id, Label(group.params));
  UnderWayMetrics(*f, labels, out);
  for (const MeasuredSize& size : f->sizes) {
    out->measured +=
        fmt::format("ranksight_measured_seconds{{{},ranks=\"{}\"}} {}\n",
                    labels, size.ranks, size.seconds);
  }
  for (const ForecastPoint& p : f->points) {
    // A refusal is no number, and a gap in a graph is what it looks like.
    if (p.refused) continue;
    const std::pair<const char*, double> bounds[] = {
        {"value", p.seconds}, {"low", p.low}, {"high", p.high}};
    for (const auto& [bound, value] : bounds) {
      out->forecast += fmt::format(
          "ranksight_forecast_seconds{{{},ranks=\"{}\",bound=\"{}\"}} {}\n",
          labels, p.ranks, bound, value);
    }
  }
}

// What the rank counts measured have in common, so that a curve goes through
// sizes at which the program can run: powers times the smallest, squares,
// cubes, or multiples of a number.
class Pattern {
 public:
  explicit Pattern(const std::vector<int64_t>& measured)
      : smallest_(double(measured.front())) {
    for (const int64_t n : measured) multiple_ = std::gcd(multiple_, n);
    const double factor =
        measured.size() < 2 ? 2 : double(measured[1]) / smallest_;
    const auto all = [&](const auto& nearest) {
      return std::ranges::all_of(
          measured, [&](int64_t n) { return nearest(double(n)) == n; });
    };
    if (factor == std::floor(factor) &&
        all([&](double n) { return Power(n, factor); })) {
      factor_ = factor;
      return;
    }
    for (const int exponent : {2, 3}) {
      if (all([&](double n) { return Rooted(n, exponent); })) {
        exponent_ = exponent;
        return;
      }
    }
  }
  int64_t Nearest(double n) const {
    if (factor_ > 1) return Power(n, factor_);
    if (exponent_ > 1) return Rooted(n, exponent_);
    const double multiple = double(multiple_);
    return std::llround(std::max(1.0, std::round(n / multiple)) * multiple);
  }

 private:
  int64_t Power(double n, double factor) const {
    const double k = std::round(std::log(n / smallest_) / std::log(factor));
    return std::llround(smallest_ * std::pow(factor, k));
  }
  static int64_t Rooted(double n, int exponent) {
    return std::llround(
        std::pow(std::round(std::pow(n, 1.0 / exponent)), exponent));
  }
  double smallest_, factor_ = 1;
  int exponent_ = 1;
  int64_t multiple_ = 0;
};

}  // namespace

std::string StateJson(Server* server) {
  json out = {
      {"version", server->version()},
      {"endpoint", server->endpoint()},
      {"counters", CountersJson(server->counters(), server->runs_stored())},
      {"groups", json::array()},
      {"live", json::array()},
      {"notices", json::array()}};
  for (const RunGroup& group : server->Groups()) {
    out["groups"].push_back(GroupJson(group));
  }
  for (const LiveRun& run : server->Live())
    out["live"].push_back(LiveJson(run));
  for (const RunNotice& notice : server->Notices()) {
    out["notices"].push_back(NoticeJson(notice));
  }
  return Text(out);
}

StampedText OverviewJson(const std::vector<GroupOverview>& groups) {
  json programs = json::array();
  for (const GroupOverview& group : groups) {
    programs.push_back(OverviewGroupJson(group));
  }
  const std::string text = Text(programs);
  reduction::Fnv hash;
  for (const unsigned char c : text) hash.Add(c);
  const std::string stamp = fmt::format("{:016x}", hash.value());
  return {stamp,
          fmt::format("{{\"stamp\":\"{}\",\"programs\":{}}}", stamp, text)};
}

std::string RefusedJson(const std::string& reason) {
  return Text({{"refused", reason}});
}

std::string RunsJson(const std::vector<RunRecord>& runs) {
  json out = {{"runs", json::array()}};
  for (const RunRecord& run : runs) {
    out["runs"].push_back({{"job", run.job},
                           {"program", run.program},
                           {"build_id", run.build_id},
                           {"params", run.params},
                           {"launch", run.launch},
                           {"user", run.sender.user},
                           {"key", run.sender.key},
                           {"ranks", run.ranks},
                           {"seconds", run.seconds},
                           {"complete", run.complete},
                           {"stored_unix_ms", run.stored_unix_ns / 1'000'000},
                           {"bytes", run.bytes}});
  }
  return Text(out);
}

std::string MetricsText(Server* server) {
  const IngestCounters c = server->counters();
  std::string out;
  Metric(&out, "runs_stored_total", "counter", "Runs stored since the start.",
         server->runs_stored());
  Metric(&out, "runs_refused_total", "counter",
         "Whole runs that were not accepted.", c.runs_refused);
  Metric(&out, "frames_total", "counter", "Frames received.", c.frames);
  Metric(&out, "frames_refused_total", "counter",
         "Frames that were damaged, out of place or too large.",
         c.frames_refused);
  Metric(&out, "segments_total", "counter", "Segments taken.", c.segments);
  Metric(&out, "segment_bytes_total", "counter", "Bytes of segments taken.",
         c.bytes);
  Metric(&out, "keys_refused_total", "counter",
         "Connections with unknown or wrong keys.", c.keys_refused);
  Metric(&out, "clients", "gauge", "Clients now.", c.clients);
  Metric(&out, "connections", "gauge", "Connections now.", c.sockets);
  Metric(&out, "connections_closed_total", "counter",
         "Silent connections closed because there were too many.",
         c.sockets_closed);
  StoreMetrics(server, &out);
  LabelledMetrics of;
  std::vector<RunGroup> groups = server->Groups();
  Metric(&out, "groups", "gauge",
         "Programs, builds and parameter sets in the store.", groups.size());
  groups.resize(std::min(groups.size(), kMostMetricGroups));
  for (const RunGroup& group : groups) ForecastMetrics(server, group, &of);
  Metric(&out, "measured_seconds", "gauge", "Mean run time.", of.measured);
  Metric(&out, "forecast_seconds", "gauge", "Forecast run time, 90 % interval.",
         of.forecast);
  Metric(&out, "under_way_share_seen", "gauge",
         "Share of a run under way that has been seen.", of.share_seen);
  Metric(&out, "under_way_seconds", "gauge",
         "Run time that a run under way is expected to take.", of.expected);
  return out;
}

std::vector<int64_t> CurveRanks(const std::vector<int64_t>& measured) {
  if (measured.empty()) return {};
  std::set<int64_t> ranks(measured.begin(), measured.end());
  const double from = double(measured.front());
  const double to =
      std::min(kReach * double(measured.back()), double(kMostRanks));
  const int steps = int(std::ceil(kStepsPerDoubling * std::log2(to / from)));
  const Pattern pattern(measured);
  for (int i = 0; i <= steps; ++i) {
    const int64_t n =
        pattern.Nearest(from * std::pow(to / from, i / double(steps)));
    if (double(n) <= to) ranks.insert(n);
  }
  return {ranks.begin(), ranks.end()};
}

reduction::Result<std::vector<int64_t>> ParseRanks(const std::string& text) {
  std::vector<int64_t> ranks;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    int64_t n = 0;
    const auto [rest, error] = std::from_chars(at, end, n);
    if (error != std::errc() || n < 1 || n > kMostRanks ||
        ranks.size() == kMostAsked || (rest != end && *rest != ',')) {
      return Status::Usage("ranks: up to 64 numbers, comma-separated");
    }
    ranks.push_back(n);
    if (rest == end) return ranks;
    at = rest + 1;
  }
}

}  // namespace ranksight::online_model
