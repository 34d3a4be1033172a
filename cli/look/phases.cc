#include "cli/look/phases.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "cli/base/format.h"
#include "online_model/api/extrapolate.h"
#include "reduction/api/shown_text.h"
#include "reduction/api/total.h"

namespace ranksight::cli {
namespace {

using reduction::Node;
using reduction::Trace;

constexpr double kRelevantShare = 0.95;

// What the laws that a trace carries say of the trips of its nodes, in the
// order of the tree; empty when it carries none.
std::vector<std::string> TripLaws(const Trace& trace) {
  std::vector<std::string> laws;
  if (!online_model::IsSymbolic(trace)) return laws;
  constexpr std::string_view kTrips = ": trips = ";
  for (const std::string& line : online_model::ReadableLaws(trace)) {
    const size_t at = line.find(kTrips);
    if (at == line.npos) continue;
    const size_t begin = at + kTrips.size();
    // Behind the law stands what supports it.
    laws.push_back(
        reduction::ShownName(line.substr(begin, line.rfind("  [") - begin)));
  }
  return laws;
}

class Finder {
 public:
  explicit Finder(const Trace& trace) : trace_(trace), laws_(TripLaws(trace)) {}

  std::vector<Phase> Find() {
    Visit(trace_.root, double(trace_.meta.ranks), "");
    double all = 0;
    for (const Phase& p : phases_) all += p.seconds;
    std::stable_sort(
        phases_.begin(), phases_.end(),
        [](const Phase& a, const Phase& b) { return a.seconds > b.seconds; });
    double before = 0;
    for (Phase& p : phases_) {
      p.share = all > 0 ? p.seconds / all : 0;
      p.relevant = before < kRelevantShare;
      before += p.share;
    }
    return std::move(phases_);
  }

 private:
  // runs: of the loop's body, over all ranks.
  void Visit(const Node& loop, double runs, const std::string& equation) {
    Phase phase;
    double nanoseconds = 0, calls = 0;
    const double ranks = double(trace_.meta.ranks);
    for (const Node& child : loop.children) {
      const std::string law = next_ < laws_.size() ? laws_[next_] : "";
      ++next_;
      if (!child.is_event()) {
        const bool once = equation.empty() || equation == "1";
        Visit(child, double(TotalOf(child.trips)),
              law.empty() || once ? law : equation + " * (" + law + ")");
        continue;
      }
      if (phase.events++ == 0) {
        phase.first = fmt::format("{} at {}", Info(child.call).name,
                                  ToString(trace_.sites, child.site, 1));
      }
      calls += double(TotalOf(child.trips));
      if (reduction::BeginsRun(child.call)) continue;
      nanoseconds += child.times.TotalCompute() + child.times.TotalCall();
    }
    if (phase.events == 0 || runs == 0) return;
    phase.weight = runs / ranks;
    phase.calls = calls / runs;
    phase.seconds = nanoseconds * 1e-9 / ranks;
    phase.equation = equation.empty() && !laws_.empty() ? "1" : equation;
    phases_.push_back(std::move(phase));
  }

  const Trace& trace_;
  std::vector<std::string> laws_;
  size_t next_ = 0;
  std::vector<Phase> phases_;
};

}  // namespace

std::vector<Phase> PhasesOf(const Trace& trace) { return Finder(trace).Find(); }

std::string PhasesText(const std::vector<Phase>& phases) {
  Table table({"share", "weight", "one run", "calls", "<phase"});
  double covered = 0;
  size_t left = 0;
  std::string equations;
  for (const Phase& p : phases) {
    if (!p.relevant) {
      ++left;
      continue;
    }
    covered += p.share;
    table.Add({Percent(p.share), fmt::format("{:.6g}", p.weight),
               Duration(p.weight > 0 ? p.seconds * 1e9 / p.weight : 0),
               fmt::format("{:.4g}", p.calls), p.first});
    if (p.equation.empty()) continue;
    equations += fmt::format("weight of {}: {}\n", p.first, p.equation);
  }
  const size_t relevant = phases.size() - left;
  return table.ToText() + equations +
         fmt::format("{} relevant {} {} of the time, {} {}\n", relevant,
                     relevant == 1 ? "phase covers" : "phases cover",
                     Percent(covered), left, left == 1 ? "other" : "others");
}

void WritePhases(const std::vector<Phase>& phases, JsonWriter* json) {
  json->BeginArray();
  for (const Phase& p : phases) {
    json->BeginObject()
        .Member("first", p.first)
        .Member("relevant", p.relevant)
        .Member("share", p.share)
        .Member("weight", p.weight)
        .Member("seconds", p.seconds)
        .Member("calls_per_run", p.calls)
        .Member("call_sites", p.events);
    if (!p.equation.empty()) json->Member("equation", p.equation);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace ranksight::cli
