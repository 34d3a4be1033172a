#include "cli/base/vary.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace ranksight::cli {
namespace {

using reduction::Result;
using reduction::Status;

struct Varied {
  std::string option;
  std::vector<std::string> values;
};

Result<Varied> ReadVaried(const std::string& word) {
  const auto refuse = [&](const std::string& why) {
    return Status::Usage("--vary '" + word + "': " + why);
  };
  const size_t equals = std::min(word.find('='), word.size());
  Varied varied{word.substr(0, equals), {}};
  if (varied.option.empty() || equals == word.size()) {
    return refuse("not OPTION=VALUE,VALUE");
  }
  for (size_t at = equals; at < word.size();) {
    const size_t comma = std::min(word.find(',', at + 1), word.size());
    varied.values.push_back(word.substr(at + 1, comma - at - 1));
    if (varied.values.back().empty()) return refuse("a value is empty");
    at = comma;
  }
  return varied;
}

}  // namespace

void AddVaryOption(CLI::App* app, const std::vector<std::string_view>& allowed,
                   VaryOptions* options) {
  options->allowed = allowed;
  options->app = app;
  app->add_option("--vary", options->words,
                  "A table of what would be with each of these values of\n"
                  "an option, for several --vary of all combinations:\n"
                  "--vary compute-scale=1,0.5 --vary bytes-scale=1,2")
      ->type_name("OPTION=V1,V2,...")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Result<std::vector<Case>> CasesOf(const VaryOptions& options) {
  std::vector<Case> cases(1);
  for (const std::string& word : options.words) {
    const auto varied = ReadVaried(word);
    if (!varied.ok()) return varied.status();
    if (std::ranges::find(options.allowed, varied->option) ==
        options.allowed.end()) {
      return Status::Usage(fmt::format("--vary '{}': varied can be {}", word,
                                       fmt::join(options.allowed, ", ")));
    }
    if (NamesOption(cases.front(), varied->option)) {
      return Status::Usage("--vary " + varied->option + " is given twice");
    }
    if ((varied->option == "torus" && NamesOption(cases.front(), "topology")) ||
        (varied->option == "topology" && NamesOption(cases.front(), "torus"))) {
      return Status::Usage("--vary: torus and topology exclude each other");
    }
    // Before they are made: a few lists multiply to millions.
    if (cases.size() > kMostCases / varied->values.size()) {
      return Status::Usage(
          fmt::format("--vary: more than {} cases", kMostCases));
    }
    std::vector<Case> more;
    for (const Case& one : cases) {
      for (const std::string& value : varied->values) {
        more.push_back(one);
        more.back().emplace_back(varied->option, value);
      }
    }
    cases = std::move(more);
  }
  return cases;
}

Status SetCase(const VaryOptions& options, const Case& one) {
  for (const auto& [name, value] : one) {
    CLI::Option* option = options.app->get_option("--" + name);
    option->clear();
    try {
      option->add_result(value);
      option->run_callback();
    } catch (const CLI::ParseError& e) {
      return Status::Usage(
          fmt::format("--vary {}={}: {}", name, value, e.what()));
    }
  }
  return Status::Ok();
}

bool NamesOption(const Case& one, std::string_view option) {
  return std::ranges::any_of(
      one, [&](const auto& pair) { return pair.first == option; });
}

bool DropOtherNetworks(const Case& one, PlaceOptions* places) {
  const bool torus = NamesOption(one, "torus"),
             topology = NamesOption(one, "topology");
  if (topology) places->torus.clear();
  if (torus) places->topology.clear();
  if (!torus && !topology) return false;
  places->dragonfly.clear();
  places->tree.clear();
  return true;
}

bool NamesPlaces(const Case& one) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"torus", "topology", "routing",
                                              "map", "order", "ranks-per-node"},
      [&](std::string_view option) { return NamesOption(one, option); });
}

}  // namespace ranksight::cli
