// Any two traces that decode (the input is two bytes that say how long the
// first one is, then both): Merge refuses them with a reason, or gives a
// trace that encodes and decodes to itself and has the events of both.
#include <algorithm>

#include "reduction/api/check.h"
#include "reduction/api/codec.h"
#include "reduction/api/cursor.h"
#include "reduction/api/merge.h"
#include "tests/fuzz/mend.h"
#include "tests/fuzz/seeds.h"

namespace ranksight::fuzz {
namespace {

using reduction::Trace;

// Decoding does not look whether every walk ends well: that would cost as
// much as the walks.
bool IsConsistent(const Trace& trace) {
  if (trace.meta.ranks > 64) return false;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    if (CountEvents(trace, rank) > 3000) return false;
    auto cursor =
        reduction::Cursor::Open(trace, rank, reduction::Missing::kAccepted);
    if (!cursor.ok()) return false;
    uint64_t events = 0;
    while (cursor->Next()) ++events;
    if (!cursor->status().ok() || events != CountEvents(trace, rank)) {
      return false;
    }
  }
  return true;
}

void TryMerge(const Trace& a, const Trace& b) {
  const auto merged = reduction::Merge(Trace(a), Trace(b));
  if (!merged.ok()) return RequireReason(merged.status().message());
  const auto again = reduction::Decode(
      reduction::Encode(*merged, reduction::SketchForm::kFull));
  Require(again.ok() && *again == *merged);
  if (Check(a).ok() && Check(b).ok()) Require(Check(*merged).ok());
  if (!IsConsistent(a) || !IsConsistent(b)) return;
  const int64_t ranks = merged->meta.ranks;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    Require(CountEvents(*merged, rank) ==
            CountEvents(a, rank) + CountEvents(b, rank));
  }
}

}  // namespace

std::vector<Bytes> Seeds() {
  std::vector<Bytes> seeds;
  const auto add = [&](const Bytes& a, const Bytes& b) {
    Bytes both{static_cast<uint8_t>(a.size() >> 8),
               static_cast<uint8_t>(a.size())};
    both.insert(both.end(), a.begin(), a.end());
    both.insert(both.end(), b.begin(), b.end());
    seeds.push_back(std::move(both));
  };
  for (const auto& ranks : RankSeeds(2)) add(ranks[0], ranks[1]);
  const std::vector<Bytes> traces = TraceSeeds();
  for (size_t i = 0; i + 1 < traces.size(); i += 8) {
    add(traces[i], traces[i + 1]);
  }
  const std::vector<Bytes> recorded = RecordedSeeds();
  for (size_t i = 0; i + 1 < recorded.size(); ++i) {
    add(recorded[i], recorded[i + 1]);
  }
  for (const auto& parts : RecordedRankSeeds()) {
    add(parts[0], parts[1]);
    add(parts[parts.size() - 2], parts.back());
  }
  return seeds;
}

}  // namespace ranksight::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ranksight;
  if (size < 2) return 0;
  const size_t first = std::min(size - 2, size_t{data[0]} << 8 | data[1]);
  fuzz::Bytes bytes[2] = {{data + 2, data + 2 + first},
                          {data + 2 + first, data + size}};
  for (auto& b : bytes) reduction::testing::MendChecksums(&b);
  const auto a = reduction::Decode(bytes[0]);
  const auto b = reduction::Decode(bytes[1]);
  if (a.ok() && b.ok()) fuzz::TryMerge(*a, *b);
  return 0;
}
