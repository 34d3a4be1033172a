#include "reduction/api/parameter.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace ranksight::reduction {
namespace {

ParameterPiece PieceOver(RankSet ranks) {
  ParameterPiece piece;
  const uint64_t n = ranks.size();
  piece.ranks = std::move(ranks);
  piece.shape = {0};
  for (const int64_t v : {5, 0, 1}) {
    piece.columns.push_back({false, Section::Constant(v, n)});
  }
  return piece;
}

bool Accepts(RankSet ranks) {
  Parameter p;
  return Parameter::FromPieces({PieceOver(std::move(ranks))}, &p);
}

Section FromTerms(std::vector<Term> terms) {
  Section s;
  EXPECT_TRUE(Section::FromTerms(std::move(terms), &s));
  return s;
}

TEST(Parameter, RankSetsMustAscend) {
  EXPECT_TRUE(Accepts(Section::Run(3, 2, 5)));
  EXPECT_FALSE(Accepts(Section::Run(9, -2, 3)));
  EXPECT_FALSE(Accepts(Section::Constant(4, 2)));
  EXPECT_FALSE(Accepts(Section::Run(-1, 1, 3)));
  // 0 1 4 5 8 9, and 0 4 4 8.
  EXPECT_TRUE(Accepts(FromTerms({{0, 4, 3, {{0, 1, 2, {}}}}})));
  EXPECT_FALSE(Accepts(FromTerms({{0, 4, 2, {{0, 4, 2, {}}}}})));
}

TEST(Parameter, RankSetsOfManyRanksCostNoMoreThanTheirTerms) {
  EXPECT_TRUE(Accepts(Section::Run(0, 1, uint64_t{1} << 40)));
  // Values that leave 64 bits on the way are not taken for ascending ones.
  EXPECT_FALSE(Accepts(
      FromTerms({{int64_t{1} << 62, int64_t{1} << 62, 4, {}}, {5, 0, 1, {}}})));
}

}  // namespace
}  // namespace ranksight::reduction
