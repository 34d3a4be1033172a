#include "reduction/api/amounts.h"

#include <gtest/gtest.h>

#include <random>

namespace ranksight::reduction {
namespace {

constexpr int64_t kHuge = int64_t{1} << 62;

TEST(Amounts, ThatDoNotFitStayTooMany) {
  EXPECT_EQ(Plus(kTooMany - 2, 1), kTooMany - 1);
  EXPECT_EQ(Plus(kTooMany - 1, 3), kTooMany);
  EXPECT_EQ(Plus(kTooMany, 1), kTooMany);
  EXPECT_EQ(Times(uint64_t{1} << 32, uint64_t{1} << 31), uint64_t{1} << 63);
  EXPECT_EQ(Times(uint64_t{1} << 32, uint64_t{1} << 32), kTooMany);
  EXPECT_EQ(Times(kTooMany, 2), kTooMany);
  EXPECT_EQ(AmountOf(-1), kTooMany);
  EXPECT_EQ(AmountOf(kNone), 0u);
}

TEST(Amounts, OfSectionsAreExactOrTooMany) {
  EXPECT_EQ(SumOf(Section::Constant(kHuge, 3)), uint64_t{3} << 62);
  EXPECT_EQ(SumOf(Section::Constant(kHuge, 4)), kTooMany);
  EXPECT_EQ(SumOf(Section::Constant(kHuge, kHuge)), kTooMany);
  EXPECT_EQ(SumOf(Section::Run(0, kHuge, kHuge)), kTooMany);
  EXPECT_EQ(SumOf(Section::Run(5, 1, 4)), 5u + 6 + 7 + 8);
  EXPECT_EQ(SumOf(Section::Constant(kNone, 3)), 0u);
}

TEST(Amounts, OfEventsAreThoseOfTheTextOrTooMany) {
  for (const int64_t size : {2, 4}) {
    Event event(Call::MPI_Sendrecv_replace_);
    for (const Param p : Info(event.call()).params) {
      event.Add(p == Param::kCount      ? kHuge / 2
                : p == Param::kTypeSize ? size
                                        : 0);
    }
    EXPECT_EQ(SentBy(event), size == 2 ? uint64_t(kHuge) : kTooMany);
    EXPECT_EQ(PostedBy(event), size == 2 ? uint64_t(kHuge) : kTooMany);
  }
}

TEST(SumOverRanks, IsExactOrTooMany) {
  for (const int ranks : {3, 4}) {
    Parameter parameter;
    for (int rank = 0; rank < ranks; ++rank) {
      parameter.Add(rank, Section::Constant(kHuge, 1), false);
    }
    EXPECT_EQ(SumOverRanks(parameter),
              ranks == 3 ? uint64_t{3} << 62 : kTooMany);
  }
}

TEST(SumOverRanks, EqualsTheSumOfEveryRanksSequence) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 draw(seed);
    Parameter parameter;
    uint64_t expected = 0;
    const bool same_shape = draw() % 2 == 0;
    const uint32_t rounds = 2 + draw() % 4, inner = 1 + draw() % 4;
    for (int64_t rank = 0; rank < 6; ++rank) {
      Section section;
      const uint32_t times = same_shape ? rounds : 2 + draw() % 4;
      for (uint32_t i = 0; i < times; ++i) {
        for (uint32_t j = 0; j < inner; ++j)
          section.Append(rank * 3 + 7 * i + j);
        section.Append(100 - rank);
      }
      for (int64_t value : section.Expand()) {
        expected += static_cast<uint64_t>(value);
      }
      parameter.Add(rank, section, draw() % 2 == 0);
    }
    EXPECT_EQ(SumOverRanks(parameter), expected) << seed;
  }
}

TEST(SumOverRanks, HoldsForBodiesWithinBodies) {
  Section section;
  for (int64_t i = 0; i < 3; ++i) {
    for (int64_t j = 0; j < 4; ++j) {
      for (const int64_t v :
           {int64_t{11}, int64_t{2}, int64_t{2}, int64_t{2}, 5 + i}) {
        section.Append(v);
      }
    }
    section.Append(99);
  }
  Section twice = section;
  twice.Append(section);
  Parameter parameter;
  parameter.Add(0, twice, false);
  parameter.Add(1, twice, false);
  EXPECT_EQ(SumOverRanks(parameter), 2 * SumOf(twice));
}

}  // namespace
}  // namespace ranksight::reduction
