#include "online_model/structure/feature.h"

#include <bit>

namespace ranksight::online_model {

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
  }
  return "";
}

double Feature::cost() const {
  switch (kind) {
    case Kind::kRanks:
    case Kind::kRank:
    case Kind::kPosition:
    case Kind::kLength:
    case Kind::kDegree:
      return 1;
    case Kind::kDim:
    case Kind::kCoord:
      return 1.5;
    default:
      return 2;
  }
}

std::vector<Feature> GridFeatures(int ndims, bool array) {
  using Kind = Feature::Kind;
  std::vector<Feature> features;
  const auto add = [&](Kind kind, int index) {
    features.push_back({kind, index, nullptr});
  };
  if (array) {
    add(Kind::kPosition, 0);
    add(Kind::kLength, 0);
  }
  add(Kind::kRanks, 0);
  add(Kind::kRank, 0);
  add(Kind::kLog2, 0);
  add(Kind::kZeroRank, 0);
  add(Kind::kEndRank, 0);
  for (int d = 0; d < ndims; ++d) {
    add(Kind::kFirst, d);
    add(Kind::kLast, d);
    if (ndims == 1) continue;  // d0 is N, x0 is r
    add(Kind::kDim, d);
    add(Kind::kCoord, d);
    if (ndims > 2) add(Kind::kPerDim, d);
  }
  return features;
}

}  // namespace ranksight::online_model
