// What the messages of some runs leave open of how a network handles them.
// Thread-safety: pure functions. Complexity: O(operations).
#pragma once

#include <optional>
#include <vector>

#include "online_model/walk/calibrate.h"

namespace ranksight::online_model {

// Protocols to try: the eager limit that most libraries have, none, and nought;
// short messages that leave at once, or when they are received. Those that part
// the messages of these runs alike are the same.
// pulled: where it is known, the only one.
std::vector<Protocol> Protocols(const std::vector<Measured>& runs,
                                std::optional<bool> pulled = std::nullopt);

}  // namespace ranksight::online_model
