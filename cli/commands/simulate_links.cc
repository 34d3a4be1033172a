#include "cli/commands/simulate_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/base/format.h"
#include "cli/base/json.h"
#include "cli/base/link_options.h"
#include "cli/base/print.h"
#include "cli/base/processor_time.h"
#include "cli/look/flows.h"
#include "cli/look/left_out.h"
#include "cli/look/legend.h"
#include "online_model/api/simulate.h"

namespace ranksight::cli {
namespace {

using bgq_support::LinkLoads;
using bgq_support::Network;
using online_model::SimulatedRun;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

constexpr double kNsPerSecond = 1e9;

std::string Time(double seconds) { return Duration(seconds * kNsPerSecond); }

// A network with the ranks on it, and what its links carry.
struct LoadedNetwork {
  std::string name;
  online_model::LinkNetwork walked;
  TraceTraffic traffic;
  LinkLoads loads;
  double bytes_scale = 1;
  double busiest_seconds = 0;  // of the link that takes longest for its bytes

  double BusiestBytes() const { return bytes_scale * loads.MaxBytes(); }
  double MeanHops() const {
    return loads.sent_bytes == 0
               ? 0
               : loads.HopBytes() / static_cast<double>(loads.sent_bytes);
  }
};

Result<LoadedNetwork> LoadNetwork(const SimulateOptions& options,
                                  const Trace& trace) {
  const auto placed = PlaceRanks(options.places, trace.meta.ranks);
  if (!placed.ok()) return placed.status();
  const auto& [network, mapping] = *placed;
  auto traffic = TrafficOf(trace);
  if (!traffic.ok()) return traffic.status();
  std::string reason;
  auto loads = ComputeLoads(network, mapping, Total(*traffic), &reason);
  if (!loads) return Status::BadInput(options.file + ": " + reason);
  LoadedNetwork loaded;
  loaded.name = network.ToString();
  loaded.traffic = std::move(*traffic);
  loaded.loads = std::move(*loads);
  loaded.bytes_scale = options.work.what_if.bytes_scale;
  loaded.busiest_seconds =
      loaded.bytes_scale * loaded.loads.MaxSeconds(network);
  const bgq_support::LinkClass& first = network.classes().front();
  loaded.walked = {
      online_model::NetworkLinks(network, mapping),
      online_model::SmpiMessages(first.latency, 1 / first.bandwidth),
      loaded.MeanHops()};
  return loaded;
}

Result<online_model::WhatIf> WhatIfOf(const WhatIfOptions& options) {
  online_model::WhatIf what_if;
  what_if.compute_scale = options.ComputeScale();
  what_if.bytes_scale = options.bytes_scale;
  auto scales = reduction::ReadSiteScales(options.site_scales);
  if (!scales.ok()) return scales.status();
  what_if.site_scales = std::move(*scales);
  return what_if;
}

online_model::Stop StopAtLimit(double limit_seconds) {
  return StopWhenTaken(
      limit_seconds,
      fmt::format("the simulation ended after {} of processor time (--limit "
                  "{:g})",
                  Time(limit_seconds), limit_seconds));
}

// The answer, whether the ranks could be walked or not.
class LinkAnswer {
 public:
  LinkAnswer(const Trace& trace, const LoadedNetwork& network,
             const Result<SimulatedRun>& run, const std::string& why)
      : trace_(trace), network_(network), run_(run), why_(why) {}

  std::string ToText() const {
    std::string text;
    if (run_.ok()) {
      text = fmt::format("simulated {} events on {} in {:.6f} s{}: {}\n",
                         reduction::CountEvents(trace_),
                         Counted(trace_.meta.ranks, "rank"), Seconds(),
                         Recorded(), HowWalked());
    } else {
      text = fmt::format("no time for {}: {}\n",
                         Counted(trace_.meta.ranks, "rank"),
                         run_.status().message());
    }
    text +=
        fmt::format("busiest link of {}: {:.0f} B, {}; {:.3f} hops a byte\n",
                    network_.name, network_.BusiestBytes(),
                    Time(network_.busiest_seconds), network_.MeanHops());
    return text + LeftOutText(network_.traffic);
  }

  std::string ToJson() const {
    JsonWriter json;
    json.BeginObject()
        .Member("ranks", trace_.meta.ranks)
        .Member("events", reduction::CountEvents(trace_))
        .Member("engine", "links");
    if (!why_.empty()) json.Member("not_simgrid", why_);
    if (run_.ok()) {
      json.Member("replayed_seconds", Seconds())
          .Member("trace_seconds", TraceSeconds())
          .Member("compute_seconds", run_->computed)
          .Member("actors", run_->actors)
          .Member("on_links", run_->on_links);
    } else {
      json.Member("not_walked", run_.status().message());
    }
    json.Key("links")
        .BeginObject()
        .Member("network", network_.name)
        .Member("max_link_bytes", network_.BusiestBytes())
        .Member("max_link_seconds", network_.busiest_seconds)
        .Member("hops_per_byte", network_.MeanHops())
        .EndObject();
    return json.EndObject().text();
  }

 private:
  double TraceSeconds() const {
    return trace_.meta.elapsed.Mean() / kNsPerSecond;
  }
  // No link carries its bytes in less, which walks by classes do not see.
  double Seconds() const {
    return run_->on_links ? run_->seconds
                          : std::max(run_->seconds, network_.busiest_seconds);
  }
  std::string Recorded() const {
    if (!(TraceSeconds() > 0)) return "";
    const bool forecast =
        trace_.meta.origin == reduction::Origin::kExtrapolated;
    return fmt::format(" ({}: {:.6f} s, ratio {:.3f})",
                       forecast ? "forecast" : "recorded", TraceSeconds(),
                       Seconds() / TraceSeconds());
  }
  std::string HowWalked() const {
    if (run_->on_links) return "every rank walked, messages meet on links";
    return fmt::format(
        "walked as {} alike; messages meet on no link, but none is through "
        "sooner than the busiest link",
        Counted(run_->actors, "actor"));
  }

  const Trace& trace_;
  const LoadedNetwork& network_;
  const Result<SimulatedRun>& run_;
  const std::string& why_;
};

}  // namespace

Status CheckOwnWalk(const SimulateOptions& options) {
  const WorkOptions& work = options.work;
  const std::pair<bool, const char*> only_simgrid[] = {
      {!options.platform.empty(), "--platform"},
      {!options.record.empty(), "--record"},
      {!options.config.empty(), "--cfg"},
      {options.estimate, "--estimate"},
      {options.partial, "--partial"},
      {!work.what_if.exchanges.empty(), "--exchange"},
      {!work.tune.empty(), "--tune"},
      {work.wildcards, "--wildcards"},
      {work.align, "--align"},
      {work.mean_compute, "--mean-compute"}};
  for (const auto& [given, name] : only_simgrid) {
    if (given) return Status::Usage(std::string(name) + " needs SimGrid");
  }
  return Status::Ok();
}

Result<Ended> SimulateOnOwnLinks(const SimulateOptions& options,
                                 const Trace& trace, const std::string& why) {
  const auto what_if = WhatIfOf(options.work.what_if);
  if (!what_if.ok()) return what_if.status();
  auto network = LoadNetwork(options, trace);
  if (!network.ok()) return network.status();
  if (!why.empty()) Note(why + "; walking the ranks over the links instead");
  const auto run = SimulateOnLinks(trace, network->walked, *what_if,
                                   StopAtLimit(options.limit_seconds));
  if (!run.ok() && run.status().code() != reduction::StatusCode::kNo) {
    return run.status();
  }
  const LinkAnswer answer(trace, *network, run, why);
  return Ended{run.ok() ? 0 : 1,
               options.json ? answer.ToJson() : answer.ToText(), ""};
}

}  // namespace ranksight::cli
