#include "cli/base/what_if_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <set>

#include "cli/base/number_checks.h"
#include "reduction/api/exchanges.h"

namespace ranksight::cli {
namespace {

using reduction::Result;
using reduction::Status;

// What a command cannot do that others can, and why.
struct CannotDo {
  WhatIfUser user;
  const char* option;
  const char* why;
};
constexpr char kOwnNetwork[] =
    "messages go over the network that it runs on; forecast and simulate know "
    "others";
constexpr char kRunsOnce[] = "forecast and simulate compare cases";
constexpr CannotDo kRefusals[] = {
    {WhatIfUser::kForecast, "--exchange",
     "it knows collectives as the runs made them; simulate, replay and "
     "generate "
     "make messages of them"},
    {WhatIfUser::kReplay, "--topology", kOwnNetwork},
    {WhatIfUser::kReplay, "--vary", kRunsOnce},
    {WhatIfUser::kGenerate, "--topology", kOwnNetwork},
    {WhatIfUser::kGenerate, "--torus", kOwnNetwork},
    {WhatIfUser::kGenerate, "--map",
     "the launcher places the ranks of the program; replay hands it a map"},
    {WhatIfUser::kGenerate, "--vary", kRunsOnce},
};

// Known, so that it can be refused by name, but not shown.
void AddRefused(CLI::App* app, const CannotDo& refusal) {
  app->add_option_function<std::vector<std::string>>(
         refusal.option,
         [app, refusal](const std::vector<std::string>&) {
           throw CLI::ValidationError(
               refusal.option,
               fmt::format("{} cannot: {}", app->get_name(), refusal.why));
         })
      ->group("");
}

}  // namespace

void AddWhatIfOptions(CLI::App* app, WhatIfUser user, WhatIfOptions* options) {
  app->add_option("--compute-scale", options->compute_scale,
                  "Multiply computation times by this factor")
      ->type_name("FACTOR")
      ->check(NotNegative())
      ->capture_default_str();
  app->add_option(
         "--site-scale", options->site_scales,
         "Multiply computation before the calls of sites whose call\n"
         "path holds TEXT: the name of a region, or module and offset\n"
         "(app+0x12), not function and line; may be given more than once")
      ->type_name("TEXT=FACTOR")
      ->allow_extra_args(false);
  app->add_flag("--no-compute", options->no_compute,
                "Leave computation out: communication alone");
  app->add_option("--bytes-scale", options->bytes_scale,
                  "Multiply element counts of messages by this factor")
      ->type_name("FACTOR")
      ->check(NotNegative())
      ->capture_default_str();
  if (user != WhatIfUser::kForecast) {
    app->add_option("--exchange", options->exchanges,
                    "CALL=p2p: messages in place of a collective; alltoall,\n"
                    "bcast, allreduce, ... or all")
        ->type_name("CALL=HOW")
        ->allow_extra_args(false);
  }
  for (const CannotDo& refusal : kRefusals) {
    if (refusal.user == user) AddRefused(app, refusal);
  }
}

Status CheckWhatIf(const WhatIfOptions& options) {
  std::set<reduction::Call> exchanges;
  for (const std::string& word : options.exchanges) {
    const Status s = reduction::ReadExchanges(word, &exchanges);
    if (!s.ok()) return s;
  }
  return reduction::ReadSiteScales(options.site_scales).status();
}

Result<std::vector<double>> SiteFactors(const WhatIfOptions& options,
                                        const reduction::Sites& sites) {
  const auto scales = reduction::ReadSiteScales(options.site_scales);
  if (!scales.ok()) return scales.status();
  return reduction::FactorsOf(*scales, sites);
}

void AppendWhatIfWords(const WhatIfOptions& options,
                       std::vector<std::string>* words) {
  const auto add_scale = [&](const char* name, double scale) {
    if (scale == 1) return;
    words->push_back(name);
    words->push_back(fmt::format("{}", scale));
  };
  add_scale("--compute-scale", options.compute_scale);
  add_scale("--bytes-scale", options.bytes_scale);
  if (options.no_compute) words->push_back("--no-compute");
  for (const std::string& exchange : options.exchanges) {
    words->insert(words->end(), {"--exchange", exchange});
  }
}

}  // namespace ranksight::cli
