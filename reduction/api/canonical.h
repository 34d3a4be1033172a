// The canonical event text of the CLI contract.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "reduction/api/event.h"

namespace ranksight::reduction {

// "MPI_Isend comm=0 peer=5 tag=7 bytes=8192"
std::string CanonicalText(const Event& event);
// Appends to *out without the newline; allocates only to grow it.
void AppendCanonicalText(const Event& event, std::string* out);

}  // namespace ranksight::reduction
