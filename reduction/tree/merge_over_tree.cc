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

// A rank that runs out of memory still hears its children and tells its parent,
// who would wait for ever. False when *mine is not whole any more.
bool TakeAll(Transport& transport, const std::vector<TreeChild>& children,
             Trace* mine) {
  bool whole = true;
  for (const TreeChild& c : children) {
    try {
      if (whole) {
        Take(transport, int(c.rank), mine);
      } else {
        (void)transport.Receive(int(c.rank));
      }
    } catch (...) {
      whole = false;
    }
  }
  return whole;
}

// Empty, which the parent counts as a loss, when there is no memory for it.
std::vector<uint8_t> EncodedOrNothing(const Trace& trace) {
  try {
    return Encode(trace, SketchForm::kFull);
  } catch (...) {
    return {};
  }
}

}  // namespace

Result<Trace> MergeOverTree(Transport& transport, Trace mine, int radix) {
  if (radix < 2) return Status::Usage("tree radix must be at least 2");
  const TreePlace place =
      PlaceOf(transport.rank(), transport.size(), radix, transport.order());
  const bool whole = TakeAll(transport, place.children, &mine);
  if (place.parent < 0) {
    if (!whole) return Status::Io("no memory to merge traces");
    return mine;
  }
  const Status sent =
      transport.Send(int(place.parent),
                     whole ? EncodedOrNothing(mine) : std::vector<uint8_t>());
  if (!sent.ok()) return sent;
  return Trace();
}

}  // namespace ranksight::reduction
