#include "online_model/structure/find_travelling.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "online_model/structure/cut_whole.h"
#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// How many places a rank may be ahead of, or behind, its own block at first.
// Each costs one look at a sample.
constexpr int64_t kFarthest = 3;

// Which ring, and which way the blocks go.
struct Ring {
  int dim = 0;
  bool back = false;

  int64_t PlaceOf(const Context& c) const {
    const int64_t n = c.dim(dim);
    const int64_t k = back ? -c.position : c.position;
    return ((c.at[size_t(dim)] + k) % n + n) % n;
  }
  ExpressionPtr Length(int ndims) const { return Line{dim, ndims}.Parts(); }
  ExpressionPtr Place(int ndims, int64_t from) const {
    using Kind = Feature::Kind;
    const ExpressionPtr k = FeatureExpression({Kind::kPosition, 0, nullptr});
    const ExpressionPtr x = Line{dim, ndims}.PlaceLaw();
    return Combine(Op::kRemainder,
                   AffineExpression(
                       1, Combine(back ? Op::kSubtract : Op::kAdd, x, k), from),
                   Length(ndims));
  }
};

// The amount of each block, by size of the run.
using Blocks = std::map<const Grid*, std::map<int64_t, int64_t>>;

// Nothing where one block has two amounts, or where one was never seen.
std::optional<Blocks> BlocksOf(Samples samples, const Ring& ring) {
  Blocks blocks;
  for (const Sample& s : samples) {
    const auto [it, added] =
        blocks[s.where.grid].try_emplace(ring.PlaceOf(s.where), s.value);
    if (!added && it->second != s.value) return std::nullopt;
  }
  for (const auto& [grid, amounts] : blocks) {
    if (int64_t(amounts.size()) != grid->dims[size_t(ring.dim)]) {
      return std::nullopt;
    }
  }
  return blocks;
}

// What amounts differ by: blocks differ by one at most.
int64_t ScaleOf(const Blocks& blocks) {
  int64_t scale = 0;
  for (const auto& [grid, amounts] : blocks) {
    for (const auto& [place, v] : amounts) {
      scale = std::gcd(scale, v - amounts.begin()->second);
    }
  }
  return scale;
}

// Whether longer blocks come, and of one size three blocks, so that they show
// which way they go; and several ranks have them, so that they are seen to
// travel: those of one rank alone stand where they stand. All blocks of a size
// tell the whole, so that one size says enough of which are the longer ones.
bool Tell(const Blocks& blocks, Samples samples, const Ring& ring) {
  std::map<const Grid*, std::set<int64_t>> ranks;
  for (const Sample& s : samples) {
    ranks[s.where.grid].insert(s.where.at[size_t(ring.dim)]);
  }
  return std::any_of(blocks.begin(), blocks.end(), [&](const auto& of_size) {
    const auto& [grid, amounts] = of_size;
    const bool differ =
        std::any_of(amounts.begin(), amounts.end(),
                    [&first = amounts.begin()->second](const auto& a) {
                      return a.second != first;
                    });
    return differ && ranks[grid].size() >= 2 && amounts.size() >= 3;
  });
}

ExpressionPtr LawOf(const Ring& ring, int ndims, int64_t whole, int64_t scale,
                    int64_t from, int64_t add) {
  return AffineExpression(
      scale,
      BlockAtExpression(ConstantExpression(whole), ring.Length(ndims),
                        ring.Place(ndims, from)),
      add);
}

ExpressionPtr FindOn(Samples samples, int ndims, const Ring& ring) {
  const auto blocks = BlocksOf(samples, ring);
  if (!blocks) return nullptr;
  const int64_t scale = ScaleOf(*blocks);
  if (scale == 0 || !Tell(*blocks, samples, ring)) return nullptr;
  const auto& amounts = blocks->begin()->second;
  for (const int64_t add : {int64_t{0}, scale, 2 * scale}) {
    int64_t whole = 0;
    for (const auto& [place, v] : amounts) whole += (v - add) / scale;
    if (whole <= 0) continue;
    for (int64_t i = 0; i <= 2 * kFarthest; ++i) {
      const int64_t from = i % 2 == 0 ? i / 2 : -(i + 1) / 2;
      ExpressionPtr e = LawOf(ring, ndims, whole, scale, from, add);
      if (Gives(*e, samples)) return e;
    }
  }
  return nullptr;
}

}  // namespace

ExpressionPtr FindTravelling(Samples samples, int ndims) {
  for (int dim = 0; dim < ndims; ++dim) {
    for (const bool back : {true, false}) {
      if (auto e = FindOn(samples, ndims, {dim, back})) return e;
    }
  }
  return nullptr;
}

}  // namespace ranksight::online_model
