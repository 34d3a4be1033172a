// The fields of canonical text as attributes of an OTF2 event, so that
// reading an archive of ours gives the same events again.
// Thread-safety: immutable.
#pragma once

#include <array>
#include <string_view>

namespace ranksight::adapters::otf2 {

// In the order of the text; the attribute is called "ranksight." + name and
// holds a 64-bit integer.
inline constexpr std::array<std::string_view, 9> kFields = {
    "comm", "peer", "tag", "bytes", "rpeer", "rtag", "rbytes", "root", "n"};

}  // namespace ranksight::adapters::otf2
