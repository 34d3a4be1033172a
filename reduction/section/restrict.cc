#include "reduction/section/restrict.h"

#include <algorithm>
#include <utility>

#include "reduction/api/contract.h"
#include "reduction/api/pause.h"

namespace ranksight::reduction {
namespace {

using Taken = std::vector<bool>;

Section Only(const Taken& taken, const Section& values) {
  Section some;
  SectionCursor cursor(&values);
  for (const bool t : taken) {
    const int64_t v = cursor.Next();
    if (t) some.Append(v);
  }
  return some;
}

ParameterPiece Only(const Taken& taken, const ParameterPiece& piece) {
  ParameterPiece part{Only(taken, piece.ranks), piece.shape, {}};
  part.columns.reserve(piece.columns.size());
  for (const Column& c : piece.columns) {
    Pause();
    part.columns.push_back({c.relative, Only(taken, c.values)});
  }
  return part;
}

}  // namespace

Parameter Restrict(const Parameter& p, const std::vector<int64_t>& ranks) {
  RANKSIGHT_REQUIRE(std::is_sorted(ranks.begin(), ranks.end()));
  ParameterPieces pieces;
  bool all = true;
  for (const ParameterPiece& piece : p.pieces()) {
    Taken taken;
    for (SectionCursor r(&piece.ranks); !r.done();) {
      taken.push_back(std::binary_search(ranks.begin(), ranks.end(), r.Next()));
    }
    const auto count = std::count(taken.begin(), taken.end(), true);
    if (count == long(taken.size())) {
      // All of its ranks are meant.
      pieces.push_back(piece);
      continue;
    }
    all = false;
    if (count > 0) pieces.push_back(Only(taken, piece));
  }
  if (all) return p;
  // As Add would have made them: by their first rank.
  std::sort(pieces.begin(), pieces.end(),
            [](const ParameterPiece& a, const ParameterPiece& b) {
              return a.ranks.At(0) < b.ranks.At(0);
            });
  Parameter out;
  (void)Parameter::FromPieces(std::move(pieces), &out);
  return out;
}

}  // namespace ranksight::reduction
