#include "cli/base/time_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "cli/base/network_option.h"
#include "cli/base/progress.h"

namespace ranksight::cli {

using reduction::Result;
using reduction::Status;

void AddTimeOptions(CLI::App* app, TimeOptions* options) {
  AddLinkOptions(app, &options->places);
  app->add_option(
         "--messages", options->messages,
         "What messages of each length take on the machine of the runs\n"
         "(ranksight machine measure), for lengths that no run sends;\n"
         "needs the walk")
      ->type_name("FILE");
  AddNetworkOption(app,
                   "that runs are put on; their own messages count for\n"
                   "nothing then, as where ranks shared cores",
                   &options->network);
}

void OnNetwork::Put(reduction::Trace* run) {
  if (!network) return;
  took.Add(*run);
  const Status put = PutOnNetwork(*network, run);
  if (!put.ok()) unwalked = put;
}

void OnNetwork::Say(online_model::Forecast* forecast) const {
  if (!network) return;
  forecast->network = network->name;
  took.State(forecast);
  if (!unwalked.ok()) RefuseUnwalked(unwalked, forecast);
}

Status ChooseNetwork(const TimeOptions& options, bool shared_cores,
                     OnNetwork* on) {
  if (!shared_cores && options.network.empty()) return Status::Ok();
  if (options.places.given()) {
    return Status::Usage(
        "--torus, --topology and --tree need messages of runs whose ranks had "
        "a core each; of ranks that shared cores there are none");
  }
  auto network = online_model::FindNetwork(
      options.network.empty() ? options.messages : options.network);
  if (!network.ok()) return network.status();
  on->network = std::move(*network);
  return Status::Ok();
}

Result<online_model::WalkOptions> ReadWalkOptions(
    const TimeOptions& options, const std::vector<std::string>& plugins) {
  online_model::WalkOptions walk;
  if (!options.machine.empty()) {
    auto read = online_model::ReadRatios(options.machine);
    if (!read.ok()) return read.status();
    walk.machine = std::move(*read);
  }
  if (!options.messages.empty()) {
    auto read = online_model::ReadTimes(options.messages);
    if (!read.ok()) return read.status();
    walk.measured = std::move(*read);
  }
  const Status loaded = online_model::LoadOwnLaws(plugins, &walk.own_laws);
  if (!loaded.ok()) return loaded;
  return walk;
}

online_model::WalkOptions Telling(online_model::WalkOptions walk,
                                  Progress* progress) {
  walk.tell_share = TellTo(progress);
  return walk;
}

Status SetTimes(const TimeOptions& options,
                const std::vector<std::string>& plugins,
                std::vector<reduction::Trace> runs, reduction::Trace* made,
                std::shared_ptr<online_model::TwinMaker> twins,
                std::function<void(double share)> tell_share) {
  if (runs.size() == 1) return Status::Ok();
  OnNetwork on;
  const Status chosen =
      ChooseNetwork(options, online_model::AnySharedCores(runs), &on);
  if (!chosen.ok()) return chosen;
  online_model::Forecaster models;
  for (reduction::Trace& run : runs) {
    on.Put(&run);
    const Status added = models.AddRun(run);
    if (!added.ok()) return added;
  }
  auto walk = ReadWalkOptions(options, plugins);
  if (!walk.ok()) return walk.status();
  walk->network = on.network;
  walk->twins = std::move(twins);
  walk->tell_share = std::move(tell_share);
  auto links = MakeLinks(options.places, MostRanks({made->meta.ranks}, runs));
  if (!links.ok()) return links.status();
  walk->links = std::move(*links);
  SetForecastTimes(models, runs, *walk, made);
  if (!on.unwalked.ok() && made->meta.forecast) {
    made->meta.forecast->refused = on.unwalked.message();
  }
  return Status::Ok();
}

int64_t MostRanks(const std::vector<int64_t>& asked,
                  const std::vector<reduction::Trace>& traces) {
  std::vector<int64_t> measured;
  for (const auto& t : traces) measured.push_back(t.meta.ranks);
  std::ranges::sort(measured);
  int64_t most = measured.empty() ? 1 : measured.back();
  for (const int64_t ranks : asked) {
    if (!online_model::IsTooFar(ranks, measured)) most = std::max(most, ranks);
  }
  return most;
}

}  // namespace ranksight::cli
