// The canonical event text of the CLI contract.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reduction/api/event.h"

namespace ranksight::reduction {

// "any", "null", "root", "undefined" or "none" for a special value of
// api/call.h; empty for any other.
std::string_view NameOfSpecial(int64_t value);
// That name, or the number.
std::string ValueText(int64_t value);

// "MPI_Isend comm=0 peer=5 tag=7 bytes=8192"
std::string CanonicalText(const Event& event);
// Appends to *out without the newline; allocates only to grow it.
void AppendCanonicalText(const Event& event, std::string* out);

}  // namespace ranksight::reduction
