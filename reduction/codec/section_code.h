// Sections as bytes (FORMAT.md, "Sections"), and checks that their numbers
// stay in range however they are combined.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reduction/api/section.h"
#include "reduction/base/bytes.h"

namespace ranksight::reduction {

void WriteSection(const Section& section, ByteWriter* out);
Section ReadSection(ByteReader* in);

// Many at once: one by one, or column by column where that is shorter.
void WriteSections(std::span<const Section* const> sections, ByteWriter* out);
std::vector<Section> ReadSections(uint64_t n, ByteReader* in);

// Upper bound of the magnitude of every value and every partial sum on the
// way to it. Saturates at 2^63.
uint64_t Magnitude(const Section& section);

size_t HashSection(const Section& section, size_t seed = 0);

}  // namespace ranksight::reduction
