#include "online_model/structure/feature.h"

#include <algorithm>
#include <bit>

namespace ranksight::online_model {
namespace {

int64_t PowerOfTwo(int64_t exponent) {
  return exponent < 0 || exponent > 40 ? 0 : int64_t{1} << exponent;
}

// Where one side is a multiple q of the other, q neighbours along the longer
// one move together (as in the NAS CG benchmark). Without one: the own rank.
int64_t Transposed(const Context& c) {
  const int64_t rows = c.dim(0), columns = c.dim(1);
  if (columns % rows == 0) {
    const int64_t q = columns / rows;
    const int64_t x = c.at[0], y = c.at[1] / q, low = c.at[1] % q;
    return q * (y * rows + x) + low;
  }
  if (rows % columns != 0) return c.rank;
  const int64_t q = rows / columns;
  const int64_t x = c.at[0] / q, low = c.at[0] % q, y = c.at[1];
  return (y * q + low) * columns + x;
}

// The most k with 2^k < n that has 2^k divide x.
int64_t Twos(int64_t x, int64_t n) {
  int64_t k = 0;
  while ((int64_t{2} << k) < n && x % (int64_t{2} << k) == 0) ++k;
  return k;
}

int64_t CeilLog2(int64_t v) { return std::bit_width(uint64_t(v - 1)); }

int64_t Zeros(const Context& c) {
  return c.rank == 0 ? CeilLog2(c.ranks()) : std::countr_zero(uint64_t(c.rank));
}

int64_t Above(int64_t rank) {
  return int64_t{1} << std::bit_width(uint64_t(rank));
}

int64_t Children(const Context& c) {
  return std::max<int64_t>(
      0, CeilLog2(c.ranks() - c.rank) - std::bit_width(uint64_t(c.rank)));
}

int64_t WithBit(int64_t n, int64_t k) {
  if (k < 0 || k > 40) return 0;
  const int64_t bit = int64_t{1} << k;
  return n / (2 * bit) * bit + std::max<int64_t>(0, n % (2 * bit) - bit);
}

int64_t Coarsest(const Context& c, int64_t first) {
  for (int64_t level = 0;; ++level) {
    bool takes_part = true;
    for (int d = 0; d < c.grid->size(); ++d) {
      const int64_t apart = std::max<int64_t>(1, c.dim(d) >> level);
      takes_part = takes_part && (c.at[size_t(d)] + first) % apart == 0;
    }
    if (takes_part) return level;
  }
}

// The place in a list of all ranks that the one at hand is where the own rank
// has that place, but is left out.
int64_t PlaceAmongAll(const Context& c, int64_t own) {
  if (c.length == c.ranks()) return c.position;
  return c.position + (c.position >= own ? 1 : 0);
}

bool HasPartners(const Context& c) {
  return c.position >= 0 && c.position < c.length &&
         (c.length == c.ranks() || c.length == c.ranks() - 1);
}

// Of the numbers that some rank's bits differ by from the own one's, the one at
// this place: bit by bit, by how many ranks there are without it.
int64_t BitsApart(const Context& c) {
  if (!HasPartners(c)) return kNotWhole;
  int64_t left = PlaceAmongAll(c, 0), apart = 0;
  for (int b = std::bit_width(uint64_t(c.ranks() - 1)); b-- > 0;) {
    const int64_t first = (c.rank ^ apart) >> b << b;
    const int64_t without =
        std::clamp<int64_t>(c.ranks() - first, 0, int64_t{1} << b);
    if (left < without) continue;
    left -= without;
    apart |= int64_t{1} << b;
  }
  return apart;
}

int64_t SumOfBoth(const Context& c) {
  if (!HasPartners(c)) return kNotWhole;
  return PlaceAmongAll(c, 2 * c.rank % c.ranks());
}

}  // namespace

int64_t Feature::At(const Context& c) const {
  switch (kind) {
    case Kind::kRanks:
      return c.ranks();
    case Kind::kRank:
      return c.rank;
    case Kind::kDim:
      return c.dim(index);
    case Kind::kCoord:
      return c.at[size_t(index)];
    case Kind::kFirst:
      return c.at[size_t(index)] == 0;
    case Kind::kLast:
      return c.at[size_t(index)] == c.dim(index) - 1;
    case Kind::kPerDim:
      return c.ranks() / c.dim(index);
    case Kind::kLog2:
      return std::bit_width(uint64_t(c.ranks())) - 1;
    case Kind::kStages:
      return CeilLog2(c.ranks());
    case Kind::kOtherRank:
      return c.rank != 0;
    case Kind::kStageSum: {
      const int64_t stages = std::bit_width(uint64_t(c.ranks())) - 1;
      return stages * (stages + 1) / 2;
    }
    case Kind::kZeros:
      return Zeros(c);
    case Kind::kLowBit:
      return PowerOfTwo(Zeros(c));
    case Kind::kStagesLeft:
      return CeilLog2(c.ranks() - c.rank);
    case Kind::kAbove:
      return Above(c.rank);
    case Kind::kChildren:
      return Children(c);
    case Kind::kWithBit:
      return WithBit(c.ranks(), c.position);
    case Kind::kPowerLeft:
      return c.ranks() - PowerOfTwo(c.position);
    case Kind::kPosition:
      return c.position;
    case Kind::kLength:
      return c.length;
    case Kind::kDegree:
      return list->Degree(c);
    case Kind::kZeroRank:
      return c.rank == 0;
    case Kind::kEndRank:
      return c.rank == c.ranks() - 1;
    case Kind::kLog2Dim:
      return std::bit_width(uint64_t(c.dim(index))) - 1;
    case Kind::kBack:
      return c.length - 1 - c.position;
    case Kind::kPower:
      return PowerOfTwo(c.position);
    case Kind::kBackPower:
      return PowerOfTwo(c.length - 1 - c.position);
    case Kind::kFirstPlace:
      return c.position == 0;
    case Kind::kLastPlace:
      return c.position == c.length - 1;
    case Kind::kTwos:
      return Twos(c.at[size_t(index)], c.dim(index));
    case Kind::kLeft:
      return c.dim(index) - c.at[size_t(index)];
    case Kind::kTransposed:
      return Transposed(c);
    case Kind::kAlone:
      return c.ranks() == 1;
    case Kind::kCoarsest:
      return Coarsest(c, 0);
    case Kind::kCoarsestFromOne:
      return Coarsest(c, 1);
    case Kind::kBitsApart:
      return BitsApart(c);
    case Kind::kSumOfBoth:
      return SumOfBoth(c);
  }
  return 0;
}

std::string Feature::ToString() const {
  const std::string i = std::to_string(index);
  switch (kind) {
    case Kind::kRanks:
      return "N";
    case Kind::kRank:
      return "r";
    case Kind::kDim:
      return "d" + i;
    case Kind::kCoord:
      return "x" + i;
    case Kind::kFirst:
      return "(x" + i + " == 0)";
    case Kind::kLast:
      return "(x" + i + " == d" + i + "-1)";
    case Kind::kPerDim:
      return "N/d" + i;
    case Kind::kLog2:
      return "log2(N)";
    case Kind::kPosition:
      return "k";
    case Kind::kLength:
      return "n";
    case Kind::kDegree:
      return "neighbours" + list->ToString();
    case Kind::kZeroRank:
      return "(r == 0)";
    case Kind::kEndRank:
      return "(r == N-1)";
    case Kind::kLog2Dim:
      return "log2(d" + i + ")";
    case Kind::kBack:
      return "(n-1-k)";
    case Kind::kPower:
      return "2^k";
    case Kind::kBackPower:
      return "2^(n-1-k)";
    case Kind::kFirstPlace:
      return "(k == 0)";
    case Kind::kLastPlace:
      return "(k == n-1)";
    case Kind::kTwos:
      return "twos(x" + i + ")";
    case Kind::kLeft:
      return "(d" + i + "-x" + i + ")";
    case Kind::kTransposed:
      return "transposed(r)";
    case Kind::kAlone:
      return "(N == 1)";
    case Kind::kCoarsest:
      return "coarsest(x)";
    case Kind::kCoarsestFromOne:
      return "coarsest(x+1)";
    case Kind::kStages:
      return "ceil(log2(N))";
    case Kind::kZeros:
      return "zeros(r)";
    case Kind::kLowBit:
      return "low_bit(r)";
    case Kind::kStagesLeft:
      return "ceil(log2(N-r))";
    case Kind::kAbove:
      return "above(r)";
    case Kind::kChildren:
      return "children(r)";
    case Kind::kWithBit:
      return "with_bit(N, k)";
    case Kind::kPowerLeft:
      return "(N-2^k)";
    case Kind::kStageSum:
      return "(1+...+log2(N))";
    case Kind::kOtherRank:
      return "(r != 0)";
    case Kind::kBitsApart:
      return "bits_apart(k)";
    case Kind::kSumOfBoth:
      return "sum_of_both(k)";
  }
  return "";
}

bool Feature::UsesBits() const {
  switch (kind) {
    case Kind::kLog2:
    case Kind::kLog2Dim:
    case Kind::kPower:
    case Kind::kBackPower:
    case Kind::kTwos:
    case Kind::kCoarsest:
    case Kind::kCoarsestFromOne:
      return true;
    case Kind::kOtherRank:
    case Kind::kBitsApart:
    case Kind::kSumOfBoth:
      return false;
    default:
      return kind >= Kind::kStages;
  }
}

bool Feature::IsCondition() const {
  switch (kind) {
    case Kind::kFirst:
    case Kind::kLast:
    case Kind::kZeroRank:
    case Kind::kEndRank:
    case Kind::kOtherRank:
    case Kind::kFirstPlace:
    case Kind::kLastPlace:
    case Kind::kAlone:
      return true;
    default:
      return false;
  }
}

bool Feature::IsOfSize() const {
  switch (kind) {
    case Kind::kRanks:
    case Kind::kDim:
    case Kind::kPerDim:
    case Kind::kLog2:
    case Kind::kLog2Dim:
    case Kind::kStages:
    case Kind::kStageSum:
    case Kind::kAlone:
      return true;
    default:
      return false;
  }
}

double Feature::cost() const {
  switch (kind) {
    case Kind::kRanks:
    case Kind::kRank:
    case Kind::kPosition:
    case Kind::kLength:
    case Kind::kBack:
    case Kind::kDegree:
      return 1;
    case Kind::kDim:
    case Kind::kCoord:
      return 1.5;
    case Kind::kTransposed:
    case Kind::kBackPower:
      return 3;
    case Kind::kPower:
      return 2.5;
    default:
      return 2;
  }
}

namespace {

void AddTrees(bool array, bool counts, std::vector<Feature>* features) {
  using Kind = Feature::Kind;
  for (const Kind kind : kTreeKinds) {
    if (counts || kind == kTreeKinds[0])
      features->push_back({kind, 0, nullptr});
  }
  if (!array) return;
  features->push_back({Kind::kWithBit, 0, nullptr});
  features->push_back({Kind::kPowerLeft, 0, nullptr});
}

}  // namespace

std::vector<Feature> GridFeatures(int ndims, bool array, bool counts,
                                  bool halved) {
  using Kind = Feature::Kind;
  std::vector<Feature> features;
  const auto add = [&](Kind kind, int index) {
    features.push_back({kind, index, nullptr});
  };
  if (array) {
    add(Kind::kPosition, 0);
    add(Kind::kLength, 0);
    add(Kind::kBack, 0);
    add(Kind::kPower, 0);
    add(Kind::kBackPower, 0);
    add(Kind::kFirstPlace, 0);
    add(Kind::kLastPlace, 0);
  }
  add(Kind::kRanks, 0);
  add(Kind::kRank, 0);
  add(Kind::kLog2, 0);
  add(Kind::kZeroRank, 0);
  add(Kind::kEndRank, 0);
  for (int d = 0; d < ndims; ++d) {
    add(Kind::kFirst, d);
    add(Kind::kLast, d);
    if (counts) {
      add(Kind::kTwos, d);
      add(Kind::kLeft, d);
    }
    if (ndims == 1) continue;  // d0 is N, x0 is r
    add(Kind::kDim, d);
    add(Kind::kCoord, d);
    add(Kind::kLog2Dim, d);
    if (ndims > 2) add(Kind::kPerDim, d);
  }
  if (ndims == 2) add(Kind::kTransposed, 0);
  // The same as kLog2 at powers of two. On grids it explains by chance.
  if (!halved && ndims == 1) AddTrees(array, counts, &features);
  if (counts && ndims == 1) add(Kind::kStageSum, 0);
  if (counts && halved) {
    add(Kind::kCoarsest, 0);
    add(Kind::kCoarsestFromOne, 0);
  }
  return features;
}

}  // namespace ranksight::online_model
