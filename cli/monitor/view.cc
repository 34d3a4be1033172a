#include "cli/monitor/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "cli/base/format.h"
#include "cli/base/lists.h"

namespace ranksight::cli {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

constexpr size_t kLabel = 10;  // columns left of the chart
constexpr size_t kLeastChart = 8, kMostChart = 24;
constexpr size_t kMostNamed = 4, kMostSites = 5, kMostLive = 8;

std::string Seconds(double s) { return Duration(s * 1e9); }

// A chart's field of characters with logarithmic axes.
class Field {
 public:
  Field(size_t width, size_t height, double x0, double x1, double y0, double y1)
      : width_(width), rows_(height, std::string(width, ' ')) {
    x0_ = std::log(x0);
    dx_ = std::max(std::log(x1) - x0_, 1e-9);
    y0_ = std::log(y0);
    dy_ = std::max(std::log(y1) - y0_, 1e-9);
  }
  size_t Column(double x) const {
    return Clamp((std::log(x) - x0_) / dx_, width_);
  }
  size_t Row(double y) const {
    return rows_.size() - 1 - Clamp((std::log(y) - y0_) / dy_, rows_.size());
  }
  void Put(double x, double y, char c) { rows_[Row(y)][Column(x)] = c; }
  void Bar(double x, double low, double high, char c) {
    for (size_t row = Row(high); row <= Row(low); ++row) {
      rows_[row][Column(x)] = c;
    }
  }
  double ValueOf(size_t row) const {
    const double part =
        double(rows_.size() - 1 - row) / double(rows_.size() - 1);
    return std::exp(y0_ + part * dy_);
  }
  const std::vector<std::string>& rows() const { return rows_; }

 private:
  static size_t Clamp(double part, size_t size) {
    return size_t(std::lround(std::clamp(part, 0.0, 1.0) * double(size - 1)));
  }
  size_t width_;
  std::vector<std::string> rows_;
  double x0_, dx_, y0_, dy_;
};

void AddPoints(const json& forecast, Lines* out) {
  for (const json& p : forecast["points"]) {
    const int64_t ranks = p["ranks"];
    if (p["refused"]) {
      out->push_back(fmt::format("{:>9}  refused: {}", ranks,
                                 p["reason"].get<std::string>()));
      continue;
    }
    out->push_back(fmt::format(
        "{:>9}  {:>9}  {:>9} to {:<9}  calls {:>7}  efficiency {:>7}", ranks,
        Seconds(p["seconds"]), Seconds(p["low"]), Seconds(p["high"]),
        Percent(p["call_share"]), Percent(p["strong_efficiency"])));
  }
}

// How the times were found, each way once.
void AddBases(const json& forecast, Lines* out) {
  std::map<std::string, std::vector<int64_t>> ranks;  // by basis
  for (const json& p : forecast["points"]) {
    if (p.contains("basis")) ranks[p["basis"]].push_back(p["ranks"]);
  }
  for (const auto& [basis, all] : ranks) {
    out->push_back(
        all.size() > kMostNamed
            ? fmt::format("at {} to {} ranks: {}", all.front(), all.back(),
                          basis)
            : fmt::format("at {} ranks: {}", JoinNumbers(all, ", "), basis));
  }
}

void AddGrowing(const json& forecast, Lines* out) {
  if (forecast["growing"].empty()) return;
  out->push_back("");
  out->push_back("call sites that grow: share now, then, seconds a rank");
  size_t shown = 0;
  for (const json& g : forecast["growing"]) {
    if (++shown > kMostSites) break;
    out->push_back(fmt::format(
        "{:>9}  {:>7}  {}  {}  at {}", Percent(g["share_now"]),
        Percent(g["share_then"]), g["model"]["text"].get<std::string>(),
        g["call"].get<std::string>(), g["site"].get<std::string>()));
  }
}

// What takes most time from which rank count on.
void AddDominant(const json& forecast, Lines* out) {
  if (!forecast.contains("dominant")) return;
  for (const json& d : forecast["dominant"]) {
    out->push_back(
        fmt::format("from {} ranks most time is {} {}, {}, at {}",
                    d["from_ranks"].get<int64_t>(),
                    d["part"] == "in the call" ? "in" : "computation before",
                    d["call"].get<std::string>(), Percent(d["share"]),
                    d["site"].get<std::string>()));
  }
}

json UnderWay(const json& forecast) {
  return forecast.is_object() ? forecast.value("under_way", json::array())
                              : json::array();
}

// What is expected of a run that goes on, by what has been seen of it.
std::string Expected(const json& forecast, const json& job) {
  for (const json& run : UnderWay(forecast)) {
    if (run["job"] != job) continue;
    if (!run["used"]) return "; " + run["reason"].get<std::string>();
    return fmt::format("; {} seen, {} expected (provisional)",
                       Percent(run["share_seen"]), Seconds(run["seconds"]));
  }
  return "";
}

void AddDrift(const json& forecast, Lines* out) {
  const json drift = forecast.value("drift", json());
  if (!drift.is_object()) return;
  out->push_back(fmt::format(
      "since run {} the same sizes take {:.3g} times as long; earlier runs "
      "count as if they did",
      drift["since_job"].get<std::string>(), drift["factor"].get<double>()));
}

// "1 segment", "2 segments".
std::string Counted(uint64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

void AddLive(const json& state, const json& forecast, Lines* out) {
  if (state["live"].empty()) return;
  std::vector<const json*> runs;
  for (const json& run : state["live"]) runs.push_back(&run);
  std::stable_sort(runs.begin(), runs.end(), [](const json* a, const json* b) {
    return (*a)["heard_unix_ms"] > (*b)["heard_unix_ms"];
  });
  out->push_back("");
  out->push_back("programs connected");
  for (size_t i = 0; i < std::min(runs.size(), kMostLive); ++i) {
    const json& run = *runs[i];
    out->push_back(fmt::format(
        "{:>9}  {} on {}, {}, {}{}  {}", run["state"].get<std::string>(),
        run["program"].get<std::string>(),
        Counted(run["ranks"].get<uint64_t>(), "rank"),
        Counted(run["segments"].get<uint64_t>(), "segment"),
        Counted(run["bytes"].get<uint64_t>(), "byte"),
        Expected(forecast, run["job"]), run["job"].get<std::string>()));
  }
}

std::string Heading(const MonitorData& data) {
  const json& groups = data.state["groups"];
  if (groups.empty()) return "ranksight: nothing measured yet";
  const json& group = groups[data.group];
  return fmt::format(
      "{} {} ({} of {}; {})", group["program"].get<std::string>(),
      group["params"].get<std::string>(), data.group + 1, groups.size(),
      Counted(group["runs"].get<uint64_t>(), "run"));
}

std::string Footing(const json& state) {
  const json& c = state["counters"];
  return fmt::format("{} stored, {}, {} refused; at {}",
                     Counted(c["runs_stored"].get<uint64_t>(), "run"),
                     Counted(c["segments"].get<uint64_t>(), "segment"),
                     Counted(c["frames_refused"].get<uint64_t>(), "frame"),
                     state["endpoint"].get<std::string>());
}

// Names come from programs: nothing of theirs may reach the terminal's
// control codes. Cuts at `width` bytes.
std::string Printable(std::string line, size_t width) {
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  if (line.size() > width) line.resize(width);
  return line;
}

}  // namespace

Lines CurveLines(const json& forecast, size_t width, size_t height) {
  double x0 = std::numeric_limits<double>::infinity(), y0 = x0, x1 = 0, y1 = 0;
  const auto see = [&](double x, double y) {
    x0 = std::min(x0, x);
    x1 = std::max(x1, x);
    if (y <= 0) return;
    y0 = std::min(y0, y);
    y1 = std::max(y1, y);
  };
  for (const json& s : forecast["sizes"]) see(s["ranks"], s["seconds"]);
  for (const json& u : UnderWay(forecast)) {
    if (u["used"]) see(u["ranks"], u["seconds"]);
  }
  for (const json& p : forecast["points"]) {
    if (p["refused"]) continue;
    see(p["ranks"], p["seconds"]);
    see(p["ranks"], p["high"]);
    see(p["ranks"],
        std::max(p["low"].get<double>(), p["seconds"].get<double>() / 4));
  }
  if (y1 <= 0) return {};
  Field field(width - kLabel - 2, height, x0, x1, y0, y1);
  for (const json& p : forecast["points"]) {
    if (p["refused"]) continue;
    field.Bar(p["ranks"], std::max(p["low"].get<double>(), y0), p["high"], ':');
  }
  for (const json& p : forecast["points"]) {
    if (!p["refused"]) field.Put(p["ranks"], p["seconds"], '*');
  }
  for (const json& s : forecast["sizes"]) {
    if (s["seconds"] > 0) field.Put(s["ranks"], s["seconds"], 'O');
  }
  for (const json& u : UnderWay(forecast)) {
    if (u["used"]) field.Put(u["ranks"], u["seconds"], 'o');
  }
  Lines out;
  const size_t every = std::max<size_t>(height / 4, 1);
  for (size_t row = 0; row < height; ++row) {
    const bool labelled = row % every == 0 || row + 1 == height;
    out.push_back(fmt::format("{:>10} |{}",
                              labelled ? Seconds(field.ValueOf(row)) : "",
                              field.rows()[row]));
  }
  out.push_back(
      fmt::format("{:>10} +{}", "", std::string(width - kLabel - 2, '-')));
  const std::string last = fmt::format("{:.0f} ranks", x1);
  const std::string first = fmt::format("{:.0f}", x0);
  const size_t gap = width - kLabel - 2;
  out.push_back(
      fmt::format("{:>10}  {}{:>{}}", "", first, last,
                  gap > first.size() ? gap - first.size() : last.size()));
  return out;
}

Lines MonitorLines(const MonitorData& data, size_t width, size_t height) {
  Lines below;
  if (!data.forecast.is_null()) {
    AddPoints(data.forecast, &below);
    AddBases(data.forecast, &below);
    AddDrift(data.forecast, &below);
    AddGrowing(data.forecast, &below);
    AddDominant(data.forecast, &below);
    if (!data.forecast["next_run"].is_null()) {
      below.push_back("");
      below.push_back(
          fmt::format("next run: {} ranks; {}",
                      data.forecast["next_run"]["ranks"].get<int64_t>(),
                      data.forecast["next_run"]["reason"].get<std::string>()));
    }
  }
  AddLive(data.state, data.forecast, &below);
  below.push_back("");
  below.push_back(Footing(data.state));
  Lines out = {Heading(data)};
  if (!data.forecast.is_null()) {
    const size_t taken = below.size() + 4;
    const size_t left = height > taken ? height - taken : 0;
    const Lines curve = CurveLines(data.forecast, width,
                                   std::clamp(left, kLeastChart, kMostChart));
    out.insert(out.end(), curve.begin(), curve.end());
  }
  out.insert(out.end(), below.begin(), below.end());
  for (std::string& line : out) line = Printable(std::move(line), width);
  return out;
}

}  // namespace ranksight::cli
