// What-if options of the commands that replay a trace, and the same words
// passed on to the replay engine's tool.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace ranksight::cli {

struct WorkOptions {
  double compute_scale = 1, bytes_scale = 1;
  bool no_compute = false, mean_compute = false, wildcards = false,
       align = false;
  std::vector<std::string> tune;
};

// REQUIRES: options lives as long as app.
void AddWorkOptions(CLI::App* app, WorkOptions* options);
// For a replay that is recorded: receives stay as the trace has them, unless
// they are to be aligned.
void KeepWildcards(WorkOptions* options);
// Appends the words of the options that were changed.
void AppendWorkWords(const WorkOptions& options,
                     std::vector<std::string>* words);

}  // namespace ranksight::cli
