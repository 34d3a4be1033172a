#include "cli/commands/map_hosts.h"

#include <optional>
#include <utility>
#include <vector>

#include "cli/base/files.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/look/host_report.h"

namespace ranksight::cli {
namespace {

using bgq_support::HostForm;
using bgq_support::HostTraffic;
using bgq_support::Mapping;
using bgq_support::PackageRule;
using reduction::Result;
using reduction::Status;

// A rankfile names the cores themselves, where it is known how many there are.
bool NamesCores(const MapHostsOptions& options) {
  return bgq_support::ParseHostForm(options.form) == HostForm::kRankFile &&
         !options.places.node.empty();
}

Status CheckCores(const RanksOnHosts& places, const Mapping& mapping) {
  const int64_t cores = places.rule.shape.cores();
  for (const bgq_support::Place& place : mapping.places()) {
    if (place.slot < cores) continue;
    return Status::Usage("--to rankfile: more ranks than the " +
                         std::to_string(cores) + " cores of host " +
                         places.list.names[static_cast<size_t>(place.node)]);
  }
  return Status::Ok();
}

// REQUIRES: as CheckCores wants it.
void PutOnCores(RanksOnHosts* places) {
  std::vector<bgq_support::Place> cores = places->mapping.places();
  for (bgq_support::Place& place : cores) {
    place.slot = places->rule.shape.CoreOf(place.slot, places->rule.cyclic);
  }
  places->mapping = Mapping(std::move(cores));
  places->rule.cyclic = false;
}

// On which packages ranks sit once the launcher has read a file of that form.
PackageRule RuleOf(HostForm form, const RanksOnHosts& places) {
  PackageRule rule = places.rule;
  rule.by_rank = form == HostForm::kList || form == HostForm::kHydra;
  // srun deals out what it is listed.
  if (form == HostForm::kList && places.by_srun) rule.cyclic = true;
  return rule;
}

class HostMapper {
 public:
  HostMapper(const MapHostsOptions& options, HostForm form,
             const reduction::Trace& trace, const RanksOnHosts& places,
             const TraceTraffic& traffic)
      : options_(options),
        places_(places),
        rule_(RuleOf(form, places)),
        traffic_(traffic),
        total_(Total(traffic)),
        names_(trace.sites, PlacesNear({&options.file, 1})),
        report_{trace, traffic, places, {}, &names_} {}

  Status Run() {
    Status status = Add("given", "", places_.mapping, places_.rule);
    if (status.ok() && !options_.map.empty()) {
      auto other = ReadOtherOrder(options_.map, places_);
      if (!other.ok()) return other.status();
      if (NamesCores(options_)) status = CheckCores(places_, *other);
      if (!status.ok()) return status;
      status = Add("other", options_.map, std::move(*other), rule_);
    }
    if (!status.ok()) return status;
    return WithProgress("looking for an order", [this](Progress* progress) {
      return AddBest(progress);
    });
  }

  std::string Text() const {
    return options_.json ? HostJson(report_) : HostText(report_);
  }
  const Mapping& best() const { return report_.placements.back().mapping; }

 private:
  Result<HostTraffic> TrafficOn(const Mapping& mapping, const PackageRule& rule,
                                const bgq_support::Traffic& traffic) {
    std::string reason;
    auto found =
        ComputeHostTraffic(places_.hosts(), mapping, rule, traffic, &reason);
    if (!found) return Status::BadInput(options_.file + ": " + reason);
    return std::move(*found);
  }

  // All calls together, and call site by call site.
  Status Add(const std::string& name, const std::string& how, Mapping mapping,
             const PackageRule& rule) {
    auto total = TrafficOn(mapping, rule, total_);
    if (!total.ok()) return total.status();
    PlacedTraffic placed{name, how, std::move(mapping), std::move(*total), {}};
    for (const SiteTraffic& site : traffic_.sites) {
      auto of_site = TrafficOn(placed.mapping, rule, site.traffic);
      if (!of_site.ok()) return of_site.status();
      placed.sites.push_back(std::move(*of_site));
    }
    report_.placements.push_back(std::move(placed));
    return Status::Ok();
  }

  Status AddBest(Progress* progress) {
    bgq_support::HostSearch search;
    search.seed = options_.seed;
    search.tell_share = TellTo(progress);
    search.message_budget *= options_.effort;
    if (!options_.map.empty()) {
      search.known = {{report_.placements.back().mapping, options_.map}};
    }
    std::string reason;
    auto best = PlaceBetter(places_.hosts(), places_.mapping, rule_, total_,
                            search, &reason);
    if (!best) return Status::BadInput(options_.file + ": " + reason);
    return Add("best", best->how, std::move(best->mapping), rule_);
  }

  const MapHostsOptions& options_;
  const RanksOnHosts& places_;
  const PackageRule rule_;  // of orders that a file says
  const TraceTraffic& traffic_;
  const bgq_support::Traffic total_;
  SiteNames names_;
  HostReport report_;
};

Status Run(const MapHostsOptions& options) {
  const auto form = bgq_support::ParseHostForm(options.form);
  if (!form) return Status::Usage("--to: '" + options.form + "' is no form");
  if (!options.output.empty()) {
    const Status writable = CheckWritable(options.output);
    if (!writable.ok()) return writable;
  }
  const auto trace = ReadExactTrace(options.file);
  if (!trace.ok()) return trace.status();
  auto places = PlaceRanks(options.places, trace->meta.ranks);
  if (!places.ok()) return places.status();
  if (NamesCores(options)) {
    if (Status s = CheckCores(*places, places->mapping); !s.ok()) return s;
    PutOnCores(&*places);
  }
  const auto traffic = TrafficOf(*trace);
  if (!traffic.ok()) {
    return Status::BadInput(options.file + ": " + traffic.status().message());
  }
  HostMapper mapper(options, *form, *trace, *places, *traffic);
  if (Status s = mapper.Run(); !s.ok()) return s;
  if (!options.output.empty()) {
    const Status written = WriteTextFile(
        WriteHosts(places->list, mapper.best(), *form), options.output);
    if (!written.ok()) return written;
  }
  Print(mapper.Text());
  return Status::Ok();
}

}  // namespace

int MapOnHosts(const MapHostsOptions& options) {
  const Status status = Run(options);
  return status.ok() ? 0 : Fail(status);
}

}  // namespace ranksight::cli
