#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "online_model/api/machine.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

bool IsLess(const AtBytes& a, const AtBytes& b) { return a.bytes < b.bytes; }

}  // namespace

double MachineRatios::Message(double bytes) const {
  if (messages.empty()) return 1;
  const auto after = std::upper_bound(messages.begin(), messages.end(),
                                      AtBytes{bytes, 0}, IsLess);
  if (after == messages.begin()) return after->value;
  const auto before = std::prev(after);
  if (after == messages.end()) return before->value;
  // Of bytes + 1, which is there for empty messages, too.
  const double share = std::log((bytes + 1) / (before->bytes + 1)) /
                       std::log((after->bytes + 1) / (before->bytes + 1));
  return before->value * std::pow(after->value / before->value, share);
}

Result<MachineRatios> Compare(const MachineTimes& here,
                              const MachineTimes& there) {
  MachineRatios ratios;
  double sum = 0;
  for (const auto& [name, seconds] : here.kernels) {
    const auto at = there.kernels.find(name);
    if (at == there.kernels.end()) continue;
    ratios.kernels[name] = at->second / seconds;
    sum += std::log(at->second / seconds);
  }
  if (ratios.kernels.empty()) return Status::No("no kernel is in both");
  ratios.compute = std::exp(sum / double(ratios.kernels.size()));
  for (const AtBytes& m : here.messages) {
    const auto at = std::lower_bound(there.messages.begin(),
                                     there.messages.end(), m, IsLess);
    if (at == there.messages.end() || at->bytes != m.bytes) continue;
    ratios.messages.push_back({m.bytes, at->value / m.value});
  }
  if (ratios.messages.empty()) {
    return Status::No("no message length is in both");
  }
  return ratios;
}

std::string ToText(const MachineRatios& ratios) {
  std::string out = fmt::format("computation x{:.3g}", ratios.compute);
  if (ratios.messages.empty()) return out;
  const AtBytes& first = ratios.messages.front();
  const AtBytes& last = ratios.messages.back();
  return out + fmt::format(
                   ", messages x{:.3g} ({:.0f} bytes) to x{:.3g} ({:.0f} "
                   "bytes)",
                   first.value, first.bytes, last.value, last.bytes);
}

}  // namespace ranksight::online_model
