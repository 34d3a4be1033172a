// Laws as numbers (reduction/FORMAT.md, "Laws"), so that a trace can carry the
// laws it was made by and others be made from it at any number of ranks.
//
// Decoders trust nothing: whatever the numbers, the laws they give can be
// evaluated on every grid of as many dimensions as they say.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "online_model/structure/dims_rule.h"
#include "online_model/synthesize/node_law.h"
#include "online_model/synthesize/time_ladder.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

struct SymbolicLaws {
  DimsRule rule;
  bool powers_of_two = false;  // hold at powers of two only
  // Of each side: the one length at which they hold, for they work with sides
  // and all runs had that; 0 where they hold at any.
  std::vector<int64_t> only_sides;
  std::vector<int64_t> sizes;  // of the runs that they were found in
  NodeLaw root;
  TimeLadder times;
};

// like: the tree that the laws are for, in both.
std::vector<int64_t> EncodeLaws(const SymbolicLaws& laws,
                                const reduction::Node& like);
// kBadInput with the reason.
// own: what laws of the user's own that they name are looked up in; kNo
// where one is not there.
reduction::Result<SymbolicLaws> DecodeLaws(std::span<const int64_t> numbers,
                                           const reduction::Node& like,
                                           const OwnLaws& own);

// A law as numbers, and which of them are amounts: what is multiplied, added,
// or shared out. The others say what kind of law it is. What supports it is not
// among them.
struct NumberedLaw {
  // The two ends of what an amount may be, where no run tells (kShare).
  enum class Range { kNone, kLow, kHigh };
  struct Amount {
    size_t at = 0;  // among the numbers
    Range range = Range::kNone;
  };
  std::vector<int64_t> numbers;
  std::vector<Amount> amounts;  // ascending
};
NumberedLaw NumberedOf(const SequenceLaw& law);
// Nothing where the numbers are those of no law on a grid of so many sides.
std::optional<SequenceLaw> LawOf(std::span<const int64_t> numbers, int ndims,
                                 const OwnLaws& own);

// Equal for laws that give the same on every rank for the same reason; what
// supports them does not count.
std::vector<int64_t> NumbersOf(const SequenceLaw& law);

}  // namespace ranksight::online_model
