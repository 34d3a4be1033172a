#include "reduction/merge/weight.h"

#include <span>
#include <vector>

namespace ranksight::reduction {
namespace {

size_t CountTerms(std::span<const Term> terms) {
  size_t n = terms.size();
  for (const Term& t : terms) n += CountTerms(t.body);
  return n;
}

}  // namespace

size_t WeightOf(const Parameter& p) {
  size_t weight = 0;
  for (const ParameterPiece& piece : p.pieces()) {
    weight += piece.shape.size() + CountTerms(piece.ranks.terms());
    for (const Column& c : piece.columns) {
      if (!c.values.IsConstant()) weight += CountTerms(c.values.terms());
    }
  }
  return weight;
}

}  // namespace ranksight::reduction
