#include "reduction/api/section.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace ranksight::reduction {
namespace {

using Values = std::vector<int64_t>;

// Sequences as programs make them: nested loops over small lists, with
// occasional noise.
Values RandomProgramSequence(std::mt19937& rng, int depth) {
  Values out;
  const int parts = 1 + int(rng() % 3);
  for (int p = 0; p < parts; ++p) {
    Values body;
    if (depth > 0 && rng() % 2) {
      body = RandomProgramSequence(rng, depth - 1);
    } else {
      for (int i = 1 + int(rng() % 4); i > 0; --i) {
        body.push_back(int64_t(rng() % 5) - 2);
      }
    }
    const int64_t stride = rng() % 3 == 0 ? int64_t(rng() % 7) - 3 : 0;
    const int rounds = 1 + int(rng() % 6);
    for (int r = 0; r < rounds; ++r) {
      for (const int64_t v : body) out.push_back(v + r * stride);
    }
  }
  return out;
}

size_t CountTerms(std::span<const Term> terms) {
  size_t n = terms.size();
  for (const Term& t : terms) n += CountTerms(t.body);
  return n;
}

TEST(Section, ExpandsToTheValuesAppended) {
  std::mt19937 rng(1);
  for (int round = 0; round < 600; ++round) {
    const Values v = RandomProgramSequence(rng, 3);
    const Section s = Section::Of(v);
    ASSERT_EQ(s.Expand(), v);
    ASSERT_EQ(s.size(), v.size());
    ASSERT_EQ(s.Sum(), std::accumulate(v.begin(), v.end(), int64_t{0}));
    ASSERT_EQ(s.Min(), *std::min_element(v.begin(), v.end()));
    ASSERT_EQ(s.Max(), *std::max_element(v.begin(), v.end()));
    const size_t i = rng() % v.size();
    ASSERT_EQ(s.At(i), v[i]);
  }
}

TEST(Section, EverySequenceOfThreeSymbolsUpToNineIsKept) {
  for (int length = 1; length <= 9; ++length) {
    int total = 1;
    for (int i = 0; i < length; ++i) total *= 3;
    for (int code = 0; code < total; ++code) {
      Values v;
      for (int i = 0, c = code; i < length; ++i, c /= 3) v.push_back(c % 3);
      ASSERT_EQ(Section::Of(v).Expand(), v);
    }
  }
}

TEST(Section, BatchesLeaveNoMark) {
  std::mt19937 rng(2);
  for (int round = 0; round < 600; ++round) {
    const Values v = RandomProgramSequence(rng, 3);
    Section runs;
    for (size_t i = 0; i < v.size();) {
      size_t n = 1;
      while (i + n < v.size() && v[i + n] == v[i] && rng() % 4 != 0) ++n;
      runs.AppendRun(v[i], n);
      i += n;
    }
    ASSERT_EQ(runs, Section::Of(v));
    const size_t cut = rng() % (v.size() + 1);
    Section joined = Section::Of({v.data(), cut});
    joined.Append(Section::Of({v.data() + cut, v.size() - cut}));
    ASSERT_EQ(joined, Section::Of(v));
  }
}

TEST(Section, ABlockAppendedManyTimesHasTheFormOfItsValues) {
  std::mt19937 rng(11);
  for (int round = 0; round < 3000; ++round) {
    Section blocks;
    Values all;
    for (unsigned part = 0; part < 1 + rng() % 4; ++part) {
      Values block;
      for (unsigned i = 0; i < 1 + rng() % 5; ++i) {
        block.push_back(int64_t(rng() % 3));
      }
      const unsigned times = rng() % (rng() % 4 == 0 ? 300 : 12);
      blocks.AppendRepeated(block, times);
      for (unsigned i = 0; i < times; ++i) {
        all.insert(all.end(), block.begin(), block.end());
      }
    }
    ASSERT_EQ(blocks, Section::Of(all)) << round;
    ASSERT_EQ(blocks.size(), all.size());
  }
}

// A repetition and the beginning of its next round behind it: one block at a
// time these would take seconds.
TEST(Section, ABlockWhoseRoundsFoldAcrossItsEndIsNotLaidOut) {
  const std::vector<Values> blocks = {
      {1, 0, 3, 2}, {1, 2, 2, 1}, {4, 3, 2, 1, 8, 7, 6, 5}};
  for (const Values& block : blocks) {
    constexpr uint64_t kTimes = uint64_t{1} << 40;
    Section few, many;
    few.AppendRepeated(block, 1000);
    many.AppendRepeated(block, kTimes);
    EXPECT_EQ(many.size(), kTimes * block.size());
    EXPECT_EQ(many.terms().size(), few.terms().size());
    Values all;
    for (int i = 0; i < 1000; ++i) {
      all.insert(all.end(), block.begin(), block.end());
    }
    EXPECT_EQ(few, Section::Of(all));
  }
}

TEST(Section, NeighbourListRepeatedIsOneRepetition) {
  Values v;
  for (int step = 0; step < 1000; ++step) {
    v.insert(v.end(), {-8, 8, -1, 1});
  }
  const Section s = Section::Of(v);
  ASSERT_EQ(s.terms().size(), 1u);
  EXPECT_EQ(s.terms()[0].count, 1000u);
  EXPECT_EQ(s.terms()[0].body.size(), 4u);
}

TEST(Section, LoopOverAllRanksInsideAStepLoopIsTwoTerms) {
  Values v;
  for (int step = 0; step < 100; ++step) {
    for (int r = 1; r < 64; ++r) v.push_back(r);
  }
  EXPECT_EQ(CountTerms(Section::Of(v).terms()), 2u);
}

TEST(Section, TriangularListsOfRowsKeepTheirStride) {
  Values v;
  for (int row = 0; row < 50; ++row) {
    for (int c = 0; c < 7; ++c) v.push_back(row * 7);
  }
  EXPECT_LE(CountTerms(Section::Of(v).terms()), 2u);
}

TEST(Section, RunsOfDifferentLengthInAPeriodFold) {
  Values v;
  for (int step = 0; step < 200; ++step) {
    for (int k : {3, 5, 4}) {
      v.push_back(9);
      v.insert(v.end(), size_t(k), 1);
    }
  }
  EXPECT_LE(CountTerms(Section::Of(v).terms()), 8u);
}

TEST(Section, FromTermsRefusesWhatBreaksAnInvariant) {
  Section s;
  EXPECT_FALSE(Section::FromTerms({{1, 0, 0, {}}}, &s));
  EXPECT_FALSE(Section::FromTerms({{1, 5, 1, {}}}, &s));
  EXPECT_FALSE(Section::FromTerms({{0, 0, 1, {{1, 0, 1, {}}}}}, &s));
  EXPECT_FALSE(Section::FromTerms({{3, 0, 2, {{1, 0, 1, {}}}}}, &s));
  EXPECT_FALSE(
      Section::FromTerms({{0, 0, UINT64_MAX, {{1, 0, UINT64_MAX, {}}}}}, &s));
  Term deep{1, 0, 1, {}};
  for (int i = 0; i < Section::kMaxDepth; ++i) deep = {0, 0, 2, {deep}};
  EXPECT_FALSE(Section::FromTerms({deep}, &s));
  EXPECT_TRUE(Section::FromTerms({{0, 2, 3, {{1, 0, 1, {}}}}}, &s));
  EXPECT_EQ(s.Expand(), (Values{1, 3, 5}));
}

std::vector<Term> TermsOf(const Section& s) {
  return {s.terms().begin(), s.terms().end()};
}

TEST(Section, AppendingToADecodedSectionGoesOnFolding) {
  const Values v{4, 7, 4, 7, 4, 7};
  Section s;
  ASSERT_TRUE(Section::FromTerms(TermsOf(Section::Of(v)), &s));
  s.Append(4);
  s.Append(7);
  EXPECT_EQ(s, Section::Of(Values{4, 7, 4, 7, 4, 7, 4, 7}));
}

TEST(Section, CursorByRunsGivesTheSameValues) {
  std::mt19937 rng(3);
  for (int round = 0; round < 500; ++round) {
    const Values v = RandomProgramSequence(rng, 3);
    const Section s = Section::Of(v);
    Values got;
    for (SectionCursor c(&s); !c.done();) {
      uint64_t n = 0;
      const int64_t value = c.NextRun(&n);
      got.insert(got.end(), size_t(n), value);
    }
    ASSERT_EQ(got, v);
  }
}

TEST(Section, AppendingSectionsIsAppendingTheirValues) {
  std::mt19937 rng(11);
  for (int i = 0; i < 4000; ++i) {
    Section joined, plain;
    for (int part = 0; part < 4; ++part) {
      const Section more = Section::Run(int64_t(rng() % 3),
                                        int64_t(rng() % 3) - 1, 1 + rng() % 6);
      joined.Append(more);
      for (const int64_t v : more.Expand()) plain.Append(v);
      if (part == 0) plain = more;
    }
    ASSERT_EQ(joined, plain);
    joined.Append(5);
    plain.Append(5);
    ASSERT_EQ(joined, plain);
  }
}

TEST(RankSet, PositionAgreesWithASearchInTheExpandedSet) {
  std::mt19937 rng(4);
  for (int round = 0; round < 2000; ++round) {
    Values ranks;
    int64_t next = int64_t(rng() % 3);
    while (ranks.size() < 60) {
      const int64_t gaps[] = {1, 1, int64_t(1 + rng() % 3)};
      const int rounds = 1 + int(rng() % 5);
      for (int i = 0; i < rounds; ++i) {
        for (const int64_t gap : gaps) {
          ranks.push_back(next);
          next += gap;
        }
      }
    }
    const RankSet set = Section::Of(ranks);
    for (int64_t r = -1; r <= ranks.back() + 1; ++r) {
      const auto it = std::find(ranks.begin(), ranks.end(), r);
      const int64_t want = it == ranks.end() ? -1 : it - ranks.begin();
      ASSERT_EQ(PositionOf(set, r), want) << "rank " << r;
    }
  }
}

#if RANKSIGHT_CONTRACTS
TEST(SectionDeathTest, ABrokenContractEndsTheProcessAndSaysWhich) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(Section().Min(), "section.cc:[0-9]+: required: !empty");
  EXPECT_DEATH(Section::Constant(1, 3).At(3), "required: i < size");
}
#endif

}  // namespace
}  // namespace ranksight::reduction
