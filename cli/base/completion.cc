#include "cli/base/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace ranksight::cli {
namespace {

// nullptr: no command of that name is below.
const CLI::App* Below(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

std::string Line(const std::string& word, const std::string& description) {
  std::string line = word + '\t' + description;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line + '\n';
}

}  // namespace

std::string Completions(const CLI::App& app,
                        std::span<const std::string> words) {
  if (words.empty()) return "";
  const std::string& begun = words.back();
  const CLI::App* command = &app;
  for (const std::string& word : words.first(words.size() - 1)) {
    if (word == "--") return "";
    if (const CLI::App* inner = Below(*command, word)) command = inner;
  }
  std::string lines;
  if (begun.starts_with('-')) {
    for (const CLI::Option* option : command->get_options()) {
      // Those that are refused by name are not shown.
      if (option->get_group().empty()) continue;
      for (const std::string& name : option->get_lnames()) {
        const std::string word = "--" + name;
        if (word.starts_with(begun)) {
          lines += Line(word, option->get_description());
        }
      }
    }
    return lines;
  }
  for (const CLI::App* inner : command->get_subcommands(nullptr)) {
    if (inner->get_name().starts_with(begun)) {
      lines += Line(inner->get_name(), inner->get_description());
    }
  }
  return lines;
}

}  // namespace ranksight::cli
