// An OTF2 archive of two ranks, written by the library alone from lines of
// text.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace ranksight::adapters {

// Of each rank: "enter NAME", "leave NAME", "send TO TAG BYTES", "receive FROM
// TAG BYTES", "request NUMBER" of a receive that does not block, "received FROM
// TAG BYTES NUMBER" for it, "sum BYTES" a collective. Behind each may stand "on
// COMM"; else it is on the world, 0, the only one that is defined.
using ForeignLines = std::array<std::vector<std::string>, 2>;

// Writes folder/NAME.otf2. False when OTF2 cannot.
bool WriteForeignArchive(const std::string& folder, const std::string& name,
                         const ForeignLines& lines);

}  // namespace ranksight::adapters
