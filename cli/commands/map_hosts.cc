#include "cli/commands/map_hosts.h"

#include <optional>
#include <utility>

#include "cli/base/files.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/look/host_report.h"

namespace ranksight::cli {
namespace {

using bgq_support::HostForm;
using bgq_support::HostTraffic;
using bgq_support::Mapping;
using reduction::Result;
using reduction::Status;

class HostMapper {
 public:
  HostMapper(const MapHostsOptions& options, const reduction::Trace& trace,
             const RanksOnHosts& places, const TraceTraffic& traffic)
      : options_(options),
        places_(places),
        traffic_(traffic),
        total_(Total(traffic)),
        names_(trace.sites, FoldersOf({&options.file, 1})),
        report_{trace, traffic, places, {}, &names_} {}

  Status Run() {
    Status status = Add("given", "", places_.mapping);
    if (status.ok() && !options_.map.empty()) {
      auto other =
          ReadOtherOrder(options_.map, places_.list, places_.mapping.ranks());
      if (!other.ok()) return other.status();
      status = Add("other", options_.map, std::move(*other));
    }
    if (!status.ok()) return status;
    return WithProgress("looking for an order", [this] { return AddBest(); });
  }

  std::string Text() const {
    return options_.json ? HostJson(report_) : HostText(report_);
  }
  const Mapping& best() const { return report_.placements.back().mapping; }

 private:
  Result<HostTraffic> TrafficOn(const Mapping& mapping,
                                const bgq_support::Traffic& traffic) {
    std::string reason;
    auto found = ComputeHostTraffic(places_.hosts(), mapping, places_.rule,
                                    traffic, &reason);
    if (!found) return Status::BadInput(options_.file + ": " + reason);
    return std::move(*found);
  }

  // All calls together, and call site by call site.
  Status Add(const std::string& name, const std::string& how, Mapping mapping) {
    auto total = TrafficOn(mapping, total_);
    if (!total.ok()) return total.status();
    PlacedTraffic placed{name, how, std::move(mapping), std::move(*total), {}};
    for (const SiteTraffic& site : traffic_.sites) {
      auto of_site = TrafficOn(placed.mapping, site.traffic);
      if (!of_site.ok()) return of_site.status();
      placed.sites.push_back(std::move(*of_site));
    }
    report_.placements.push_back(std::move(placed));
    return Status::Ok();
  }

  Status AddBest() {
    bgq_support::HostSearch search;
    search.seed = options_.seed;
    search.message_budget *= options_.effort;
    std::string reason;
    auto best = PlaceBetter(places_.hosts(), places_.mapping, places_.rule,
                            total_, search, &reason);
    if (!best) return Status::BadInput(options_.file + ": " + reason);
    return Add("best", best->how, std::move(best->mapping));
  }

  const MapHostsOptions& options_;
  const RanksOnHosts& places_;
  const TraceTraffic& traffic_;
  const bgq_support::Traffic total_;
  SiteNames names_;
  HostReport report_;
};

Status Run(const MapHostsOptions& options) {
  const auto form = bgq_support::ParseHostForm(options.form);
  if (!form) return Status::Usage("--to: '" + options.form + "' is no form");
  const auto trace = ReadExactTrace(options.file);
  if (!trace.ok()) return trace.status();
  auto places = PlaceRanks(options.places, trace->meta.ranks);
  if (!places.ok()) return places.status();
  // A rankfile names the core itself.
  if (*form == HostForm::kRankFile) places->rule.cyclic = false;
  const auto traffic = TrafficOf(*trace);
  if (!traffic.ok()) {
    return Status::BadInput(options.file + ": " + traffic.status().message());
  }
  HostMapper mapper(options, *trace, *places, *traffic);
  if (Status s = mapper.Run(); !s.ok()) return s;
  Print(mapper.Text());
  if (options.output.empty()) return Status::Ok();
  return WriteTextFile(WriteHosts(places->list, mapper.best(), *form),
                       options.output);
}

}  // namespace

int MapOnHosts(const MapHostsOptions& options) {
  const Status status = Run(options);
  return status.ok() ? 0 : Fail(status);
}

}  // namespace ranksight::cli
