#include "reduction/api/parameter.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>
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

// Ranks 4 to 6 with 1 2, then 7 one, two and three times: of one shape, though
// what a rank repeats once is no repetition in a section of its own.
TEST(Parameter, ARankMayRepeatOnceWhatOthersRepeatMoreOften) {
  ParameterPiece piece;
  piece.ranks = Section::Run(4, 1, 3);
  piece.shape = {1, 0, 0};
  const auto all = [](int64_t v) { return Section::Constant(v, 3); };
  for (const Section& column :
       {all(0), all(5), Section::Run(1, 1, 3), all(1), all(1), all(2), all(7),
        all(3), Section::Run(1, 1, 3)}) {
    piece.columns.push_back({false, column});
  }
  Parameter p;
  ASSERT_TRUE(Parameter::FromPieces({piece}, &p));
  const std::vector<std::vector<int64_t>> want = {
      {1, 2, 7}, {1, 2, 6, 7, 7, 10}, {1, 2, 6, 7, 11, 12, 7, 10, 13}};
  const auto by_rank = p.ByRank();
  ASSERT_EQ(by_rank.size(), 3u);
  for (int64_t r = 4; r <= 6; ++r) {
    EXPECT_EQ(p.At(r).Expand(), want[size_t(r) - 4]) << r;
    EXPECT_EQ(by_rank[size_t(r) - 4].second.Expand(), want[size_t(r) - 4]) << r;
  }
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

// Every third rank of these is in a piece of its own layout; counts and ranks
// follow no rule.
Parameter Irregular(int64_t ranks, std::vector<Section>* sequences) {
  std::mt19937_64 random(7);
  Parameter p;
  for (int64_t r = 0; r < ranks; ++r) {
    Section& sequence = sequences->emplace_back();
    const auto draw = [&] { return int64_t(random() % 1000); };
    if (random() % 5 == 0) continue;
    const bool is_long = random() % 3 == 0;
    for (int i = 0; i < (is_long ? 3 : 1); ++i) sequence.Append(draw());
    p.Add(r, sequence, true);
  }
  return p;
}

TEST(Parameter, FindsEachRankInLongColumns) {
  std::vector<Section> sequences;
  const Parameter p = Irregular(1000, &sequences);
  ASSERT_GT(p.pieces()[0].ranks.terms().size(), 100u);
  for (int round = 0; round < 2; ++round) {
    for (int64_t r = 999; r >= 0; --r) {
      ASSERT_TRUE(p.At(r).SameValues(sequences[size_t(r)])) << r;
      ASSERT_EQ(p.Has(r), !sequences[size_t(r)].empty()) << r;
    }
    EXPECT_FALSE(p.Has(1000));
    EXPECT_FALSE(p.Has(-1));
  }
}

TEST(Parameter, FindsRanksThatCameAfterOthersWereLookedFor) {
  std::vector<Section> sequences;
  Parameter p = Irregular(500, &sequences);
  (void)p.At(499);
  const Parameter before = p;
  const Section added = Section::Of(std::vector<int64_t>{7, 5, 1});
  p.Add(500, added, true);
  EXPECT_TRUE(p.At(500).SameValues(added));
  EXPECT_TRUE(before.At(500).empty());
  Parameter more;
  more.Add(501, added, true);
  (void)p.At(500);
  p.Merge(more, true);
  EXPECT_TRUE(p.At(501).SameValues(added));
  for (int64_t r = 0; r < 500; ++r) {
    ASSERT_TRUE(p.At(r).SameValues(sequences[size_t(r)])) << r;
    ASSERT_TRUE(before.At(r).SameValues(sequences[size_t(r)])) << r;
  }
}

TEST(Parameter, ManyThreadsLookForRanksAtOnce) {
  std::vector<Section> sequences;
  const Parameter p = Irregular(1000, &sequences);
  const auto look = [&p, &sequences](bool* right) {
    const Parameter mine = p;
    for (int64_t r = 0; r < 1000; ++r) {
      *right = *right && mine.At(r).SameValues(sequences[size_t(r)]);
    }
  };
  bool right[4] = {true, true, true, true};
  std::vector<std::thread> threads;
  for (bool& one : right) threads.emplace_back(look, &one);
  for (std::thread& t : threads) t.join();
  for (const bool one : right) EXPECT_TRUE(one);
}

}  // namespace
}  // namespace ranksight::reduction
