// Laws as numbers, and numbers as text, so that a trace can carry the laws
// it was made by and others be made from it at any number of ranks.
//
// The text stands as the last line of Meta::laws, after kLawsMark. Decoders
// trust nothing: whatever the numbers, the laws they give can be evaluated on
// every grid of as many dimensions as they say.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "online_model/structure/dims_rule.h"
#include "online_model/synthesize/node_law.h"
#include "online_model/synthesize/time_ladder.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

inline constexpr std::string_view kLawsMark = "laws 1 ";

struct SymbolicLaws {
  DimsRule rule;
  bool powers_of_two = false;  // hold at powers of two only
  NodeLaw root;
  TimeLadder times;
};

// like: the tree that the laws are for, in both.
std::string EncodeLaws(const SymbolicLaws& laws, const reduction::Node& like);
// kBadInput with the reason.
// own: what laws of the user's own that the text names are looked up in; kNo
// where one is not there.
reduction::Result<SymbolicLaws> DecodeLaws(std::string_view text,
                                           const reduction::Node& like,
                                           const OwnLaws& own);

// Equal for laws that give the same on every rank for the same reason; what
// supports them does not count.
std::vector<int64_t> NumbersOf(const SequenceLaw& law);

}  // namespace ranksight::online_model
