// The numbers that stand for kinds of laws, features and operations on disk
// (reduction/FORMAT.md, "Laws"). They are frozen: the order of the C++
// enumerators is free, a new one gets a number that was never used.
//
// Invariants, checked when compiled: every enumerator has one number, and no
// number stands for two. Thread-safety: constants, pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "online_model/structure/dims_rule.h"
#include "online_model/structure/sequence_law.h"

namespace ranksight::online_model {

// The first number of the chunk: how those behind it are to be read.
inline constexpr int64_t kFirstLawCoding = 1;
// Since events say for how many of their requests they stand (kOpenCount).
inline constexpr int64_t kSidesLawCoding = 2;
// Since they say of which sizes the runs were.
inline constexpr int64_t kSizesLawCoding = 3;
// Since they say in which order ranks lie on the grid.
inline constexpr int64_t kOrderLawCoding = 4;
inline constexpr int64_t kLawCoding = kOrderLawCoding;

// Displacements on disk have so many numbers, and a block over the places of a
// list says so where others have a dimension.
inline constexpr int kCodedDims = 4;
static_assert(kMaxDims == kCodedDims, "another coding of laws is needed");

template <class E>
struct Numbered {
  int64_t number;
  E value;
};

inline constexpr auto kFeatureNumbers = [] {
  using K = Feature::Kind;
  return std::to_array<Numbered<K>>({
      {0, K::kRanks},
      {1, K::kRank},
      {2, K::kDim},
      {3, K::kCoord},
      {4, K::kFirst},
      {5, K::kLast},
      {6, K::kPerDim},
      {7, K::kLog2},
      {8, K::kPosition},
      {9, K::kLength},
      {10, K::kDegree},
      {11, K::kZeroRank},
      {12, K::kEndRank},
      {13, K::kLog2Dim},
      {14, K::kBack},
      {15, K::kPower},
      {16, K::kBackPower},
      {17, K::kFirstPlace},
      {18, K::kLastPlace},
      {19, K::kTwos},
      {20, K::kLeft},
      {21, K::kTransposed},
      {22, K::kAlone},
      {23, K::kCoarsest},
      {24, K::kCoarsestFromOne},
      {25, K::kStages},
      {26, K::kZeros},
      {27, K::kLowBit},
      {28, K::kStagesLeft},
      {29, K::kAbove},
      {30, K::kChildren},
      {31, K::kWithBit},
      {32, K::kPowerLeft},
      {33, K::kStageSum},
      {34, K::kOtherRank},
      {35, K::kBitsApart},
      {36, K::kSumOfBoth},
  });
}();

inline constexpr auto kOperationNumbers = [] {
  using O = Expression::Op;
  return std::to_array<Numbered<O>>({
      {0, O::kConstant},      {1, O::kFeature},     {2, O::kAdd},
      {3, O::kSubtract},      {4, O::kMultiply},    {5, O::kDivide},
      {6, O::kDivideExactly}, {7, O::kRemainder},   {8, O::kXor},
      {9, O::kShiftLeft},     {10, O::kShiftRight}, {11, O::kMinimum},
      {12, O::kMaximum},      {13, O::kEqual},      {14, O::kLess},
      {15, O::kSelect},       {16, O::kMove},       {17, O::kBlock},
      {18, O::kCells},        {19, O::kOwn},        {20, O::kShare},
      {21, O::kBits},         {22, O::kBlockAt},    {23, O::kAgreed},
  });
}();

inline constexpr auto kScalarLawNumbers = [] {
  using K = ScalarLaw::Kind;
  return std::to_array<Numbered<K>>({
      {0, K::kAffine},
      {1, K::kNeighbour},
      {2, K::kXor},
      {3, K::kGuarded},
      {4, K::kBlock},
      {5, K::kExpression},
      {6, K::kThere},
  });
}();

inline constexpr auto kSequenceLawNumbers = [] {
  using F = SequenceLaw::Form;
  return std::to_array<Numbered<F>>({
      {0, F::kPositional},
      {1, F::kBySlot},
      {2, F::kByElement},
      {3, F::kByIteration},
      {4, F::kByPlace},
      {5, F::kByRows},
      {6, F::kByRuns},
      {7, F::kByVisit},
      {8, F::kBySlotInLoop},
      {9, F::kByParts},
      {10, F::kAscending},
      {11, F::kByLoopSlot},
  });
}();

inline constexpr auto kDimsRuleNumbers = [] {
  using K = DimsRule::Kind;
  return std::to_array<Numbered<K>>({
      {0, K::kLine},
      {1, K::kEqual},
      {2, K::kBalanced},
      {3, K::kFixed},
      {4, K::kGiven},
      {5, K::kLeastSurface},
      {6, K::kHalves},
      {7, K::kLeastBlockSurface},
      {8, K::kOneFree},
  });
}();

inline constexpr auto kRankOrderNumbers = [] {
  using R = RankOrder;
  return std::to_array<Numbered<R>>({
      {0, R::kRows},
      {1, R::kBackAndForth},
      {2, R::kMorton},
  });
}();

inline constexpr auto kBitOrderNumbers = [] {
  using B = BitOrder::Base;
  return std::to_array<Numbered<B>>({
      {0, B::kSame},
      {1, B::kReversed},
      {2, B::kExchanged},
      {3, B::kEvenFirst},
      {4, B::kEvenApart},
  });
}();

// Whether the table has every enumerator up to the last one once, and every
// number once.
template <class E, size_t N>
constexpr bool NumbersEach(const std::array<Numbered<E>, N>& table, E last) {
  if (N != static_cast<size_t>(last) + 1) return false;
  for (size_t i = 0; i < N; ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (table[i].number == table[j].number) return false;
      if (table[i].value == table[j].value) return false;
    }
  }
  return true;
}
static_assert(NumbersEach(kFeatureNumbers, Feature::Kind::kSumOfBoth));
static_assert(NumbersEach(kOperationNumbers, Expression::Op::kAgreed));
static_assert(NumbersEach(kScalarLawNumbers, ScalarLaw::Kind::kThere));
static_assert(NumbersEach(kSequenceLawNumbers, SequenceLaw::Form::kByLoopSlot));
static_assert(NumbersEach(kDimsRuleNumbers, DimsRule::Kind::kOneFree));
static_assert(NumbersEach(kRankOrderNumbers, RankOrder::kMorton));
static_assert(NumbersEach(kBitOrderNumbers, BitOrder::Base::kEvenApart));

// REQUIRES: the table has it.
template <class E, size_t N>
constexpr int64_t NumberOf(const std::array<Numbered<E>, N>& table, E value) {
  for (const Numbered<E>& row : table) {
    if (row.value == value) return row.number;
  }
  return -1;
}
// Nothing for a number that stands for none.
template <class E, size_t N>
constexpr std::optional<E> ValueOf(const std::array<Numbered<E>, N>& table,
                                   int64_t number) {
  for (const Numbered<E>& row : table) {
    if (row.number == number) return row.value;
  }
  return std::nullopt;
}

}  // namespace ranksight::online_model
