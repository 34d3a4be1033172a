#include "reduction/api/parameter.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "reduction/section/restrict.h"

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

// What ranks might send to, or how much: short lists of few shapes.
std::vector<Section> RandomSections(uint32_t seed, int64_t ranks) {
  std::mt19937 rng(seed);
  const unsigned values = 1 + rng() % 3, shapes = 1 + rng() % 3;
  std::vector<Section> sections;
  for (int64_t r = 0; r < ranks; ++r) {
    Section s;
    const unsigned length = 1 + rng() % shapes;
    for (unsigned i = 0; i < length; ++i) s.Append(int64_t(rng() % values) + r);
    sections.push_back(std::move(s));
  }
  return sections;
}

TEST(Parameter, MergingIsAddingInRankOrder) {
  constexpr int64_t kRanks = 20;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const bool ranked = seed % 2 == 0;
    const auto sections = RandomSections(seed, kRanks);
    std::mt19937 rng(seed);
    Parameter expected;
    std::vector<Parameter> parts(3);
    for (int64_t r = 0; r < kRanks; ++r) {
      expected.Add(r, sections[size_t(r)], ranked);
      parts[rng() % 3].Add(r, sections[size_t(r)], ranked);
    }
    parts[2].Merge(parts[0], ranked);
    parts[2].Merge(parts[1], ranked);
    ASSERT_EQ(parts[2], expected) << "seed " << seed;
  }
}

TEST(Parameter, OfTwoSequencesOfARankTheFirstStays) {
  Parameter a, b, expected;
  for (const int64_t r : {1, 3}) a.Add(r, Section::Constant(7, 1), false);
  for (const int64_t r : {0, 3}) b.Add(r, Section::Constant(8, 1), false);
  for (const int64_t r : {0, 1, 3}) {
    expected.Add(r, Section::Constant(r == 0 ? 8 : 7, 1), false);
  }
  a.Merge(b, false);
  EXPECT_EQ(a, expected);
}

TEST(Restrict, LeavesTheRanksAskedFor) {
  constexpr int64_t kRanks = 20;
  for (uint32_t seed = 0; seed < 100; ++seed) {
    const auto sections = RandomSections(seed, kRanks);
    std::mt19937 rng(seed);
    Parameter all, expected;
    std::vector<int64_t> ranks;
    for (int64_t r = 0; r < kRanks; ++r) {
      all.Add(r, sections[size_t(r)], true);
      if (rng() % 2 == 0) continue;
      expected.Add(r, sections[size_t(r)], true);
      ranks.push_back(r);
    }
    ASSERT_EQ(Restrict(all, ranks), expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace ranksight::reduction
