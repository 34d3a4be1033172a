#include "online_model/walk/protocols.h"

#include <algorithm>
#include <limits>

namespace ranksight::online_model {

std::vector<Protocol> Protocols(const std::vector<Measured>& runs,
                                std::optional<bool> pulled) {
  constexpr double kUsual = Network::kLong;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double shortest = kNone, longest = 0;
  for (const Measured& run : runs) {
    for (const Operation& op : run.program.operations) {
      if (op.kind != Operation::Kind::kSend) continue;
      shortest = std::min(shortest, op.bytes);
      longest = std::max(longest, op.bytes);
    }
  }
  // Only what the runs can tell apart: a threshold that no message is on the
  // other side of changes nothing.
  std::vector<Protocol> out = {{kUsual, pulled.value_or(false)}};
  if (pulled) {
    if (longest > kUsual) out.push_back({kNone, *pulled});
    if (longest > 0 && shortest <= kUsual) out.push_back({0, *pulled});
    return out;
  }
  if (shortest <= kUsual) out.push_back({kUsual, true});
  if (longest > kUsual) {
    out.push_back({kNone, false});
    out.push_back({kNone, true});
  }
  if (longest > 0 && shortest <= kUsual) out.push_back({0, false});
  return out;
}

}  // namespace ranksight::online_model
