#include <string>
#include <utility>

#include "reduction/api/codec.h"
#include "reduction/api/merge.h"
#include "reduction/api/tree.h"

namespace ranksight::reduction {
namespace {

void CountLost(const std::string& why, Trace* trace) {
  ++trace->meta.losses["rank_lost"];
  ++trace->meta.losses["rank_lost: " + why];
  trace->meta.complete = false;
}

// Receives the trace of the subtree at `from` and unites it with *mine.
void Take(Transport& transport, int from, Trace* mine) {
  Result<std::vector<uint8_t>> bytes = transport.Receive(from);
  if (!bytes.ok()) return CountLost(bytes.status().message(), mine);
  Result<Trace> theirs = Decode(*bytes);
  if (!theirs.ok()) return CountLost(theirs.status().message(), mine);
  Trace kept = *mine;
  Result<Trace> merged = Merge(std::move(*mine), std::move(*theirs));
  if (merged.ok()) {
    *mine = std::move(*merged);
    return;
  }
  *mine = std::move(kept);
  CountLost(merged.status().message(), mine);
}

}  // namespace

// Rank r is the root of a block of ranks [r, r + width) when width divides r.
// At each level the roots of `radix` neighbouring blocks join at the first.
Result<Trace> MergeOverTree(Transport& transport, Trace mine, int radix) {
  if (radix < 2) return Status::Usage("tree radix must be at least 2");
  const int64_t rank = transport.rank();
  const int64_t size = transport.size();
  for (int64_t width = 1; width < size; width *= radix) {
    const int64_t first = rank / (width * radix) * (width * radix);
    if (rank != first) {
      const Status sent =
          transport.Send(int(first), Encode(mine, SketchForm::kFull));
      if (!sent.ok()) return sent;
      return Trace();
    }
    for (int64_t k = 1; k < radix; ++k) {
      const int64_t from = rank + k * width;
      if (from < size) Take(transport, int(from), &mine);
    }
  }
  return mine;
}

}  // namespace ranksight::reduction
