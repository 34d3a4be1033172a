#include "reduction/api/total.h"

#include <gtest/gtest.h>

#include <random>

namespace ranksight::reduction {
namespace {

TEST(Total, IsTheSumOfWhatEveryRankHas) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Parameter values;
    int64_t sum = 0;
    const int kind = int(random() % 4);
    for (int64_t rank = 0; rank < 40; ++rank) {
      if (random() % 5 == 0) continue;
      Section s;
      const int64_t v = kind == 0 ? 3 : int64_t(random() % 6);
      const uint64_t n = kind == 1 ? 4 : 1 + random() % 5;
      s.AppendRun(v, n);
      if (kind == 2) s.Append(Section::Run(rank, 2, 7));
      if (kind == 3) {
        const int64_t block[] = {v, 9, rank};
        s.AppendRepeated(block, 12);
      }
      sum += s.Sum();
      values.Add(rank, s, false);
    }
    ASSERT_EQ(TotalOf(values), uint64_t(sum)) << "round " << round;
  }
}

TEST(Total, OfAMillionRanksCostsWhatItsPiecesDo) {
  ParameterPiece piece;
  piece.ranks = Section::Run(0, 1, uint64_t{1} << 40);
  piece.shape = {0};
  piece.columns = {{false, Section::Constant(3, uint64_t{1} << 40)},
                   {false, Section::Constant(0, uint64_t{1} << 40)},
                   {false, Section::Constant(2, uint64_t{1} << 40)}};
  Parameter values;
  ASSERT_TRUE(Parameter::FromPieces({piece}, &values));
  EXPECT_EQ(TotalOf(values), 6 * (uint64_t{1} << 40));
}

TEST(Total, SaturatesAndIsNeverNegative) {
  Parameter many, negative;
  many.Add(0, Section::Constant(int64_t{1} << 60, 100), false);
  negative.Add(0, Section::Constant(-4, 2), false);
  EXPECT_EQ(TotalOf(many), uint64_t{1} << 63);
  EXPECT_EQ(TotalOf(negative), 0u);
  EXPECT_EQ(TotalOf(Parameter()), 0u);
}

}  // namespace
}  // namespace ranksight::reduction
