#include "cli/base/network_option.h"

#include <CLI/CLI.hpp>

namespace ranksight::cli {
namespace {

constexpr size_t kLineLength = 55;

// Broken between words, for help texts.
std::string OnLines(const std::string& text) {
  std::string out;
  size_t begin = 0;
  while (text.size() - begin > kLineLength) {
    const size_t end = text.rfind(' ', begin + kLineLength);
    if (end == std::string::npos || end <= begin) break;
    out += text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return out + text.substr(begin);
}

}  // namespace

CLI::Option* AddNetworkOption(CLI::App* app, const std::string& when,
                              std::string* network) {
  return app
      ->add_option("--network", *network,
                   "Network of a machine with a core for each rank,\n" + when +
                       ":\na file of `ranksight machine measure`, or one of\n" +
                       OnLines(online_model::NetworkNames()) +
                       "\n(default: " + online_model::kDefaultNetwork + ")")
      ->type_name("FILE|NAME");
}

}  // namespace ranksight::cli
