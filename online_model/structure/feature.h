// Feature: a quantity of a context that laws are made of.
// Thread-safety: value types.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "online_model/structure/context.h"
#include "online_model/structure/neighbours.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {

// No value; below all that a trace can hold.
inline constexpr int64_t kNotWhole = reduction::kSpecialMax - 1000;

struct Feature {
  enum class Kind {
    kRanks,       // N
    kRank,        // r
    kDim,         // d<i>
    kCoord,       // x<i>
    kFirst,       // [x<i> == 0]
    kLast,        // [x<i> == d<i> - 1]
    kPerDim,      // N / d<i>
    kLog2,        // floor(log2 N)
    kPosition,    // k, in an array
    kLength,      // n, of an array
    kDegree,      // neighbours that exist
    kZeroRank,    // [r == 0]
    kEndRank,     // [r == N - 1]
    kLog2Dim,     // floor(log2 d<i>)
    kBack,        // n - 1 - k, in an array
    kPower,       // 2^k, in an array
    kBackPower,   // 2^(n-1-k), in an array
    kFirstPlace,  // [k == 0]
    kLastPlace,   // [k == n - 1]
    kTwos,        // levels x<i> takes part in when each next one takes half
    kLeft,        // d<i> - x<i>
    kTransposed,  // rank at the transposed place of a grid of two dimensions
    kAlone,       // [N == 1]
    // log2 of the ranks of a side that the coarsest level the rank has a part
    // in takes, where each level takes every second of the one before: those
    // at multiples of a power of two, counted from 0 or from 1.
    kCoarsest,
    kCoarsestFromOne,
    kStages,  // ceil(log2 N): doublings until all ranks are reached
    // Trees of any number of ranks, by the low bits of a rank or by the high
    // ones, and what Bruck's exchanges (1997) pass on.
    kZeros,       // zero bits at the end of r, of 0 ceil(log2 N)
    kLowBit,      // 2^kZeros
    kStagesLeft,  // ceil(log2(N-r)): the least k with r + 2^k >= N
    kAbove,       // the least power of two > r
    kChildren,    // powers of two > r to which r can be added below N
    kWithBit,     // numbers below N that have bit k, in an array
    kPowerLeft,   // N - 2^k, in an array
    kStageSum,    // 1 + 2 + ... + log2 N, rounded down: stages within stages
    kOtherRank,   // [r != 0]
    // Everybody with everybody, a partner at each place of a list, which has
    // all ranks or all but the own one: by how many bits they differ, the least
    // first, and what both sum up to, modulo N.
    kBitsApart,
    kSumOfBoth,
  };
  Kind kind = Kind::kRanks;
  int index = 0;
  std::shared_ptr<const Neighbours> list;  // kDegree

  int64_t At(const Context& c) const;
  std::string ToString() const;
  double cost() const;
  bool IsCoarsest() const {
    return kind == Kind::kCoarsest || kind == Kind::kCoarsestFromOne;
  }
  bool UsesBits() const;  // see Expression::UsesBits
  // 1 where something holds, 0 elsewhere, by what it means.
  bool IsCondition() const;
  // The same on all ranks and at all places of a list, by what it means.
  bool IsOfSize() const;
  bool IsLogarithm() const {
    return kind == Kind::kLog2 || kind == Kind::kLog2Dim ||
           kind == Kind::kStages;
  }
};

// Of trees over all ranks, of any number of these; but for the first only how
// often something happens follows them.
inline constexpr std::array kTreeKinds = {
    Feature::Kind::kStages, Feature::Kind::kZeros,
    Feature::Kind::kLowBit, Feature::Kind::kStagesLeft,
    Feature::Kind::kAbove,  Feature::Kind::kChildren};

// Where a list has a partner at each place.
inline constexpr std::array kPartnerKinds = {Feature::Kind::kBitsApart,
                                             Feature::Kind::kSumOfBoth};

// Everything but kDegree, kAlone and kPartnerKinds that makes sense for a grid
// of ndims dimensions; counts: also what only how often something happens
// follows; halved: all sizes are powers of two, so also the levels that halve
// them.
std::vector<Feature> GridFeatures(int ndims, bool array, bool counts,
                                  bool halved);

}  // namespace ranksight::online_model
