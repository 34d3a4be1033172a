// Field 21 of the meta chunk: what ranks hold in memory (FORMAT.md).
// Thread-safety: pure functions.
#pragma once

#include "reduction/api/memory.h"
#include "reduction/base/bytes.h"

namespace ranksight::reduction {

void WriteMemory(const RunMemory& memory, ByteWriter* out);
RunMemory ReadMemory(ByteReader* in);

}  // namespace ranksight::reduction
