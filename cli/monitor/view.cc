#include "cli/monitor/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "cli/base/format.h"
#include "cli/base/lists.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

using nlohmann::json;
using reduction::Result;
using reduction::Status;
using Lines = std::vector<std::string>;

constexpr size_t kLabel = 10;  // columns left of the chart
constexpr size_t kLeastChart = 8, kMostChart = 24;
constexpr size_t kMostNamed = 4, kMostSites = 5, kMostLive = 8;

// Conversions of fractions to whole numbers are not defined for all of them:
// throws, as all access to what is not there does here.
int64_t Whole(const json& number) {
  return number.get_ref<const json::number_integer_t&>();
}

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
    if (std::isnan(part)) return 0;
    return size_t(std::lround(std::clamp(part, 0.0, 1.0) * double(size - 1)));
  }
  size_t width_;
  std::vector<std::string> rows_;
  double x0_, dx_, y0_, dy_;
};

void AddMeasured(const json& forecast, Lines* out) {
  for (const json& s : forecast.at("sizes")) {
    out->push_back(fmt::format("{:>9}  {:>9}  measured, {}",
                               Whole(s.at("ranks")), Seconds(s.at("seconds")),
                               Counted(Whole(s.at("runs")), "run")));
  }
}

void AddPoints(const json& forecast, Lines* out) {
  const bool is_weak =
      forecast.at("verdict").value("scaling", json()) == json("weak");
  for (const json& p : forecast.at("points")) {
    if (p.at("refused")) continue;
    out->push_back(fmt::format(
        "{:>9}  {:>9}  {:>9} to {:<9}  calls {:>7}  {} efficiency {:>7}",
        Whole(p.at("ranks")), Seconds(p.at("seconds")), Seconds(p.at("low")),
        Seconds(p.at("high")), Percent(p.at("call_share")),
        is_weak ? "weak" : "strong",
        Percent(p.at(is_weak ? "weak_efficiency" : "strong_efficiency"))));
  }
}

// A line for all that is refused for one reason.
void AddRefusals(const json& forecast, Lines* out) {
  for (const json& refusal : forecast.at("refusals")) {
    out->push_back(fmt::format("{:>9}  refused: {}",
                               refusal.at("text").get<std::string>(),
                               refusal.at("reason").get<std::string>()));
  }
}

// How the times were found, each way once.
void AddBases(const json& forecast, Lines* out) {
  if (const auto network = forecast.find("network");
      network != forecast.end() && network->is_string()) {
    out->push_back(
        "times on a machine with a core for each rank and the network " +
        network->get<std::string>());
  }
  std::map<std::string, std::vector<int64_t>> ranks;  // by basis
  for (const json& p : forecast.at("points")) {
    if (p.contains("basis"))
      ranks[p.at("basis")].push_back(Whole(p.at("ranks")));
  }
  for (const auto& [basis, all] : ranks) {
    out->push_back(
        all.size() > kMostNamed
            ? fmt::format("at {} to {} ranks: {}", all.front(), all.back(),
                          basis)
            : fmt::format("at {} ranks: {}", JoinNumbers(all, ", "), basis));
  }
}

// A call site as it is read, where that is known.
std::string SiteShown(const json& forecast, const json& site) {
  const auto names = forecast.value("names", json::object());
  const auto known = names.find(site.get<std::string>());
  return (known == names.end() ? site : known->at("text")).get<std::string>();
}

void AddGrowing(const json& forecast, Lines* out) {
  if (forecast.at("growing").empty()) return;
  out->push_back("");
  out->push_back("call sites that grow: share now, then, seconds a rank");
  size_t shown = 0;
  for (const json& g : forecast.at("growing")) {
    if (++shown > kMostSites) break;
    out->push_back(fmt::format(
        "{:>9}  {:>7}  {}  {}  at {}", Percent(g.at("share_now")),
        Percent(g.at("share_then")),
        g.at("model").at("text").get<std::string>(),
        g.at("call").get<std::string>(), SiteShown(forecast, g.at("site"))));
  }
}

// What takes most time from which rank count on.
void AddDominant(const json& forecast, Lines* out) {
  if (!forecast.contains("dominant")) return;
  for (const json& d : forecast.at("dominant")) {
    out->push_back(
        fmt::format("from {} most time is {} {}, {}, at {}",
                    Counted(Whole(d.at("from_ranks")), "rank"),
                    d.at("part") == "in the call" ? "in" : "computation before",
                    d.at("call").get<std::string>(), Percent(d.at("share")),
                    SiteShown(forecast, d.at("site"))));
  }
}

json UnderWay(const json& forecast) {
  return forecast.is_object() ? forecast.value("under_way", json::array())
                              : json::array();
}

// What is expected of a run that goes on, by what has been seen of it.
std::string Expected(const json& forecast, const json& job) {
  for (const json& run : UnderWay(forecast)) {
    if (run.at("job") != job) continue;
    if (!run.at("used")) return "; " + run.at("reason").get<std::string>();
    return fmt::format("; {} seen, {} expected (provisional)",
                       Percent(run.at("share_seen")),
                       Seconds(run.at("seconds")));
  }
  return "";
}

void AddDrift(const json& forecast, Lines* out) {
  const json drift = forecast.value("drift", json());
  if (!drift.is_object()) return;
  out->push_back(fmt::format(
      "since run {} the same sizes take {:.3g} times as long; earlier runs "
      "count as if they did",
      drift.at("since_job").get<std::string>(),
      drift.at("factor").get<double>()));
}

void AddLive(const json& state, const json& forecast, Lines* out) {
  if (state.at("live").empty()) return;
  std::vector<const json*> runs;
  for (const json& run : state.at("live")) {
    (void)Whole(run.at("heard_unix_ms"));
    runs.push_back(&run);
  }
  std::stable_sort(runs.begin(), runs.end(), [](const json* a, const json* b) {
    return a->at("heard_unix_ms") > b->at("heard_unix_ms");
  });
  out->push_back("");
  out->push_back("programs connected");
  for (size_t i = 0; i < std::min(runs.size(), kMostLive); ++i) {
    const json& run = *runs[i];
    out->push_back(fmt::format(
        "{:>9}  {} on {}, {}, {}{}  {}", run.at("state").get<std::string>(),
        run.at("program").get<std::string>(),
        Counted(Whole(run.at("ranks")), "rank"),
        Counted(Whole(run.at("segments")), "segment"),
        Counted(Whole(run.at("bytes")), "byte"),
        Expected(forecast, run.at("job")), run.at("job").get<std::string>()));
  }
}

std::string Heading(const MonitorData& data) {
  const json& groups = data.state.at("groups");
  if (groups.empty()) return "ranksight: nothing measured yet";
  const json& group = groups.at(data.group);
  return fmt::format("{} {} ({} of {}; {})",
                     group.at("program").get<std::string>(),
                     group.at("params").get<std::string>(), data.group + 1,
                     groups.size(), Counted(Whole(group.at("runs")), "run"));
}

std::string Footing(const json& state) {
  const json& c = state.at("counters");
  return fmt::format("{} stored, {}, {} refused; at {}",
                     Counted(Whole(c.at("runs_stored")), "run"),
                     Counted(Whole(c.at("segments")), "segment"),
                     Counted(Whole(c.at("frames_refused")), "frame"),
                     state.at("endpoint").get<std::string>());
}

// Names come from programs: nothing of theirs may break a line. Cuts at
// `width` bytes, between characters.
std::string Fitted(std::string line, size_t width) {
  line = reduction::ShownName(line);
  if (line.size() <= width) return line;
  while (width > 0 && (line[width] & 0xC0) == 0x80) --width;
  line.resize(width);
  return line;
}

Lines Curve(const json& forecast, size_t width, size_t height) {
  double x0 = std::numeric_limits<double>::infinity(), y0 = x0, x1 = 0, y1 = 0;
  const auto see = [&](double x, double y) {
    x0 = std::min(x0, x);
    x1 = std::max(x1, x);
    if (y <= 0) return;
    y0 = std::min(y0, y);
    y1 = std::max(y1, y);
  };
  for (const json& s : forecast.at("sizes"))
    see(s.at("ranks"), s.at("seconds"));
  for (const json& u : UnderWay(forecast)) {
    if (u.at("used")) see(u.at("ranks"), u.at("seconds"));
  }
  for (const json& p : forecast.at("points")) {
    if (p.at("refused")) continue;
    see(p.at("ranks"), p.at("seconds"));
    see(p.at("ranks"), p.at("high"));
    see(p.at("ranks"),
        std::max(p.at("low").get<double>(), p.at("seconds").get<double>() / 4));
  }
  if (y1 <= 0) return {};
  Field field(width - kLabel - 2, height, x0, x1, y0, y1);
  for (const json& p : forecast.at("points")) {
    if (p.at("refused")) continue;
    field.Bar(p.at("ranks"), std::max(p.at("low").get<double>(), y0),
              p.at("high"), ':');
  }
  for (const json& p : forecast.at("points")) {
    if (!p.at("refused")) field.Put(p.at("ranks"), p.at("seconds"), '*');
  }
  for (const json& s : forecast.at("sizes")) {
    if (s.at("seconds") > 0) field.Put(s.at("ranks"), s.at("seconds"), 'O');
  }
  for (const json& u : UnderWay(forecast)) {
    if (u.at("used")) field.Put(u.at("ranks"), u.at("seconds"), 'o');
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

Lines LinesOf(const MonitorData& data, size_t width, size_t height) {
  Lines below;
  if (!data.forecast.is_null()) {
    AddMeasured(data.forecast, &below);
    AddPoints(data.forecast, &below);
    AddRefusals(data.forecast, &below);
    AddBases(data.forecast, &below);
    AddDrift(data.forecast, &below);
    AddGrowing(data.forecast, &below);
    AddDominant(data.forecast, &below);
    if (!data.forecast.at("next_run").is_null()) {
      below.push_back("");
      below.push_back(fmt::format(
          "next run: {} ranks; {}",
          Whole(data.forecast.at("next_run").at("ranks")),
          data.forecast.at("next_run").at("reason").get<std::string>()));
    }
  }
  AddLive(data.state, data.forecast, &below);
  below.push_back("");
  below.push_back(Footing(data.state));
  Lines out = {Heading(data)};
  if (!data.forecast.is_null()) {
    out.push_back(data.forecast.at("verdict").at("text").get<std::string>());
    const size_t taken = below.size() + 5;
    const size_t left = height > taken ? height - taken : 0;
    const Lines curve =
        Curve(data.forecast, width, std::clamp(left, kLeastChart, kMostChart));
    out.insert(out.end(), curve.begin(), curve.end());
  }
  out.insert(out.end(), below.begin(), below.end());
  for (std::string& line : out) line = Fitted(std::move(line), width);
  return out;
}

}  // namespace

Result<Lines> MonitorLines(const MonitorData& data, size_t width,
                           size_t height) {
  try {
    return LinesOf(data, width, height);
  } catch (const json::exception&) {
    return NotUnderstood();
  }
}

Status NotUnderstood() {
  return Status::BadInput(
      "the side-car's answer is not understood: is it of another version?");
}

}  // namespace ranksight::cli
