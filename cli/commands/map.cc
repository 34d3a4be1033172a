// ranksight map: link loads of the default and of the best mapping found.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "bgq_support/api/hosts.h"
#include "bgq_support/api/network.h"
#include "cli/base/files.h"
#include "cli/base/machine_options.h"
#include "cli/base/number_checks.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/base/topology_options.h"
#include "cli/commands/map_hosts.h"
#include "cli/commands/register.h"
#include "cli/look/flows.h"
#include "cli/look/load_picture.h"
#include "cli/look/map_report.h"

namespace ranksight::cli {
namespace {

using bgq_support::LinkLoads;
using bgq_support::Mapping;
using bgq_support::Network;
using reduction::Result;
using reduction::Status;

struct MapOptions {
  std::string file, output, png;
  std::string to;
  PlaceOptions places;
  HostOptions hosts;
  uint64_t seed = 1;
  int effort = 1;
  bool json = false;
};

// The file of a mapping: for launchers where a form is given and nodes have
// names.
std::string FileOf(const MapOptions& options, const Network& network,
                   const Mapping& mapping) {
  const auto form = bgq_support::ParseHostForm(options.to);
  if (!form) return WritePlaces(network, mapping);
  const auto names = network.node_names();
  return WriteHosts({{names.begin(), names.end()}, {}}, mapping, *form);
}

// One command's work: everything about one trace on one machine.
class Mapper {
 public:
  Mapper(const MapOptions& options, const reduction::Trace& trace,
         const Network& network, TraceTraffic traffic)
      : options_(options),
        trace_(trace),
        network_(network),
        traffic_(std::move(traffic)),
        total_(Total(traffic_)),
        names_(trace.sites, PlacesNear({&options.file, 1})),
        report_{trace_, traffic_, network, 1, RoutingName(), {}, &names_} {
    report_.ranks_per_node =
        RanksPerNode(network, trace.meta.ranks, options.places.ranks_per_node);
  }

  Status Run() {
    for (const std::string* file : {&options_.output, &options_.png}) {
      if (file->empty()) continue;
      if (const Status s = CheckWritable(*file); !s.ok()) return s;
    }
    std::string reason;
    auto standard =
        PlaceInOrder(network_, trace_.meta.ranks, report_.ranks_per_node,
                     &reason, options_.places.order);
    if (!standard) return Status::Usage(reason);
    Status status =
        Add(options_.places.order.empty() ? "default" : options_.places.order,
            "", std::move(*standard));
    if (!status.ok()) return status;
    if (!options_.places.map.empty()) {
      auto given =
          ReadMapFile(options_.places.map, network_, trace_.meta.ranks);
      if (!given.ok()) return given.status();
      const std::string how = options_.places.map + Elsewhere(*given);
      status = Add("given", how, std::move(*given));
      if (!status.ok()) return status;
    }
    status = WithProgress("looking for a mapping", [this](Progress* progress) {
      return AddBest(progress);
    });
    return status.ok() ? Write() : status;
  }

 private:
  std::string RoutingName() const {
    if (!options_.places.routing.empty()) return options_.places.routing;
    return network_.torus() != nullptr ? "2" : "minimal";
  }
  // The ranks on the fullest node of a map file, where the header has another
  // number.
  std::string Elsewhere(const Mapping& given) const {
    std::map<int32_t, int> on_node;
    int most = 0;
    for (const bgq_support::Place& place : given.places()) {
      most = std::max(most, ++on_node[place.node]);
    }
    return most == report_.ranks_per_node
               ? ""
               : fmt::format(", up to {} a node", most);
  }

  Result<LinkLoads> LoadsOf(const Mapping& mapping,
                            const bgq_support::Traffic& traffic) {
    std::string reason;
    auto loads = ComputeLoads(network_, mapping, traffic, &reason);
    if (!loads) return Status::BadInput(options_.file + ": " + reason);
    return std::move(*loads);
  }

  // Loads of the whole, of each phase and of each call site.
  Status Add(const std::string& name, const std::string& how, Mapping mapping) {
    mappings_.push_back(std::make_unique<Mapping>(std::move(mapping)));
    MappedLoads loads{name, how, mappings_.back().get(), {}, {}, {}};
    auto total = LoadsOf(*loads.mapping, total_);
    if (!total.ok()) return total.status();
    loads.total = std::move(*total);
    for (const size_t phase : PhasesOf(traffic_)) {
      TraceTraffic part;
      for (const SiteTraffic& site : traffic_.sites) {
        if (site.phase == phase) part.sites.push_back(site);
      }
      auto of_phase = LoadsOf(*loads.mapping, Total(part));
      if (!of_phase.ok()) return of_phase.status();
      loads.phases.emplace_back(*of_phase, network_);
    }
    for (const SiteTraffic& site : traffic_.sites) {
      auto of_site = LoadsOf(*loads.mapping, site.traffic);
      if (!of_site.ok()) return of_site.status();
      loads.sites.emplace_back(*of_site, network_);
    }
    report_.mappings.push_back(std::move(loads));
    return Status::Ok();
  }

  Status AddBest(Progress* progress) {
    bgq_support::OptimiseOptions options;
    options.ranks_per_node = report_.ranks_per_node;
    options.seed = options_.seed;
    options.tell_share = TellTo(progress);
    options.message_budget *= options_.effort;
    for (size_t i = options_.places.order.empty() ? 1 : 0; i < mappings_.size();
         ++i) {
      options.known.push_back(
          {*mappings_[i],
           i == 0 ? "order " + options_.places.order : options_.places.map});
    }
    std::string reason;
    auto best = Optimise(network_, trace_.meta.ranks, total_, options, &reason);
    if (!best) return Status::Usage(reason);
    return Add("best", best->how, std::move(best->mapping));
  }

  // Prints last: output that is there says that the files are.
  Status Write() {
    if (const Status s = WriteFiles(); !s.ok()) return s;
    Print(options_.json ? MapJson(report_) : MapText(report_));
    return Status::Ok();
  }

  // The map file last: drawing may fail.
  Status WriteFiles() {
    if (!options_.png.empty()) {
      if (const Status s = WritePicture(); !s.ok()) return s;
    }
    if (options_.output.empty()) return Status::Ok();
    return WriteTextFile(
        FileOf(options_, network_, *report_.mappings.back().mapping),
        options_.output);
  }

  Status WritePicture() {
    std::vector<std::pair<std::string, const LinkLoads*>> shown;
    for (const MappedLoads& m : report_.mappings) {
      shown.emplace_back(m.name, &m.total);
    }
    const bgq_support::Machine& machine = network_.torus()->machine;
    const std::string of = fmt::format("{}, {} ranks, bytes on the links of {}",
                                       trace_.meta.program, trace_.meta.ranks,
                                       machine.torus.ToString());
    const auto picture = PictureOf(machine, shown, of);
    return picture.ok() ? picture->Write(options_.png) : picture.status();
  }

  const MapOptions& options_;
  const reduction::Trace& trace_;
  const Network& network_;
  const TraceTraffic traffic_;
  const bgq_support::Traffic total_;
  std::vector<std::unique_ptr<Mapping>> mappings_;
  SiteNames names_;
  MapReport report_;
};

Result<Network> NetworkOf(const MapOptions& options, int64_t ranks) {
  auto network = ReadNetwork(options.places, ranks);
  if (!network.ok()) return network;
  if (!options.to.empty() && network->node_names().empty()) {
    return Status::Usage("--to: the nodes of " + network->ToString() +
                         " have no names");
  }
  if (!options.png.empty() && network->torus() == nullptr) {
    return Status::Usage("--png: " + network->ToString() + " is no torus");
  }
  return network;
}

int MapOnLinks(const MapOptions& options) {
  const auto trace = ReadExactTrace(options.file);
  if (!trace.ok()) return Fail(trace.status());
  const auto network = NetworkOf(options, trace->meta.ranks);
  if (!network.ok()) return Fail(network.status());
  auto traffic = TrafficOf(*trace);
  if (!traffic.ok()) {
    return Fail(
        Status::BadInput(options.file + ": " + traffic.status().message()));
  }
  Mapper mapper(options, *trace, *network, std::move(*traffic));
  const Status status = mapper.Run();
  return status.ok() ? 0 : Fail(status);
}

int Map(const MapOptions& options) {
  if (options.places.given() == !options.hosts.hosts.empty()) {
    return Fail(
        Status::Usage("one of --torus, --topology and --hosts is needed"));
  }
  if (!options.hosts.hosts.empty() && !options.places.link_speeds.empty()) {
    return Fail(Status::Usage("--link-speed: not with --hosts"));
  }
  if (options.hosts.hosts.empty()) return MapOnLinks(options);
  for (const auto& [name, value] :
       {std::pair{"--routing", &options.places.routing},
        {"--network", &options.places.network},
        {"--order", &options.places.order},
        {"--png", &options.png}}) {
    if (value->empty()) continue;
    return Fail(Status::Usage(fmt::format("{}: not with --hosts", name)));
  }
  HostOptions places = options.hosts;
  places.ranks_per_node = options.places.ranks_per_node;
  return MapOnHosts({options.file, places, options.places.map, options.output,
                     options.to.empty() ? "list" : options.to, options.seed,
                     options.effort, options.json});
}

void AddHosts(CLI::App* app, MapOptions* options) {
  CLI::Option* hosts =
      app->add_option(
             "--hosts", options->hosts.hosts,
             "A cluster in place of a torus: a hostfile (MPICH, Open MPI,\n"
             "a name for each rank), or slurm: as SLURM_HOSTFILE says, or\n"
             "SLURM_JOB_NODELIST, SLURM_TASKS_PER_NODE, SLURM_DISTRIBUTION")
          ->type_name("HOSTFILE|slurm");
  app->add_option("--distribution", options->hosts.distribution,
                  "With --hosts: which host ranks go to, block, cyclic or\n"
                  "plane=N, as srun has it (default: Slurm's, or as listed)")
      ->type_name("HOW")
      ->needs(hosts);
  app->add_option(
         "--node", options->hosts.node,
         "With --hosts: packages (sockets) of a host and the cores of\n"
         "each, 2x16; an XML file of lstopo; here: as on this host")
      ->type_name("SHAPE|FILE.xml")
      ->needs(hosts);
  app->add_option(
         "--to", options->to,
         "Form of the file that -o writes, with --hosts or a network\n"
         "from a file, whose nodes have names: list, a name for each\n"
         "rank (SLURM_HOSTFILE; default with --hosts); hydra, rankfile\n"
         "(Open MPI), order (Cray MPICH)")
      ->type_name("FORM")
      ->check(CLI::IsMember({"list", "hydra", "rankfile", "order"}));
}

}  // namespace

void RegisterMap(Commands& commands) {
  auto options = std::make_shared<MapOptions>();
  CLI::App* app = commands.Add(
      "map", "Traffic over a network or between hosts, and a better mapping",
      [options] { return Map(*options); });
  app->add_option("FILE", options->file, "The trace, recorded or extrapolated")
      ->required();
  AddPlaceOptions(app,
                  {"The network", "Look at this map file, or hostfile, too",
                   "as few as will do, or as --hosts says"},
                  &options->places);
  AddLinksAsNamed(app, &options->places);
  AddHosts(app, options.get());
  app->add_option("-o,--output", options->output,
                  "Write the best mapping as a map file, or as --to says")
      ->type_name("MAPFILE");
  app->add_option("--png", options->png,
                  "Draw the loads by dimension and direction; a name that\n"
                  "ends in .svg makes an SVG")
      ->type_name("FILE.png|.svg");
  app->add_option("--effort", options->effort,
                  "Look so many times as long for a better mapping")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app->add_option("--seed", options->seed, "Seed of the search")
      ->type_name("NUMBER")
      ->capture_default_str();
  app->add_flag("--json", options->json, "One JSON document on stdout");
  app->footer(
      "Counts point-to-point messages, persistent ones at each start, and\n"
      "collectives by their usual algorithms (trees, recursive doubling, "
      "rings,\n"
      "pairs); what cannot be known is named and left out. The best mapping "
      "has\n"
      "the lowest load on its most loaded link, then the fewest bytes x hops;\n"
      "it is never worse than the default and what was given. With --hosts "
      "the\n"
      "best order is that in which the busiest host sends and receives least;\n"
      "of such, that with the fewest bytes between hosts.\n\n"
      "Example: ranksight map stencil.512.trace --torus bgq:512 -o best.map\n"
      "         ranksight map stencil.512.trace --hosts slurm -o order.txt");
}

}  // namespace ranksight::cli
