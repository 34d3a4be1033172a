#include "online_model/structure/find_tiles.h"

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

constexpr int64_t kAlike = 0;  // in place of a whole: amounts do not differ

// What is added to a block, those that programs have more often first: nothing,
// halos on both sides, one point more or less, ...
constexpr int64_t kHalos[] = {0, 2, 1, -1, 4, -2, 3, 6, -3, -4, 5, 8};

// A factor of the amount: blocks of a whole along a side, each with its halo.
struct Blocks {
  int side = 0;
  int64_t whole = 0, halo = 0;
};

// Amounts along a side, on all its lines: those of longer blocks, which come
// first, and those of others.
struct BlockLine {
  int64_t halo = 0;
  int64_t last_long = -1, first_short = -1;
  int64_t points = 0;  // of the shorter blocks
};

// Adds one line of the side, place by place; false where its amounts are not
// those of two blocks that differ by one, the longer ones first.
bool AddBlockLine(const std::map<int64_t, int64_t>& amounts, BlockLine* line) {
  const int64_t more = amounts.begin()->second;
  const int64_t less = amounts.rbegin()->second;
  if (more == less) {
    return std::all_of(amounts.begin(), amounts.end(),
                       [more](const auto& a) { return a.second == more; });
  }
  if (less <= 0 || more <= less || less % (more - less) != 0) return false;
  const int64_t points = less / (more - less) - line->halo;
  if (points <= 0) return false;
  if (line->points != 0 && line->points != points) return false;
  line->points = points;
  for (const auto& [place, v] : amounts) {
    if (v == more) {
      line->last_long = std::max(line->last_long, place);
    } else if (v == less) {
      if (line->first_short < 0 || place < line->first_short) {
        line->first_short = place;
      }
    } else {
      return false;
    }
  }
  return true;
}

// The whole that is cut along the side of one grid; kAlike where all its blocks
// are as long or it is not told where the longer ones end, nothing where the
// amounts are not those of blocks.
std::optional<int64_t> WholeAlong(const std::vector<const Sample*>& samples,
                                  int side, int64_t halo) {
  std::map<Coordinates, std::map<int64_t, int64_t>> lines;
  for (const Sample* s : samples) {
    Coordinates others = s->where.at;
    const int64_t place = std::exchange(others[size_t(side)], 0);
    const auto [it, added] = lines[others].try_emplace(place, s->value);
    if (!added && it->second != s->value) return std::nullopt;
  }
  BlockLine line;
  line.halo = halo;
  for (const auto& [others, amounts] : lines) {
    if (!AddBlockLine(amounts, &line)) return std::nullopt;
  }
  if (line.points == 0) return kAlike;
  if (line.last_long > line.first_short) return std::nullopt;
  if (line.last_long + 1 != line.first_short) return kAlike;
  return line.points * samples[0]->where.dim(side) + line.first_short;
}

using SamplesByGrid = std::map<const Grid*, std::vector<const Sample*>>;

// The same for all grids.
std::optional<int64_t> WholeAlong(const SamplesByGrid& grids, int side,
                                  int64_t halo) {
  int64_t whole = kAlike;
  for (const auto& [grid, on] : grids) {
    const auto seen = WholeAlong(on, side, halo);
    if (!seen || (whole != kAlike && *seen != kAlike && *seen != whole)) {
      return std::nullopt;
    }
    if (*seen != kAlike) whole = *seen;
  }
  return whole;
}

ExpressionPtr SideOf(int side) {
  return FeatureExpression({Feature::Kind::kDim, side, nullptr});
}

ExpressionPtr BlockOf(const Blocks& b) {
  return AffineExpression(1, BlockExpression(b.whole, b.side), b.halo);
}

// What is left of the amounts when some factors are taken out.
struct Rest {
  Samples samples;
  std::vector<int64_t> values;  // one for each

  // nullopt where the factor is none.
  std::optional<Rest> Without(const ExpressionPtr& factor) const {
    Rest rest = *this;
    for (size_t i = 0; i < samples.size(); ++i) {
      const int64_t f = factor->At(samples[i].where);
      if (f <= 0 || values[i] % f != 0) return std::nullopt;
      rest.values[i] = values[i] / f;
    }
    return rest;
  }
  // Shared out evenly along the side.
  Rest Gathered(int side) const {
    Rest rest = *this;
    for (size_t i = 0; i < samples.size(); ++i) {
      rest.values[i] =
          CheckedValue(__int128(values[i]) * samples[i].where.dim(side));
    }
    return rest;
  }
  bool IsConstant() const {
    return values[0] > 0 &&
           std::all_of(values.begin(), values.end(),
                       [this](int64_t v) { return v == values[0]; });
  }
};

// (whole / d<side> + halo) that the rest is a multiple of, where all sizes cut
// the whole without a remainder; nullptr where there is none. The whole, the
// halo and the multiple are three numbers: the side must have had more lengths.
ExpressionPtr EvenShareOf(const Rest& rest, int side, int64_t halo) {
  constexpr size_t kFewestLengths = 4;
  std::map<int64_t, int64_t> by_length;
  for (size_t i = 0; i < rest.samples.size(); ++i) {
    const int64_t d = rest.samples[i].where.dim(side);
    if (by_length.try_emplace(d, rest.values[i]).first->second !=
        rest.values[i]) {
      return nullptr;
    }
  }
  if (by_length.size() < kFewestLengths) return nullptr;
  const auto [d1, v1] = *by_length.begin();
  const auto [d2, v2] = *by_length.rbegin();
  const __int128 by = __int128(v1) * d1 - __int128(v2) * d2;
  const __int128 times = __int128(halo) * (v2 - v1) * d1 * d2;
  if (by == 0 || times % by != 0) return nullptr;
  const int64_t whole = CheckedValue(times / by);
  if (whole <= 0) return nullptr;
  return AffineExpression(
      1, Combine(Op::kDivideExactly, ConstantExpression(whole), SideOf(side)),
      halo);
}

// The rest as a constant, shared out evenly along some of these sides, one of
// which may have a halo. nullptr if it is nothing such.
ExpressionPtr LawOfRest(const Rest& rest, const std::vector<int>& left) {
  for (unsigned even = 0; even < 1u << left.size(); ++even) {
    Rest gathered = rest;
    ExpressionPtr sides;
    for (size_t i = 0; i < left.size(); ++i) {
      if ((even >> i & 1) == 0) continue;
      gathered = gathered.Gathered(left[i]);
      const ExpressionPtr side = SideOf(left[i]);
      sides = sides == nullptr ? side : Combine(Op::kMultiply, sides, side);
    }
    const auto divided = [&sides](int64_t whole) {
      const ExpressionPtr all = ConstantExpression(whole);
      return sides == nullptr ? all : Combine(Op::kDivideExactly, all, sides);
    };
    if (gathered.IsConstant()) return divided(gathered.values[0]);
    for (size_t i = 0; i < left.size(); ++i) {
      if ((even >> i & 1) != 0) continue;
      for (const int64_t halo : kHalos) {
        if (halo == 0) continue;
        const ExpressionPtr share = EvenShareOf(gathered, left[i], halo);
        if (share == nullptr) continue;
        const auto multiple = gathered.Without(share);
        if (!multiple || !multiple->IsConstant()) continue;
        return Combine(Op::kMultiply, divided(multiple->values[0]), share);
      }
    }
  }
  return nullptr;
}

// Tries the ways to give each side that shows blocks its halo.
class TilesFinder {
 public:
  TilesFinder(Samples samples, int ndims) : samples_(samples) {
    SamplesByGrid grids;
    for (const Sample& s : samples) grids[s.where.grid].push_back(&s);
    for (int side = 0; side < ndims; ++side) AddSide(grids, side);
  }

  ExpressionPtr Find() const {
    if (!all_fit_ || sides_.empty()) return nullptr;
    Rest rest{samples_, {}};
    for (const Sample& s : samples_) rest.values.push_back(s.value);
    return FindFrom(0, rest, nullptr);
  }

 private:
  void AddSide(const SamplesByGrid& grids, int side) {
    std::vector<Blocks> ways;
    for (const int64_t halo : kHalos) {
      const auto whole = WholeAlong(grids, side, halo);
      if (!whole) continue;
      if (*whole == kAlike) return left_.push_back(side);
      ways.push_back({side, *whole, halo});
    }
    all_fit_ &= !ways.empty();
    sides_.push_back(std::move(ways));
  }

  ExpressionPtr FindFrom(size_t side, const Rest& rest,
                         const ExpressionPtr& blocks) const {
    if (side == sides_.size()) return WithRest(rest, blocks);
    for (const Blocks& way : sides_[side]) {
      const ExpressionPtr block = BlockOf(way);
      const auto without = rest.Without(block);
      if (!without) continue;
      const ExpressionPtr product =
          blocks == nullptr ? block : Combine(Op::kMultiply, blocks, block);
      if (auto e = FindFrom(side + 1, *without, product)) return e;
    }
    return nullptr;
  }

  ExpressionPtr WithRest(const Rest& rest, const ExpressionPtr& blocks) const {
    const ExpressionPtr scale = LawOfRest(rest, left_);
    if (scale == nullptr) return nullptr;
    const bool one = scale->op == Op::kConstant;
    ExpressionPtr e = one ? AffineExpression(scale->value, blocks, 0)
                          : Combine(Op::kMultiply, scale, blocks);
    return Gives(*e, samples_) ? e : nullptr;
  }

  Samples samples_;
  std::vector<std::vector<Blocks>> sides_;  // by side, ways to explain it
  std::vector<int> left_;                   // sides along which none differ
  bool all_fit_ = true;
};

}  // namespace

ExpressionPtr FindTiles(Samples samples, int ndims) {
  return TilesFinder(samples, ndims).Find();
}

}  // namespace ranksight::online_model
