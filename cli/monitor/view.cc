#include "cli/monitor/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/base/format.h"
#include "cli/base/lists.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

using nlohmann::json;
using reduction::Result;
using reduction::Status;
using Lines = std::vector<std::string>;

constexpr size_t kLeastChart = 8, kMostChart = 24;
constexpr size_t kMostNamed = 4, kMostSites = 5, kMostLive = 8;

// Conversions of fractions to whole numbers are not defined for all of them:
// throws, as all access to what is not there does here.
int64_t Whole(const json& number) {
  return number.get_ref<const json::number_integer_t&>();
}

std::string Seconds(double s) { return Duration(s * 1e9); }

bool IsWeak(const json& forecast) {
  return forecast.at("verdict").value("scaling", json()) == json("weak");
}

void AddRow(const std::string& kind, const json& ranks, double seconds,
            const std::string& calls, double efficiency,
            const std::string& rest, Lines* out) {
  out->push_back(fmt::format("{:<9}{:>9}  {:>9}  {:>7}  {:>17}  {}", kind,
                             Whole(ranks), Seconds(seconds), calls,
                             Percent(efficiency), rest));
}

// What was measured, and what is forecast at other sizes.
void AddTable(const json& forecast, Lines* out) {
  const bool is_weak = IsWeak(forecast);
  const json& sizes = forecast.at("sizes");
  out->push_back(fmt::format(
      "{:<9}{:>9}  {:>9}  {:>7}  {:>17}  {}", "", "ranks", "time", "calls",
      is_weak ? "weak efficiency" : "strong efficiency", "90 % interval"));
  std::set<int64_t> measured;
  for (const json& s : sizes) {
    const double first = sizes.at(0).at("seconds");
    const double seconds = s.at("seconds");
    const double more =
        double(Whole(s.at("ranks"))) / double(Whole(sizes.at(0).at("ranks")));
    AddRow("measured", s.at("ranks"), seconds, "",
           first / seconds / (is_weak ? 1 : more),
           Counted(Whole(s.at("runs")), "run"), out);
    measured.insert(Whole(s.at("ranks")));
  }
  for (const json& p : forecast.at("points")) {
    if (p.at("refused") || measured.contains(Whole(p.at("ranks")))) continue;
    AddRow("forecast", p.at("ranks"), p.at("seconds"),
           Percent(p.at("call_share")),
           p.at(is_weak ? "weak_efficiency" : "strong_efficiency"),
           fmt::format("{} to {}", Seconds(p.at("low")), Seconds(p.at("high"))),
           out);
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
  const auto spread = forecast.value("spread", std::string());
  if (!spread.empty()) out->push_back(spread);
  const json network = forecast.value("network", json());
  const json links = forecast.value("links", json());
  // Without a network by its name that of the links is told.
  if (network.is_string() && network != links) {
    out->push_back(
        "times on a machine with a core for each rank and the network " +
        network.get<std::string>());
  }
  if (links.is_string()) {
    out->push_back("messages walked over the links of " +
                   links.get<std::string>());
  }
  std::map<std::string, std::vector<int64_t>> ranks;  // by basis
  for (const json& p : forecast.at("points")) {
    if (p.contains("basis"))
      ranks[p.at("basis")].push_back(Whole(p.at("ranks")));
  }
  for (const auto& [basis, all] : ranks) {
    out->push_back(
        all.size() > kMostNamed
            ? fmt::format("at {} sizes from {} to {} ranks: {}", all.size(),
                          all.front(), all.back(), basis)
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
  return fmt::format("since the start {} stored, {}, {} refused; at {}",
                     Counted(Whole(c.at("runs_stored")), "run"),
                     Counted(Whole(c.at("segments")), "segment"),
                     Counted(Whole(c.at("frames_refused")), "frame"),
                     state.at("endpoint").get<std::string>());
}

// Names come from programs: nothing of theirs may break a line. Cuts at
// `width` characters.
std::string Fitted(std::string line, size_t width) {
  line = reduction::ShownName(line);
  size_t at = 0;
  for (size_t characters = 0; at < line.size(); ++at) {
    const bool begins = (line[at] & 0xC0) != 0x80;
    if (begins && characters++ == width) break;
  }
  line.resize(at);
  return line;
}

// Sentences are read to their end: they go on in the next line, at a blank.
void AddSentence(std::string text, size_t width, Lines* out) {
  text = reduction::ShownName(text);
  for (std::string indent; !text.empty(); indent = "  ") {
    std::string line = Fitted(indent + text, width);
    if (line.size() < indent.size() + text.size()) {
      const size_t blank = line.rfind(' ');
      if (blank != line.npos && blank > indent.size()) line.resize(blank);
    }
    text.erase(0, line.size() - indent.size());
    text.erase(0, text.find_first_not_of(' '));
    out->push_back(std::move(line));
  }
}

// The run that was stored or refused last. Side-cars of before tell of none.
void AddNewest(const json& state, size_t width, Lines* out) {
  const json notices = state.value("notices", json::array());
  if (notices.empty()) return;
  AddSentence("last: " + notices[0].at("text").get<std::string>(), width, out);
}

// While traces are walked. Side-cars of before do not say how far they are.
void AddWalks(const json& forecast, Lines* out) {
  if (forecast.value("walking", false) == false || !forecast.contains("walks"))
    return;
  const json& walks = forecast.at("walks");
  const double walked = walks.at("walked"), all = walks.at("all");
  const double left = walks.at("left_seconds");
  out->push_back(fmt::format(
      "walking the traces: {:.0f} of {}, {:.0f} %{}{}", walked,
      Counted(Whole(walks.at("all")), "size"), 100 * walked / all,
      left > 0 ? fmt::format(", about {} left", Duration(1e9 * left)) : "",
      walks.value("waits_for_core", false) ? ", waiting for a free core" : ""));
}

Lines Curve(const json& forecast, size_t width, size_t height, PlotForm form) {
  ScalingPlot plot;
  plot.is_weak = IsWeak(forecast);
  const auto point_of = [](const json& from) {
    PlotPoint p;
    p.ranks = from.at("ranks");
    p.seconds = from.at("seconds");
    return p;
  };
  for (const json& s : forecast.at("sizes")) {
    plot.measured.push_back(point_of(s));
  }
  for (const json& p : forecast.at("points")) {
    if (p.at("refused")) continue;
    plot.forecast.push_back(point_of(p));
    plot.forecast.back().low = p.at("low");
    plot.forecast.back().high = p.at("high");
  }
  for (const json& u : UnderWay(forecast)) {
    if (u.at("used")) plot.under_way.push_back(point_of(u));
  }
  return PlotLines(plot, width, height, form);
}

Lines LinesOf(const MonitorData& data, size_t width, size_t height,
              PlotForm form) {
  Lines below;
  if (!data.forecast.is_null()) {
    AddTable(data.forecast, &below);
    AddWalks(data.forecast, &below);
    AddRefusals(data.forecast, &below);
    const auto add_sentences = [&](auto add) {
      Lines sentences;
      add(data.forecast, &sentences);
      for (const std::string& s : sentences) AddSentence(s, width, &below);
    };
    add_sentences(AddBases);
    add_sentences(AddDrift);
    AddGrowing(data.forecast, &below);
    add_sentences(AddDominant);
    if (!data.forecast.at("next_run").is_null()) {
      below.push_back("");
      const std::string next = fmt::format(
          "next run: {} ranks; {}",
          Whole(data.forecast.at("next_run").at("ranks")),
          data.forecast.at("next_run").at("reason").get<std::string>());
      AddSentence(next, width, &below);
    }
  }
  AddLive(data.state, data.forecast, &below);
  below.push_back("");
  AddNewest(data.state, width, &below);
  below.push_back(Footing(data.state));
  Lines out = {Heading(data)};
  if (!data.forecast.is_null()) {
    AddSentence(data.forecast.at("verdict").at("text").get<std::string>(),
                width, &out);
    // The curve takes the height that all other lines leave.
    const size_t taken = below.size() + out.size() + kPlotFrame;
    const size_t left = height > taken ? height - taken : 0;
    const Lines curve = Curve(data.forecast, width,
                              std::clamp(left, kLeastChart, kMostChart), form);
    out.insert(out.end(), curve.begin(), curve.end());
  }
  out.insert(out.end(), below.begin(), below.end());
  for (std::string& line : out) line = Fitted(std::move(line), width);
  return out;
}

}  // namespace

Result<Lines> MonitorLines(const MonitorData& data, size_t width, size_t height,
                           PlotForm form) {
  try {
    return LinesOf(data, width, height, form);
  } catch (const json::exception&) {
    return NotUnderstood();
  }
}

Status NotUnderstood() {
  return Status::BadInput(
      "the side-car's answer is not understood: is it of another version?");
}

}  // namespace ranksight::cli
