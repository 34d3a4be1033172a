#include "reduction/codec/memory_code.h"

#include <utility>
#include <vector>

#include "reduction/codec/parts.h"

namespace ranksight::reduction {
namespace {

void WriteLevel(const MemoryLevel& level, ByteWriter* out) {
  out->Varint(level.count);
  if (level.count == 0) return;
  out->Varint(level.min_kib);
  out->Varint(level.max_kib - level.min_kib);
  out->Varint(level.sum_kib);
}

MemoryLevel ReadLevel(ByteReader* in) {
  MemoryLevel level;
  level.count = in->Varint();
  if (level.count == 0) return level;
  level.min_kib = in->Varint();
  level.max_kib = level.min_kib + in->Varint();
  level.sum_kib = in->Varint();
  if (in->ok() && level.max_kib < level.min_kib) {
    in->Fail("more memory than there can be");
  }
  return level;
}

}  // namespace

void WriteMemory(const RunMemory& memory, ByteWriter* out) {
  out->Varint(memory.unknown);
  for (const Moments* m : {&memory.start, &memory.peak, &memory.end,
                           &memory.files, &memory.shared, &memory.own}) {
    WriteMoments(*m, out);
  }
  out->Varint(uint64_t(memory.along.doublings()));
  out->Varint(memory.along.periods().size());
  for (const MemoryLevel& level : memory.along.periods()) {
    WriteLevel(level, out);
  }
}

RunMemory ReadMemory(ByteReader* in) {
  RunMemory memory;
  memory.unknown = in->Varint();
  for (Moments* m : {&memory.start, &memory.peak, &memory.end, &memory.files,
                     &memory.shared, &memory.own}) {
    *m = ReadMoments(in);
  }
  const auto doublings = in->Varint(uint64_t(MemoryTimeline::kMostDoublings),
                                    "doublings of a period");
  const auto count = in->Varint(uint64_t(MemoryTimeline::kPeriods), "periods");
  std::vector<MemoryLevel> periods;
  while (in->ok() && periods.size() < count) {
    periods.push_back(ReadLevel(in));
  }
  memory.along.Restore(int(doublings), std::move(periods));
  return memory;
}

}  // namespace ranksight::reduction
