#include "online_model/structure/find_turns.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

// Two ways along each of three sides, twice over.
constexpr size_t kMostStretches = 12;
// Of fewer places each they are a list of neighbours, and no way through a
// loop, unless ranks skip some of them: a loop over the sides, in which those
// at the rim talk to nobody.
constexpr size_t kLeastPlaces = 4;
constexpr int64_t kMostSides = 6;

// So many places on along a side; around: beyond its end begins it anew.
std::vector<ExpressionPtr> NearMoves(int ndims, bool around) {
  std::vector<ExpressionPtr> moves;
  for (int d = 0; d < ndims; ++d) {
    for (const int64_t by : {1, -1, 2, -2}) {
      moves.push_back(StepExpression(d, by, around));
    }
  }
  return moves;
}

// From this place on.
struct Stretch {
  int64_t begin;
  std::vector<ExpressionPtr> moves;  // that give all of it
};

// Those that give all of these.
std::vector<ExpressionPtr> Giving(const std::vector<ExpressionPtr>& moves,
                                  std::span<const Sample> samples) {
  std::vector<ExpressionPtr> giving;
  std::copy_if(moves.begin(), moves.end(), std::back_inserter(giving),
               [&](const ExpressionPtr& m) { return Gives(*m, samples); });
  return giving;
}

using ByPlace = std::map<int64_t, std::vector<Sample>>;

// As long as any move goes on.
std::vector<Stretch> StretchesOf(const ByPlace& places,
                                 const std::vector<ExpressionPtr>& near) {
  std::vector<Stretch> stretches;
  for (const auto& [place, samples] : places) {
    if (!stretches.empty()) {
      auto left = Giving(stretches.back().moves, samples);
      if (!left.empty()) {
        stretches.back().moves = std::move(left);
        continue;
      }
    }
    if (stretches.size() == kMostStretches) return {};
    stretches.push_back({place, Giving(near, samples)});
    if (stretches.back().moves.empty()) return {};
  }
  return stretches;
}

// Whether the loop is so short that each place may be a side, and some rank
// skips one.
bool SkipsSides(std::span<const Sample> samples, const ByPlace& places,
                int64_t length) {
  if (length > kMostSides) return false;
  std::set<std::pair<const Grid*, int64_t>> ranks;
  for (const Sample& s : samples) ranks.insert({s.where.grid, s.where.rank});
  return std::any_of(places.begin(), places.end(), [&ranks](const auto& p) {
    return p.second.size() < ranks.size();
  });
}

}  // namespace

ExpressionPtr FindTurns(std::span<const Sample> samples, int ndims) {
  const int64_t length = samples[0].where.length;
  ByPlace places;
  for (const Sample& s : samples) {
    if (s.where.length != length) return nullptr;
    if (s.value < 0 || s.value >= s.where.ranks()) return nullptr;
    places[s.where.position].push_back(s);
  }
  // Where a side is 2 long, both ways around it lead to the same rank.
  std::vector<Stretch> stretches = StretchesOf(places, NearMoves(ndims, false));
  if (stretches.empty())
    stretches = StretchesOf(places, NearMoves(ndims, true));
  const bool long_enough = places.size() >= kLeastPlaces * stretches.size();
  if (stretches.size() < 2 ||
      (!long_enough && !SkipsSides(samples, places, length))) {
    return nullptr;
  }
  std::vector<ExpressionPtr> moves;
  std::vector<int64_t> begins;
  for (const Stretch& s : stretches) {
    moves.push_back(s.moves[0]);
    begins.push_back(s.begin);
  }
  return StretchesExpression(moves, begins);
}

}  // namespace ranksight::online_model
