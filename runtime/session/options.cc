#include "runtime/session/options.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "runtime/process/start_folder.h"

namespace ranksight::runtime {
namespace {

// Shorter ones would not leave the time to merge.
constexpr double kLeastEpochSeconds = 0.01;
constexpr double kMostPatienceSeconds = 86400;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::map<std::string, std::string> ParseParams(const std::string& text) {
  std::map<std::string, std::string> params;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find(',', at);
    if (end == std::string::npos) end = text.size();
    const std::string item = text.substr(at, end - at);
    const size_t equals = item.find('=');
    if (equals != std::string::npos && equals > 0) {
      params[item.substr(0, equals)] = item.substr(equals + 1);
    }
    at = end + 1;
  }
  return params;
}

uint64_t ParseBytes(const std::string& text, uint64_t fallback) {
  char* end = nullptr;
  const unsigned long long number = std::strtoull(text.c_str(), &end, 10);
  if (end == text.c_str() || number == 0) return fallback;
  static const std::string kUnits = "KMG";
  const size_t unit = *end == 0 ? std::string::npos : kUnits.find(*end);
  const int shift = unit == std::string::npos ? 0 : 10 * (int(unit) + 1);
  if (number > (UINT64_MAX >> shift)) return fallback;
  return uint64_t(number) << shift;
}

TimeShare ParseTimeShare(const std::string& text, TimeShare fallback) {
  std::array<double, 3> numbers = {100 * fallback.share, fallback.least_seconds,
                                   fallback.coarse_from};
  const char* at = text.c_str();
  for (size_t i = 0;; ++i) {
    char* end = nullptr;
    numbers[i] = std::strtod(at, &end);
    if (end == at || !(numbers[i] >= 0)) return fallback;
    if (*end == 0) return {numbers[0] / 100, numbers[1], numbers[2]};
    if (*end != ',' || i + 1 == numbers.size()) return fallback;
    at = end + 1;
  }
}

Options ReadOptions() {
  Options o;
  const std::string disable = Variable("RANKSIGHT_DISABLE");
  o.disabled = !disable.empty() && disable != "0";
  o.output = FromStartFolder(Variable("RANKSIGHT_OUTPUT"));
  o.predict = Variable("RANKSIGHT_PREDICT") != "off";
  o.distributions = Variable("RANKSIGHT_AMOUNTS") == "distributions";
  o.began_ns = std::atoll(Variable("RANKSIGHT_BEGAN").c_str());
  o.to = Variable("RANKSIGHT_TO");
  const double patience = std::atof(Variable("RANKSIGHT_PATIENCE").c_str());
  if (patience > 0) {
    o.patience_seconds = std::min(patience, kMostPatienceSeconds);
  }
  o.spool = FromStartFolder(Variable("RANKSIGHT_SPOOL"));
  o.clock = Variable("RANKSIGHT_CLOCK");
  o.memory_bytes = ParseBytes(Variable("RANKSIGHT_MEMORY"), o.memory_bytes);
  const std::string time = Variable("RANKSIGHT_TIME");
  o.time_share = ParseTimeShare(time, TimeShare{});
  if (time == "off") o.time_share.reset();
  const int radix = std::atoi(Variable("RANKSIGHT_RADIX").c_str());
  if (radix >= 2 && radix <= 64) o.radix = radix;
  const double seconds = std::atof(Variable("RANKSIGHT_EPOCH").c_str());
  if (seconds > 0) o.epoch_seconds = std::max(seconds, kLeastEpochSeconds);
  o.epoch_events =
      std::strtoull(Variable("RANKSIGHT_EPOCH_EVENTS").c_str(), nullptr, 10);
  o.params = ParseParams(Variable("RANKSIGHT_PARAMS"));
  return o;
}

}  // namespace ranksight::runtime
