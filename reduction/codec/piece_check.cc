#include "reduction/codec/piece_check.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "reduction/base/bytes.h"
#include "reduction/codec/section_code.h"

namespace ranksight::reduction {
namespace {

using Wide = __int128;
constexpr Wide kLimit = kMaxMagnitude;

struct Ends {
  int64_t first = 0;
  int64_t last = 0;
};

// First and last value of an ascending list; nothing when it is not.
std::optional<Ends> AscendingEnds(const std::vector<Term>& terms);

std::optional<Ends> AscendingEnds(const Term& t) {
  const int64_t climb = t.stride * static_cast<int64_t>(t.count - 1);
  if (t.body.empty()) {
    if (t.count > 1 && t.stride <= 0) return std::nullopt;
    return Ends{t.value, t.value + climb};
  }
  const std::optional<Ends> body = AscendingEnds(t.body);
  if (!body || Wide{t.stride} <= Wide{body->last} - body->first) {
    return std::nullopt;
  }
  return Ends{body->first, body->last + climb};
}

std::optional<Ends> AscendingEnds(const std::vector<Term>& terms) {
  std::optional<Ends> all;
  for (const Term& t : terms) {
    const std::optional<Ends> ends = AscendingEnds(t);
    if (!ends || (all && ends->first <= all->last)) return std::nullopt;
    all = Ends{all ? all->first : ends->first, ends->last};
  }
  return all;
}

Wide Largest(const Section& s) {
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

bool IsAscending(const RankSet& set) {
  return set.empty() || AscendingEnds(set.terms()).has_value();
}

bool IsInRange(const ParameterPiece& piece) {
  Extent all;
  return Measure(piece, 0, piece.shape.size(), 1, &all);
}

}  // namespace ranksight::reduction
