#include "cli/base/work_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace ranksight::cli {

void AddWorkOptions(CLI::App* app, WhatIfUser user, WorkOptions* options) {
  AddWhatIfOptions(app, user, &options->what_if);
  app->add_flag("--mean-compute", options->mean_compute,
                "Compute the mean of each call site each time, as converted\n"
                "traces do, instead of what is drawn from its distribution");
  app->add_flag("--wildcards", options->wildcards,
                "Receives from any source stay such (implied by --record);\n"
                "else they ask for what they matched in the recording");
  app->add_flag("--align", options->align,
                "Receives from any source that are open otherwise, as those\n"
                "of extrapolated traces, ask for what a walk of all ranks\n"
                "finds; --record then records that");
  app->add_option("--tune", options->tune,
                  "Post the sends that follow one another as suits the torus:\n"
                  "order: over other links than those before, longest first;\n"
                  "balance: over the least used link; pace: when the links\n"
                  "are free (any, comma-separated; needs --torus)")
      ->type_name("LIST")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"order", "balance", "pace"}));
}

void KeepWildcards(WorkOptions* options) {
  if (!options->align) options->wildcards = true;
}

void AppendWorkWords(const WorkOptions& options,
                     std::vector<std::string>* words) {
  AppendWhatIfWords(options.what_if, words);
  if (options.mean_compute) words->push_back("--mean-compute");
  if (options.wildcards) words->push_back("--wildcards");
  if (options.align) words->push_back("--align");
  if (!options.tune.empty()) {
    words->push_back("--tune");
    words->push_back(fmt::format("{}", fmt::join(options.tune, ",")));
  }
}

}  // namespace ranksight::cli
