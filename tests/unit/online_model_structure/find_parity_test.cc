#include "online_model/structure/find_parity.h"

#include <gtest/gtest.h>

#include <vector>

#include "reduction/api/call.h"
#include "tests/unit/online_model_structure/shapes.h"

namespace ranksight::online_model {
namespace {

using testing::ExpectGives;

constexpr int64_t kNobody = reduction::kPeerNull;

// value(where) of each rank, at the first `places` places of a loop.
template <class F>
std::vector<Sample> SamplesOf(const std::vector<Grid>& grids, int64_t places,
                              F value) {
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      for (int64_t k = 0; k < places; ++k) {
        Sample s{Context(g, r), 0};
        s.where.position = k;
        s.where.length = places;
        s.value = value(s.where);
        samples.push_back(s);
      }
    }
  }
  return samples;
}

// As a program has it that sorts by odd-even transposition.
int64_t Partner(const Context& c) {
  const int64_t to = (c.rank + c.position) % 2 == 0 ? c.rank + 1 : c.rank - 1;
  return to < 0 || to >= c.ranks() ? kNobody : to;
}

TEST(FindParity, PairsThatMeetByTurns) {
  const std::vector<Grid> grids{{{4}}, {{6}}, {{9}}};
  SearchSpace space;
  space.array = true;
  const std::vector<Grid> unseen{{{32}}, {{33}}};
  ExpectGives(FindNextByParity(SamplesOf(grids, 4, Partner), space),
              SamplesOf(unseen, 4, Partner));
  const auto calls = [](const Context& c) { return Partner(c) != kNobody; };
  ExpectGives(FindGuardByParity(SamplesOf(grids, 4, calls), space),
              SamplesOf(unseen, 4, calls));
}

TEST(FindParity, RowsOfAGridByTheirOwnParity) {
  // Even rows meet the row below, odd ones that above.
  const auto row = [](const Context& c) -> int64_t {
    const int64_t by = c.at[0] % 2 == 0 ? 1 : -1;
    return c.at[0] + by == c.dim(0) ? kNobody : c.rank + by * c.dim(1);
  };
  SearchSpace space;
  space.ndims = 2;
  ExpectGives(FindNextByParity(SamplesOf({{{2, 3}}, {{3, 3}}}, 1, row), space),
              SamplesOf({{{7, 4}}, {{8, 5}}}, 1, row));
}

// On rows of three, back and forth, the ends of those that meet the next one
// are odd and even ranks as well; on longer ones they are not.
TEST(FindParity, WhatIsOddAlongOneSideHidesBehindNoEnds) {
  const auto order = RankOrder::kBackAndForth;
  const std::vector<Grid> runs{
      {{3, 2}, order}, {{3, 3}, order}, {{4, 3}, order}, {{6, 3}, order}};
  const std::vector<Grid> unseen{{{6, 6}, order}, {{9, 8}, order}};
  const auto meet_the_next = [](const std::vector<Grid>& grids) {
    std::vector<Sample> samples =
        SamplesOf(grids, 1, [](const Context& c) { return c.at[1] % 2; });
    std::erase_if(samples, [](const Sample& s) {
      return s.where.at[1] % 2 == 0 && s.where.at[1] + 1 == s.where.dim(1);
    });
    return samples;
  };
  SearchSpace space;
  space.ndims = 2;
  ExpectGives(FindGuardByParity(meet_the_next(runs), space),
              meet_the_next(unseen));
}

// Of two halves of the ranks, and of each half again, the upper one.
TEST(FindParity, OneBitOfTheRankMoreInEachStep) {
  const std::vector<Grid> grids{{{8}}, {{16}}};
  SearchSpace space;
  space.array = true;
  const auto low = [](const Context& c) { return c.rank >> c.position & 1; };
  ExpectGives(FindGuardByParity(SamplesOf(grids, 3, low), space),
              SamplesOf({{{64}}}, 6, low));
  const auto high = [](const Context& c) {
    return 1 - (c.rank >> (c.length - 1 - c.position) & 1);
  };
  ExpectGives(FindGuardByParity(SamplesOf(grids, 3, high), space),
              SamplesOf({{{64}}}, 6, high));
  // Of more steps than a number has bits no law has a value.
  EXPECT_EQ(FindGuardByParity(SamplesOf(grids, 70,
                                        [](const Context& c) {
                                          return c.position < 64
                                                     ? c.rank >> c.position & 1
                                                     : 1;
                                        }),
                              space),
            nullptr);
}

TEST(FindParity, WhatIsNotByTurnsHasNoSuchLaw) {
  SearchSpace space;
  const auto third = [](const Context& c) -> int64_t {
    return c.rank % 3 == 0 ? kNobody : c.rank - 1;
  };
  EXPECT_EQ(FindNextByParity(SamplesOf({{{4}}, {{9}}}, 1, third), space),
            nullptr);
  const auto two = [](const Context& c) { return c.rank % 2 * 2; };
  EXPECT_EQ(FindGuardByParity(SamplesOf({{{4}}, {{9}}}, 1, two), space),
            nullptr);
}

}  // namespace
}  // namespace ranksight::online_model
