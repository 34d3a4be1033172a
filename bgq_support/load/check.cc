#include "bgq_support/load/check.h"

#include "bgq_support/base/contract.h"

namespace ranksight::bgq_support {
namespace {

bool Within(int64_t first, int64_t stride, int64_t count, int64_t ranks) {
  const __int128 last = first + static_cast<__int128>(stride) * (count - 1);
  return first >= 0 && first < ranks && last >= 0 && last < ranks;
}

}  // namespace

bool CheckTraffic(const Traffic& traffic, int64_t ranks, Wide* sent,
                  std::string* reason) {
  RANKSIGHT_REQUIRE(sent != nullptr && reason != nullptr);
  for (const Flow& flow : traffic.flows) {
    if (flow.count < 1 || !Within(flow.rank, flow.stride, flow.count, ranks) ||
        !Within(flow.peer, flow.peer_stride, flow.count, ranks)) {
      *reason =
          "messages of ranks outside the mapping's " + std::to_string(ranks);
      return false;
    }
    *sent += static_cast<Wide>(flow.bytes) * static_cast<Wide>(flow.count);
  }
  for (const Exchange& exchange : traffic.exchanges) {
    for (const int64_t rank : exchange.members) {
      if (Within(rank, 0, 1, ranks)) continue;
      *reason = "an exchange with ranks outside the mapping's " +
                std::to_string(ranks);
      return false;
    }
    const Wide n = exchange.members.size();
    // In 128 bits: the check for overflow must not overflow.
    if (n > 0) *sent += n * (n - 1) * exchange.bytes;
  }
  return true;
}

}  // namespace ranksight::bgq_support
