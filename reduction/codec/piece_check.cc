#include "reduction/codec/piece_check.h"

#include <algorithm>
#include <cstdint>

#include "reduction/api/contract.h"
#include "reduction/api/pause.h"
#include "reduction/base/bytes.h"
#include "reduction/codec/section_code.h"
#include "reduction/section/term.h"

namespace ranksight::reduction {
namespace {

using Wide = __int128;
constexpr Wide kLimit = kMaxMagnitude;

Wide Largest(const Section& s) {
  RANKSIGHT_REQUIRE(!s.empty());
  return std::max(Wide{s.Max()}, -Wide{s.Min()});
}

struct Extent {
  Wide magnitude = 0;
  Wide length = 0;
};

// What the entries [begin, end) of the shape can describe at most.
bool Measure(const ParameterPiece& piece, size_t begin, size_t end, int depth,
             Extent* out) {
  if (depth > Section::kMaxDepth) return false;
  for (size_t i = begin; i < end; i += 1 + piece.shape[i]) {
    if (i % kTermsAPause == 0) Pause();
    const size_t inside = piece.shape[i];
    if (inside > end - i - 1) return false;
    const Column& value = piece.columns[3 * i];
    const Section& counts = piece.columns[3 * i + 2].values;
    Extent body{Largest(value.values), 1};
    if (inside > 0) {
      if (value.relative || body.magnitude != 0) return false;
      body = Extent();
      if (!Measure(piece, i + 1, i + 1 + inside, depth + 1, &body)) {
        return false;
      }
    } else if (value.relative) {
      body.magnitude += piece.ranks.Max();
    }
    if (counts.Min() < (inside > 0 ? 2 : 1)) return false;
    const Wide most = counts.Max();
    const Wide stride = Largest(piece.columns[3 * i + 1].values);
    // Both factors are below 2^63, so the products fit.
    out->magnitude =
        std::max(out->magnitude, body.magnitude + stride * (most - 1));
    out->length += body.length * most;
    if (out->magnitude > kLimit || out->length > kLimit) return false;
  }
  return true;
}

}  // namespace

bool IsInRange(const ParameterPiece& piece) {
  RANKSIGHT_REQUIRE(piece.columns.size() == 3 * piece.shape.size());
  Extent all;
  return Measure(piece, 0, piece.shape.size(), 1, &all);
}

}  // namespace ranksight::reduction
