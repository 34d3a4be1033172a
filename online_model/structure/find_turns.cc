#include "online_model/structure/find_turns.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;

// Two ways along each of three sides, twice over.
constexpr size_t kMostStretches = 12;
// Of fewer places each they are a list of neighbours, and no way through a
// loop.
constexpr size_t kLeastPlaces = 4;

// So many places on along a side, around it where that leads beyond its end.
struct Move {
  int dim;
  int64_t by;
  auto operator<=>(const Move&) const = default;

  bool Gives(const Sample& s) const {
    Coordinates to = s.where.at;
    const int64_t n = s.where.dim(dim);
    to[size_t(dim)] = ((to[size_t(dim)] + by) % n + n) % n;
    return s.where.grid->RankOf(to) == s.value;
  }
  ExpressionPtr Law() const {
    Expression e;
    e.op = Op::kMove;
    e.value = dim;
    e.a = ConstantExpression(by);
    return std::make_shared<const Expression>(std::move(e));
  }
};

std::vector<Move> NearMoves(int ndims) {
  std::vector<Move> moves;
  for (int d = 0; d < ndims; ++d) {
    for (const int64_t by : {1, -1, 2, -2}) moves.push_back({d, by});
  }
  return moves;
}

// From this place on.
struct Stretch {
  int64_t begin;
  std::vector<Move> moves;  // that give all of it
};

using ByPlace = std::map<int64_t, std::vector<const Sample*>>;

// As long as any move goes on.
std::vector<Stretch> StretchesOf(const ByPlace& places, int ndims) {
  std::vector<Stretch> stretches;
  for (const auto& [place, samples] : places) {
    const auto fits = [&samples = samples](const Move& m) {
      return std::all_of(samples.begin(), samples.end(),
                         [&m](const Sample* s) { return m.Gives(*s); });
    };
    if (!stretches.empty()) {
      std::vector<Move> left;
      std::copy_if(stretches.back().moves.begin(), stretches.back().moves.end(),
                   std::back_inserter(left), fits);
      if (!left.empty()) {
        stretches.back().moves = std::move(left);
        continue;
      }
    }
    if (stretches.size() == kMostStretches) return {};
    std::vector<Move> all = NearMoves(ndims), left;
    std::copy_if(all.begin(), all.end(), std::back_inserter(left), fits);
    if (left.empty()) return {};
    stretches.push_back({place, std::move(left)});
  }
  return stretches;
}

}  // namespace

ExpressionPtr FindTurns(std::span<const Sample> samples, int ndims) {
  ByPlace places;
  for (const Sample& s : samples) {
    if (s.where.length != samples[0].where.length) return nullptr;
    if (s.value < 0 || s.value >= s.where.ranks()) return nullptr;
    places[s.where.position].push_back(&s);
  }
  const std::vector<Stretch> stretches = StretchesOf(places, ndims);
  if (stretches.size() < 2 || places.size() < kLeastPlaces * stretches.size()) {
    return nullptr;
  }
  const ExpressionPtr place =
      FeatureExpression({Feature::Kind::kPosition, 0, nullptr});
  ExpressionPtr law = stretches.back().moves[0].Law();
  for (size_t i = stretches.size() - 1; i-- > 0;) {
    const ExpressionPtr before =
        Combine(Op::kLess, place, ConstantExpression(stretches[i + 1].begin));
    law = SelectExpression(before, stretches[i].moves[0].Law(), law);
  }
  return law;
}

}  // namespace ranksight::online_model
