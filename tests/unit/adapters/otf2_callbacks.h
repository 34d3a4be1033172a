// What OTF2 asks of whoever writes an archive: write when a buffer is full, and
// leave times alone.
#pragma once

#include <otf2/otf2.h>

namespace ranksight::adapters {

inline OTF2_FlushType Flush(void*, OTF2_FileType, OTF2_LocationRef, void*,
                            bool) {
  return OTF2_FLUSH;
}
inline OTF2_TimeStamp NoTime(void*, OTF2_FileType, OTF2_LocationRef) {
  return 0;
}

}  // namespace ranksight::adapters
