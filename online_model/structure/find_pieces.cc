#include "online_model/structure/find_pieces.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// A few sizes have one whole or other in common, and one piece.
constexpr size_t kFewestWholes = 3;

// The samples of each rank of each run, by place.
using OfRanks =
    std::map<std::pair<const Grid*, int64_t>, std::map<int64_t, Sample>>;

OfRanks SamplesOfRanks(Samples samples) {
  OfRanks of_ranks;
  for (const Sample& s : samples) {
    of_ranks[{s.where.grid, s.where.rank}].emplace(s.where.position, s);
  }
  return of_ranks;
}

// What the wholes and the pieces are, one of each rank.
struct Pieces {
  std::vector<Sample> wholes, pieces;
};

// nullopt where places are missing, or one before the last differs from the
// first. Of one place alone it is not known how long a piece would be.
std::optional<Pieces> PiecesOf(const OfRanks& of_ranks) {
  Pieces all;
  bool any_shorter = false;
  for (const auto& [rank, places] : of_ranks) {
    Sample whole = places.begin()->second;
    const int64_t length = whole.where.length, piece = whole.value;
    if (int64_t(places.size()) != length || piece <= 0) return std::nullopt;
    whole.where.position = whole.where.length = 0;
    Sample first = whole;
    whole.value = 0;
    for (const auto& [place, s] : places) {
      const bool is_last = place + 1 == length;
      if (s.value != piece && !is_last) return std::nullopt;
      if (s.value > piece || s.value <= 0) return std::nullopt;
      whole.value += s.value;
      any_shorter = any_shorter || s.value < piece;
    }
    all.wholes.push_back(whole);
    if (length > 1) all.pieces.push_back(first);
  }
  if (!any_shorter) return std::nullopt;
  return all;
}

size_t CountSizes(Samples samples) {
  std::vector<const Grid*> grids;
  for (const Sample& s : samples) grids.push_back(s.where.grid);
  std::ranges::sort(grids);
  return size_t(std::ranges::unique(grids).begin() - grids.begin());
}

}  // namespace

ExpressionPtr FindPieces(Samples samples, SearchSpace space) {
  const auto all = PiecesOf(SamplesOfRanks(samples));
  if (!all || CountSizes(all->wholes) < kFewestWholes ||
      CountSizes(all->pieces) < kFewestWholes) {
    return nullptr;
  }
  space.array = space.counts = space.ranked = false;
  const auto piece = FindScalarLaw(all->pieces, space);
  if (!piece) return nullptr;
  const auto whole = FindScalarLaw(all->wholes, space);
  if (!whole) return nullptr;
  const ExpressionPtr each = ExpressionOf(*piece);
  ExpressionPtr left =
      Combine(Op::kSubtract, ExpressionOf(*whole),
              Combine(Op::kMultiply, each,
                      FeatureExpression(Feature::Kind::kPosition)));
  ExpressionPtr law = Combine(Op::kMinimum, each, std::move(left));
  return Gives(*law, samples) ? law : nullptr;
}

}  // namespace ranksight::online_model
