#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "online_model/structure/find_there.h"
#include "online_model/structure/sequence_law.h"

namespace ranksight::online_model {
namespace {

// Everybody with everybody, a partner in each step, as programs say it.
std::vector<int64_t> Partners(int64_t rank, int64_t ranks, bool bits,
                              bool others) {
  int64_t steps = ranks;
  while (bits && (steps & (steps - 1)) != 0) ++steps;
  std::vector<int64_t> partners;
  for (int64_t k = 0; k < steps; ++k) {
    const int64_t peer = bits ? rank ^ k : (k - rank + ranks) % ranks;
    if (peer >= ranks || (others && peer == rank)) continue;
    partners.push_back(peer);
  }
  return partners;
}

int64_t BlockOf(int64_t whole, int64_t ranks, int64_t rank) {
  return whole / ranks + (rank < whole % ranks ? 1 : 0);
}

std::vector<RankPattern> Lists(const std::vector<Grid>& grids, bool bits,
                               bool others, int64_t whole) {
  std::vector<RankPattern> patterns;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      std::vector<int64_t> list = Partners(r, g.ranks(), bits, others);
      for (int64_t& v : list) {
        if (whole > 0) v = BlockOf(whole, g.ranks(), v);
      }
      patterns.push_back({Context(g, r), {{}, Shortest(list)}, {}, {}});
    }
  }
  return patterns;
}

TEST(FindPartner, OfEachStepOfAllWithAll) {
  const std::vector<Grid> grids{{{5}}, {{6}}, {{9}}, {{12}}};
  const std::vector<Grid> unseen{{{23}}, {{30}}};
  SearchSpace space;
  space.ranked = true;
  for (const bool bits : {false, true}) {
    for (const bool others : {false, true}) {
      const auto law =
          FindSequenceLaw(Lists(grids, bits, others, 0), space, nullptr);
      ASSERT_TRUE(law.has_value()) << bits << others;
      for (const RankPattern& p : Lists(unseen, bits, others, 0)) {
        ASSERT_EQ(law->At(p.where, {}, {}), p.pattern) << law->ToString();
      }
    }
  }
}

// What is sent to a partner are blocks of its own, by the rank that it has.
TEST(FindPartner, SaysHowMuchItGets) {
  const std::vector<Grid> grids{{{5}}, {{6}}, {{9}}, {{12}}};
  const std::vector<Grid> unseen{{{23}}};
  for (const bool bits : {false, true}) {
    SearchSpace space;
    space.ranked = true;
    const auto peers =
        FindSequenceLaw(Lists(grids, bits, true, 0), space, nullptr);
    ASSERT_TRUE(peers.has_value());
    space.ranked = false;
    space.partner = ExpressionOf(peers->values[0]);
    space.lengths = {peers->length};
    const auto law =
        FindSequenceLaw(Lists(grids, bits, true, 250), space, nullptr);
    ASSERT_TRUE(law.has_value());
    for (const RankPattern& p : Lists(unseen, bits, true, 250)) {
      ASSERT_EQ(law->At(p.where, {}, {}), p.pattern) << law->ToString();
    }
  }
}

TEST(FindPartner, HasOneValueInAllLists) {
  const std::vector<Grid> grids{{{5}}, {{6}}};
  SearchSpace space;
  space.partner = FeatureExpression(Feature::Kind::kPosition);
  std::vector<Sample> samples;
  for (const Grid& g : grids) {
    for (int64_t r = 0; r < g.ranks(); ++r) {
      for (int64_t k = 0; k < g.ranks(); ++k) {
        Sample s{Context(g, r), 3 * k};
        s.where.position = k;
        s.where.length = g.ranks();
        samples.push_back(s);
      }
    }
  }
  EXPECT_TRUE(FindOfPartner(samples, space).has_value());
  samples.back().value += 1;
  EXPECT_FALSE(FindOfPartner(samples, space).has_value());
  space.partner = nullptr;
  EXPECT_FALSE(FindOfPartner(samples, space).has_value());
}

// Requests for receives, then for sends, made by turns: -1, -3, -2, -4.
TEST(FindPartner, ListsInPartsHaveALawEach) {
  const std::vector<Grid> grids{{{3, 4}}, {{4, 3}}, {{5, 4}}};
  const auto lists = [](const std::vector<Grid>& of) {
    std::vector<RankPattern> patterns;
    for (const Grid& g : of) {
      for (int64_t r = 0; r < g.ranks(); ++r) {
        int64_t n = 0;
        for (size_t d = 0; d < 2; ++d) {
          const int64_t x = Context(g, r).at[d];
          n += (x > 0) + (x + 1 < g.dims[d]);
        }
        std::vector<int64_t> list;
        for (int64_t k = 0; k < n; ++k) list.push_back(-1 - 2 * k);
        for (int64_t k = 0; k < n; ++k) list.push_back(-2 - 2 * k);
        patterns.push_back({Context(g, r), {{}, Shortest(list)}, {}, {}});
      }
    }
    return patterns;
  };
  SearchSpace plane;
  plane.ndims = 2;
  Neighbours all;
  all.slots = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  plane.lists = {std::make_shared<const Neighbours>(all)};
  const auto law = FindSequenceLaw(lists(grids), plane, nullptr);
  ASSERT_TRUE(law.has_value());
  EXPECT_EQ(law->form, SequenceLaw::Form::kByParts) << law->ToString();
  const std::vector<Grid> unseen{{{7, 9}}};
  for (const RankPattern& p : lists(unseen)) {
    ASSERT_EQ(law->At(p.where, {}, {}), p.pattern) << law->ToString();
  }
}

}  // namespace
}  // namespace ranksight::online_model
