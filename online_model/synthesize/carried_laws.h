// The numbers of the laws that a trace carries (law_code.h), in a chunk of
// their own or, from older writers, as text: the last line of Meta::laws, after
// a mark, a character for each five bits of a number, the least first, the sign
// in the lowest bit.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

bool CarriesLaws(const reduction::Trace& trace);
// kBadInput when the text is no list of numbers. REQUIRES: it carries laws.
reduction::Result<std::vector<int64_t>> CarriedLaws(
    const reduction::Trace& trace);
// The trace without them; what stands there to be read stays.
void DropCarriedLaws(reduction::Trace* trace);
// Meta::laws without the line that is numbers.
std::span<const std::string> LinesToRead(const reduction::Trace& trace);

}  // namespace ranksight::online_model
