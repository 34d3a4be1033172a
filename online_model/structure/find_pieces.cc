#include "online_model/structure/find_pieces.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "online_model/structure/evidence.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// A few sizes have one whole or other in common, and one piece.
constexpr size_t kFewestWholes = 3;

// What the wholes and the pieces are, one of each rank.
struct Pieces {
  std::vector<Sample> wholes, pieces;
  bool any_shorter = false;  // a last one
};

// Of one rank, by place; false where places are missing, or one before the last
// differs from the first. Of one place alone it is not known how long a piece
// would be.
bool AddRank(Samples places, Pieces* all) {
  Sample one = places[0];
  const int64_t length = one.where.length, piece = one.value;
  if (int64_t(places.size()) != length || piece <= 0) return false;
  int64_t sum = 0;
  for (int64_t k = 0; k < length; ++k) {
    const Sample& s = places[size_t(k)];
    const bool fits = k + 1 < length ? s.value == piece : s.value <= piece;
    if (s.where.position != k || !fits || s.value <= 0) return false;
    if (__builtin_add_overflow(sum, s.value, &sum)) return false;
    all->any_shorter = all->any_shorter || s.value < piece;
  }
  one.where.position = one.where.length = 0;
  if (length > 1) all->pieces.push_back(one);
  one.value = sum;
  all->wholes.push_back(one);
  return true;
}

std::optional<Pieces> PiecesOf(Samples samples) {
  Pieces all;
  while (!samples.empty()) {
    const Context& of = samples[0].where;
    const auto end = std::ranges::find_if(samples, [&of](const Sample& s) {
      return s.where.grid != of.grid || s.where.rank != of.rank;
    });
    const auto places = size_t(end - samples.begin());
    if (!AddRank(samples.first(places), &all)) return std::nullopt;
    samples = samples.subspan(places);
  }
  if (!all.any_shorter) return std::nullopt;
  return all;
}

// The piece at each place, of which the last may be shorter.
ExpressionPtr PieceAtPlace(ExpressionPtr whole, const ExpressionPtr& piece) {
  ExpressionPtr left =
      Combine(Op::kSubtract, std::move(whole),
              Combine(Op::kMultiply, piece,
                      FeatureExpression(Feature::Kind::kPosition)));
  return Combine(Op::kMinimum, piece, std::move(left));
}

// What each of as many places as there are gets, rounded up.
ExpressionPtr RoundedUpShare(ExpressionPtr whole) {
  const ExpressionPtr places = FeatureExpression(Feature::Kind::kLength);
  return Combine(
      Op::kDivide,
      AffineExpression(1, Combine(Op::kAdd, std::move(whole), places), -1),
      places);
}

}  // namespace

ExpressionPtr FindPieces(Samples samples, SearchSpace space) {
  const auto all = PiecesOf(samples);
  if (!all || OneOfEachSize(all->wholes).size() < kFewestWholes ||
      OneOfEachSize(all->pieces).size() < kFewestWholes) {
    return nullptr;
  }
  space.array = space.counts = space.ranked = false;
  const auto piece = FindScalarLaw(all->pieces, space);
  if (!piece) return nullptr;
  const auto whole = FindScalarLaw(all->wholes, space);
  if (!whole) return nullptr;
  ExpressionPtr law = PieceAtPlace(ExpressionOf(*whole), ExpressionOf(*piece));
  if (!Gives(*law, samples)) return nullptr;
  if (piece->IsOneNumber()) return law;
  // All of the whole is cut only by what is rounded up.
  ExpressionPtr shared =
      PieceAtPlace(ExpressionOf(*whole), RoundedUpShare(ExpressionOf(*whole)));
  return Gives(*shared, samples) ? AgreedExpression(law, shared) : law;
}

}  // namespace ranksight::online_model
