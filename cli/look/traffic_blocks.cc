#include "cli/look/traffic_blocks.h"

#include "reduction/api/amounts.h"

namespace ranksight::cli {

using reduction::kTooMany;
using reduction::Plus;
using reduction::TooManyBytes;
using reduction::Traffic;

reduction::Result<TrafficBlocks> BlocksOf(const reduction::Trace& trace,
                                          int64_t most) {
  TrafficBlocks blocks;
  blocks.ranks = trace.meta.ranks;
  blocks.block = (blocks.ranks + most - 1) / most;
  blocks.side = (blocks.ranks + blocks.block - 1) / blocks.block;
  for (int64_t rank = 0; rank < blocks.ranks; ++rank) {
    const auto sent = TrafficFrom(trace, rank);
    if (!sent.ok()) return sent.status();
    for (const auto& [to, traffic] : *sent) {
      Traffic& cell = blocks.cells[{rank / blocks.block, to / blocks.block}];
      cell.messages = Plus(cell.messages, traffic.messages);
      cell.bytes = Plus(cell.bytes, traffic.bytes);
      if (cell.bytes == kTooMany) return TooManyBytes();
    }
  }
  return blocks;
}

}  // namespace ranksight::cli
