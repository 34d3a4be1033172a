// How one column of a parameter piece is written: shared by both sides.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "reduction/api/parameter.h"
#include "reduction/codec/container.h"

namespace ranksight::reduction {

// Frozen numbers. In a list of columns the kinds stand first. A column on
// its own has one head, x * 4 + form: form 0 absolute, 1 relative constant
// (x is the value); 2 a section follows (x is 1 when relative); 3 a section
// of the table (x is 2 * index, + 1 when relative).
enum class ColumnKind : uint8_t {
  kConstant = 0,
  kRelativeConstant = 1,
  kInline = 2,
  kRelativeInline = 3,
  kTable = 4,
  kRelativeTable = 5,
};

// Heads of parameters.
inline constexpr uint64_t kEmptyParameter = 0;
inline constexpr uint64_t kRepeatedParameter = 1;  // an index follows
inline constexpr uint64_t kDistribution = 2;       // from kDistributions on

// What the index of a layout is added to.
inline uint64_t FirstLayout(uint64_t version) {
  return version < kDistributions ? 2 : 3;
}

// Constants whose code does not fit beside the form are written as sections.
inline constexpr uint64_t kMaxColumnCode = uint64_t{1} << 60;

// Value of a column that is one run without stride; false for all others.
bool ConstantOf(const Section& s, int64_t* v);

// One value for all: a reference would not be shorter.
inline bool IsPlain(const Parameter& p) {
  int64_t v = 0;
  return p.pieces().size() == 1 && p.pieces()[0].shape.size() == 1 &&
         ConstantOf(p.pieces()[0].columns[0].values, &v);
}

}  // namespace ranksight::reduction
