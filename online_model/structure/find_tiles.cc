#include "online_model/structure/find_tiles.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

constexpr int64_t kAlike = 0;  // in place of a whole: amounts do not differ

// Amounts along a side, on all its lines: those of longer blocks, which come
// first, and those of others.
struct BlockLine {
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
  const int64_t points = less / (more - less);
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
                                  int side) {
  std::map<Coordinates, std::map<int64_t, int64_t>> lines;
  for (const Sample* s : samples) {
    Coordinates others = s->where.at;
    const int64_t place = std::exchange(others[size_t(side)], 0);
    const auto [it, added] = lines[others].try_emplace(place, s->value);
    if (!added && it->second != s->value) return std::nullopt;
  }
  BlockLine line;
  for (const auto& [others, amounts] : lines) {
    if (!AddBlockLine(amounts, &line)) return std::nullopt;
  }
  if (line.points == 0) return kAlike;
  if (line.last_long > line.first_short) return std::nullopt;
  if (line.last_long + 1 != line.first_short) return kAlike;
  return line.points * samples[0]->where.dim(side) + line.first_short;
}

ExpressionPtr BlockOf(int64_t whole, int side) {
  Expression block;
  block.op = Op::kBlock;
  block.value = side;
  block.a = ConstantExpression(whole);
  return std::make_shared<const Expression>(std::move(block));
}

ExpressionPtr SideOf(int side) {
  return FeatureExpression({Feature::Kind::kDim, side, nullptr});
}

bool Gives(const ExpressionPtr& e, Samples samples) {
  return std::all_of(samples.begin(), samples.end(), [&e](const Sample& s) {
    return e->At(s.where) == s.value;
  });
}

// What is to be multiplied with the blocks: the same for all sizes, or shared
// out evenly along one of the sides left. nullptr if neither.
ExpressionPtr ScaleOf(Samples samples, const ExpressionPtr& blocks,
                      const std::vector<int>& left) {
  const auto scale = [&blocks](const Sample& s) {
    const int64_t points = blocks->At(s.where);
    return points > 0 && s.value % points == 0 ? s.value / points : 0;
  };
  const auto same = [&](auto&& of) {
    const int64_t first = of(samples[0]);
    return first > 0 &&
           std::all_of(samples.begin(), samples.end(),
                       [&](const Sample& s) { return of(s) == first; });
  };
  if (same(scale)) return ConstantExpression(scale(samples[0]));
  for (const int side : left) {
    const auto whole = [&](const Sample& s) {
      return scale(s) * s.where.dim(side);
    };
    if (!same(whole)) continue;
    return Combine(Op::kDivideExactly, ConstantExpression(whole(samples[0])),
                   SideOf(side));
  }
  return nullptr;
}

}  // namespace

ExpressionPtr FindTiles(Samples samples, int ndims) {
  std::map<const Grid*, std::vector<const Sample*>> grids;
  for (const Sample& s : samples) grids[s.where.grid].push_back(&s);
  ExpressionPtr blocks;
  std::vector<int> left;
  for (int side = 0; side < ndims; ++side) {
    int64_t whole = kAlike;
    for (const auto& [grid, on] : grids) {
      const auto seen = WholeAlong(on, side);
      if (!seen || (whole != kAlike && *seen != kAlike && *seen != whole)) {
        return nullptr;
      }
      if (*seen != kAlike) whole = *seen;
    }
    if (whole == kAlike) {
      left.push_back(side);
      continue;
    }
    const ExpressionPtr block = BlockOf(whole, side);
    blocks = blocks == nullptr ? block : Combine(Op::kMultiply, blocks, block);
  }
  if (blocks == nullptr) return nullptr;
  const ExpressionPtr scale = ScaleOf(samples, blocks, left);
  if (scale == nullptr) return nullptr;
  const bool one = scale->op == Op::kConstant;
  ExpressionPtr e = one ? AffineExpression(scale->value, blocks, 0)
                        : Combine(Op::kMultiply, scale, blocks);
  return Gives(e, samples) ? e : nullptr;
}

}  // namespace ranksight::online_model
