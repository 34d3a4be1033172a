// --vary: several values of an option, one case for each, or for each of their
// combinations where several options have several.
// Thread-safety: pure functions, but for SetCase.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/base/machine_options.h"
#include "reduction/api/status.h"

namespace CLI {
class App;
}

namespace ranksight::cli {

struct VaryOptions {
  std::vector<std::string> words;         // OPTION=VALUE,VALUE,...
  std::vector<std::string_view> allowed;  // options, without --
  CLI::App* app = nullptr;                // whose they are
};

// Names of options, without --, each with its value. The names are the same in
// all cases.
using Case = std::vector<std::pair<std::string, std::string>>;

// allowed: options of app, which has them already, and lives as long as
// options.
void AddVaryOption(CLI::App* app, const std::vector<std::string_view>& allowed,
                   VaryOptions* options);

// The values of the option that was given last change fastest. kUsage where
// a word cannot be read, an option is not one of those allowed, or there are
// more than kMostCases.
inline constexpr size_t kMostCases = 1000;
reduction::Result<std::vector<Case>> CasesOf(const VaryOptions& options);

// Gives the variables of these options what the case says, as if it were in the
// command line; kUsage where they do not take it.
reduction::Status SetCase(const VaryOptions& options, const Case& one);

bool NamesOption(const Case& one, std::string_view option);
// Whether it names a network; the places then have no other one.
bool DropOtherNetworks(const Case& one, PlaceOptions* places);
// Whether it says where ranks sit, or on what network.
bool NamesPlaces(const Case& one);

}  // namespace ranksight::cli
