// Compressed parameters in a form that people read: "r+1", "8192",
// "1..64 by 2", "(r-1 r+1)x50".
//
// Thread-safety: pure functions. Cost grows with the compressed form, cut
// off at a fixed length; never with occurrences or ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reduction/api/canonical.h"
#include "reduction/api/parameter.h"
#include "reduction/api/section.h"

namespace ranksight::cli {

using reduction::ValueText;
// The values of a section: "5", "0..15", "0..12 by 4", "7x3", "(1 2)x4".
std::string SectionText(const reduction::Section& section);
// Ranks of a set: "0..15", "0 3..5".
std::string RankSetText(const reduction::RankSet& ranks);

// What a number is called that differs from rank to rank: its name for
// types and operations, the number otherwise.
using ValueNamer = std::string (*)(int64_t);

// "~[640 values 3..97, sum 32011, median 52]"; the median is approximate.
std::string DistributionText(const reduction::Distribution& distribution);

// One form and the ranks that have it.
struct ParameterForm {
  reduction::RankSet ranks;
  std::string text;
};
// The forms of a parameter, at most `limit` of them (the last one then says
// how many more). `name` prints values that do not depend on the rank.
std::vector<ParameterForm> Forms(const reduction::Parameter& parameter,
                                 size_t limit, ValueNamer name = ValueText);
// The forms in one text: "r+1", or "{0..3: r+12; 4..15: r-4}".
std::string ParameterText(const reduction::Parameter& parameter,
                          ValueNamer name = ValueText);

}  // namespace ranksight::cli
