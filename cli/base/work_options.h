// Options of the commands that replay a trace, what-if options among them, and
// the same words passed on to the replay engine's tool.
#pragma once

#include <string>
#include <vector>

#include "cli/base/what_if_options.h"

namespace CLI {
class App;
}

namespace ranksight::cli {

struct WorkOptions {
  WhatIfOptions what_if;
  bool mean_compute = false, wildcards = false, align = false;
  std::vector<std::string> tune;
};

// REQUIRES: options lives as long as app.
void AddWorkOptions(CLI::App* app, WhatIfUser user, WorkOptions* options);
// For a replay that is recorded: receives stay as the trace has them, unless
// they are to be aligned.
void KeepWildcards(WorkOptions* options);
// Appends the words of the options that were changed, but for --site-scale.
void AppendWorkWords(const WorkOptions& options,
                     std::vector<std::string>* words);

}  // namespace ranksight::cli
