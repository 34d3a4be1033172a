#include "cli/base/commands.h"

#include <CLI/CLI.hpp>

namespace ranksight::cli {

CLI::App* Commands::Add(const std::string& name, const std::string& description,
                        std::function<int()> run) {
  return AddBelow(root_, name, description, std::move(run));
}

CLI::App* Commands::AddBelow(CLI::App* parent, const std::string& name,
                             const std::string& description,
                             std::function<int()> run) {
  CLI::App* app = parent->add_subcommand(name, description);
  entries_.push_back({app, std::move(run)});
  return app;
}

int Commands::RunChosen() const {
  const Entry* chosen = nullptr;
  // Commands below another one are added after it, so the last wins.
  for (const Entry& entry : entries_) {
    if (entry.app->parsed()) chosen = &entry;
  }
  return chosen == nullptr ? 2 : chosen->run();
}

}  // namespace ranksight::cli
