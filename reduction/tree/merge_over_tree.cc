#include <string>
#include <utility>

#include "reduction/api/codec.h"
#include "reduction/api/merge.h"
#include "reduction/api/tree.h"
#include "reduction/tree/shape.h"

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
  const Status merged = MergeInto(mine, std::move(*theirs));
  if (!merged.ok()) CountLost(merged.message(), mine);
}

}  // namespace

Result<Trace> MergeOverTree(Transport& transport, Trace mine, int radix) {
  if (radix < 2) return Status::Usage("tree radix must be at least 2");
  const TreePlace place =
      PlaceOf(transport.rank(), transport.size(), radix, transport.order());
  for (const TreeChild& c : place.children) {
    Take(transport, int(c.rank), &mine);
  }
  if (place.parent < 0) return mine;
  const Status sent =
      transport.Send(int(place.parent), Encode(mine, SketchForm::kFull));
  if (!sent.ok()) return sent;
  return Trace();
}

}  // namespace ranksight::reduction
