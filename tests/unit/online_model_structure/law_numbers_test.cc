// The numbers of laws on disk never move: traces that carry laws outlive the
// order of our enumerators. A number may be added here, never changed.
#include "online_model/synthesize/law_numbers.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace ranksight::online_model {
namespace {

// Enumerators in the order of their numbers, from 0.
template <class E, size_t N>
void ExpectNumbers(const std::array<Numbered<E>, N>& table,
                   const std::vector<E>& in_order) {
  ASSERT_EQ(in_order.size(), N);
  for (size_t i = 0; i < N; ++i) {
    EXPECT_EQ(NumberOf(table, in_order[i]), int64_t(i));
    EXPECT_EQ(ValueOf(table, int64_t(i)), in_order[i]);
  }
  EXPECT_EQ(ValueOf(table, -1), std::nullopt);
  EXPECT_EQ(ValueOf(table, int64_t(N)), std::nullopt);
}

TEST(LawNumbers, OfFeaturesDoNotMove) {
  using K = Feature::Kind;
  ExpectNumbers(kFeatureNumbers,
                {K::kRanks,           K::kRank,       K::kDim,
                 K::kCoord,           K::kFirst,      K::kLast,
                 K::kPerDim,          K::kLog2,       K::kPosition,
                 K::kLength,          K::kDegree,     K::kZeroRank,
                 K::kEndRank,         K::kLog2Dim,    K::kBack,
                 K::kPower,           K::kBackPower,  K::kFirstPlace,
                 K::kLastPlace,       K::kTwos,       K::kLeft,
                 K::kTransposed,      K::kAlone,      K::kCoarsest,
                 K::kCoarsestFromOne, K::kStages,     K::kZeros,
                 K::kLowBit,          K::kStagesLeft, K::kAbove,
                 K::kChildren,        K::kWithBit,    K::kPowerLeft,
                 K::kStageSum,        K::kOtherRank,  K::kBitsApart,
                 K::kSumOfBoth});
}

TEST(LawNumbers, OfOperationsDoNotMove) {
  using O = Expression::Op;
  ExpectNumbers(kOperationNumbers,
                {O::kConstant, O::kFeature,   O::kAdd,           O::kSubtract,
                 O::kMultiply, O::kDivide,    O::kDivideExactly, O::kRemainder,
                 O::kXor,      O::kShiftLeft, O::kShiftRight,    O::kMinimum,
                 O::kMaximum,  O::kEqual,     O::kLess,          O::kSelect,
                 O::kMove,     O::kBlock,     O::kCells,         O::kOwn,
                 O::kShare,    O::kBits,      O::kBlockAt,       O::kAgreed});
}

TEST(LawNumbers, OfFormsOfLawsDoNotMove) {
  using K = ScalarLaw::Kind;
  ExpectNumbers(kScalarLawNumbers,
                {K::kAffine, K::kNeighbour, K::kXor, K::kGuarded, K::kBlock,
                 K::kExpression, K::kThere});
  using F = SequenceLaw::Form;
  ExpectNumbers(kSequenceLawNumbers,
                {F::kPositional, F::kBySlot, F::kByElement, F::kByIteration,
                 F::kByPlace, F::kByRows, F::kByRuns, F::kByVisit,
                 F::kBySlotInLoop, F::kByParts, F::kAscending, F::kByLoopSlot});
}

TEST(LawNumbers, OfShapesAndOrdersOfBitsDoNotMove) {
  using K = DimsRule::Kind;
  ExpectNumbers(kDimsRuleNumbers, {K::kLine, K::kEqual, K::kBalanced, K::kFixed,
                                   K::kGiven, K::kLeastSurface, K::kHalves,
                                   K::kLeastBlockSurface, K::kOneFree});
  using B = BitOrder::Base;
  ExpectNumbers(kBitOrderNumbers, {B::kSame, B::kReversed, B::kExchanged,
                                   B::kEvenFirst, B::kEvenApart});
}

// Cells "| number | `text`" of the table below the line that starts so.
std::map<int64_t, std::string> TableOfTheDocument(const std::string& heading) {
  std::ifstream in(RANKSIGHT_FORMAT_MD);
  std::map<int64_t, std::string> cells;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(heading)) inside = true;
    if (inside && line.starts_with("- ")) break;
    if (!inside) continue;
    static const std::regex kCell(R"(\| (\d+) \| `([^`]*)`)");
    for (std::sregex_iterator at(line.begin(), line.end(), kCell), end;
         at != end; ++at) {
      cells[std::stoll((*at)[1])] = (*at)[2];
    }
  }
  return cells;
}

TEST(LawNumbers, OfFeaturesAreThoseOfTheDocument) {
  const auto cells = TableOfTheDocument("| feature |");
  ASSERT_EQ(cells.size(), kFeatureNumbers.size());
  for (const auto& [number, kind] : kFeatureNumbers) {
    Feature feature{kind, 0, nullptr};
    if (kind == Feature::Kind::kDegree) {
      feature.list = std::make_shared<const Neighbours>();
    }
    std::string text = feature.ToString();
    text = std::regex_replace(text, std::regex("([dx])0"), "$1i");
    text = text.substr(0, text.find('{'));
    EXPECT_EQ(cells.at(number), text);
  }
}

}  // namespace
}  // namespace ranksight::online_model
