// A picture of who sends how much to whom: senders down, receivers across,
// colours by the logarithm of the amount.
// Thread-safety: pure function.
#pragma once

#include <string>

#include "cli/look/png.h"
#include "cli/look/traffic_blocks.h"

namespace ranksight::cli {

enum class Amount { kBytes, kMessages };

// Pairs of blocks that exchange nothing stay grey.
Canvas PictureOf(const TrafficBlocks& blocks, Amount amount,
                 const std::string& title);

}  // namespace ranksight::cli
