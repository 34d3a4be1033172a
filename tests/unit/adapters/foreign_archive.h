// An OTF2 archive of two ranks, written by the library alone from lines of
// text.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace ranksight::adapters {

// Of each rank: "enter NAME", "leave NAME", "send TO TAG BYTES", "receive FROM
// TAG BYTES", "request NUMBER" of a receive that does not block, "received FROM
// TAG BYTES NUMBER" for it, "sum BYTES" a collective of both. Behind each may
// stand "on COMM"; else it is on the world, 0.
using ForeignLines = std::array<std::vector<std::string>, 2>;

// Writes folder/NAME.otf2. alone: names of communicators, 1, 2, ..., that each
// rank has for itself, each with a group of its own. False when OTF2 cannot.
bool WriteForeignArchive(const std::string& folder, const std::string& name,
                         const ForeignLines& lines,
                         const std::vector<std::string>& alone = {});

}  // namespace ranksight::adapters
