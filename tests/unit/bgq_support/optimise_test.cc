#include "bgq_support/api/optimise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "bgq_support/mapping/digits.h"

namespace ranksight::bgq_support {
namespace {

// Both neighbours in each dimension of a periodic grid, last one fastest.
Traffic Stencil(const std::vector<int64_t>& grid, uint64_t bytes) {
  int64_t ranks = 1;
  for (const int64_t n : grid) ranks *= n;
  Traffic traffic;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    int64_t below = 1;  // ranks from one to the next in this dimension
    for (size_t i = grid.size(); i-- > 0; below *= grid[i]) {
      const int64_t at = rank / below % grid[i];
      for (const int64_t step : {int64_t{1}, grid[i] - 1}) {
        const int64_t next = (at + step) % grid[i];
        traffic.flows.push_back(
            {rank, 0, rank + (next - at) * below, 0, 1, bytes});
      }
    }
  }
  return traffic;
}

Traffic Transpose(int64_t side, uint64_t bytes) {
  Traffic traffic;
  for (int64_t i = 0; i < side; ++i) {
    for (int64_t j = 0; j < side; ++j) {
      if (i != j)
        traffic.flows.push_back({i * side + j, 0, j * side + i, 0, 1, bytes});
    }
  }
  return traffic;
}

struct Outcome {
  double before = 0, after = 0, hops_before = 0, hops_after = 0;
  std::string how;
};

Outcome Try(const char* shape, int64_t ranks, int per_node,
            const Traffic& traffic) {
  std::string reason;
  const Machine machine = *Machine::Parse(shape, &reason);
  const auto standard =
      Mapping::FromOrder(machine, ranks, per_node, "", &reason);
  const auto loads =
      ComputeLoads(machine, *standard, {}, traffic, Engine::kThreads, &reason);
  OptimiseOptions options;
  options.ranks_per_node = per_node;
  options.message_budget = 5'000'000;
  const auto best = Optimise(machine, ranks, {}, traffic, options, &reason);
  EXPECT_TRUE(best.has_value()) << reason;
  // What it says is what it is, and it is a mapping.
  const auto again = ComputeLoads(machine, best->mapping, {}, traffic,
                                  Engine::kThreads, &reason);
  EXPECT_EQ(again->load, best->loads.load);
  std::set<std::pair<int, int>> places;
  for (const Place& p : best->mapping.places()) {
    places.insert({p.node, p.slot});
    EXPECT_LT(p.slot, per_node);
  }
  EXPECT_EQ(static_cast<int64_t>(places.size()), ranks);
  return {loads->MaxBytes(), best->loads.MaxBytes(), loads->HopBytes(),
          best->loads.HopBytes(), best->how};
}

TEST(Optimise, TellsEverMoreOfTheSearchAndNeverAll) {
  std::string reason;
  const Machine machine = *Machine::Parse("4x4x4", &reason);
  OptimiseOptions options;
  std::vector<double> told;
  options.tell_share = [&told](double share) { told.push_back(share); };
  ASSERT_TRUE(
      Optimise(machine, 64, {}, Stencil({8, 8}, 1000), options, &reason));
  ASSERT_GT(told.size(), 10u);
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_GT(told.front(), 0);
  EXPECT_LT(told.front(), 0.5);
  EXPECT_LT(told.back(), 1);
}

TEST(Optimise, ARingOfAllNodesIsFoundToBeOne) {
  // A Gray code goes through all nodes by single hops.
  const Outcome o = Try("4x4x4x4x2", 512, 1, Stencil({512}, 1000));
  EXPECT_LE(o.after, 1000) << o.how;
  EXPECT_GT(o.hops_before, 512 * 2 * 1000);
  EXPECT_LE(o.hops_after, 512 * 2 * 1000);
}

TEST(Optimise, ACubeIsFoldedOntoFiveDimensionsWithoutStretching) {
  // 8 = 4 x 2 for each side, a ring of four being two binary digits: every
  // neighbour one hop away, so no link has more than one message.
  const Outcome o = Try("4x4x4x4x2", 512, 1, Stencil({8, 8, 8}, 1000));
  EXPECT_LE(o.after, 1.05 * 1000) << o.how;
  EXPECT_LE(o.after, 0.6 * o.before) << o.how;
  EXPECT_LE(o.hops_after, 1.05 * 512 * 6 * 1000) << o.how;
}

TEST(Optimise, ASquareOnASquareOfTheSameSizeIsPerfect) {
  const Outcome o = Try("8x8", 64, 1, Stencil({8, 8}, 10));
  EXPECT_EQ(o.after, 10);
  EXPECT_EQ(o.hops_after, 64 * 4 * 10);
}

TEST(Optimise, SidesThatAreNoPowersOfTwoAreFoldedToo) {
  const Outcome o = Try("3x4x6", 72, 1, Stencil({6, 12}, 10));
  EXPECT_LE(o.after, 0.6 * o.before) << o.how;
}

TEST(Optimise, ATransposeOnFiveDimensionsGetsAtLeastTwoFifthsBetter) {
  const Outcome o = Try("4x4x4x4x2", 1024, 2, Transpose(32, 1000));
  EXPECT_LE(o.after, 0.6 * o.before) << o.how;
}

TEST(Optimise, PartnersThatCouldShareNodesDo) {
  // Rank r talks to r + 32 only: two a node, nothing need travel.
  Traffic traffic;
  traffic.flows = {{0, 1, 32, 1, 32, 100}, {32, 1, 0, 1, 32, 100}};
  EXPECT_EQ(Try("bgq:32", 64, 2, traffic).after, 0);
}

TEST(Optimise, IsNeverWorseThanTheDefault) {
  std::mt19937_64 random(3);
  for (const char* shape : {"5x3", "4mx2x3", "2x2x2x2x2", "7"}) {
    std::string reason;
    const int nodes = Machine::Parse(shape, &reason)->torus.nodes();
    for (const int per_node : {1, 3}) {
      // With fewer ranks than places, too.
      const int64_t ranks =
          nodes * per_node - static_cast<int64_t>(random() % 2);
      Traffic traffic;
      for (int i = 0; i < 40; ++i) {
        traffic.flows.push_back({int64_t(random() % uint64_t(ranks)), 0,
                                 int64_t(random() % uint64_t(ranks)), 0, 1,
                                 random() % 1000});
      }
      traffic.exchanges.push_back({{0, 1, 2, ranks - 1}, 50});
      const Outcome o = Try(shape, ranks, per_node, traffic);
      EXPECT_LE(o.after, o.before);
    }
  }
}

TEST(Optimise, IsNeverWorseThanAMappingThatIsKnown) {
  // A search that may look at no more than swaps.
  std::string reason;
  const Machine machine = *Machine::Parse("8mx8mx8m", &reason);
  std::vector<Place> places;
  for (int rank = 0; rank < 64; ++rank) {
    places.push_back(
        {machine.torus.NodeAt({rank / 16, rank / 4 % 4, rank % 4}), 0});
  }
  const Traffic traffic = Stencil({4, 4, 4}, 100);
  OptimiseOptions options;
  options.message_budget = 0;
  options.known.push_back({Mapping(places), "mine"});
  const auto mine = ComputeLoads(machine, options.known[0].mapping, {}, traffic,
                                 Engine::kThreads, &reason);
  const auto best = Optimise(machine, 64, {}, traffic, options, &reason);
  EXPECT_LE(best->loads.MaxBytes(), mine->MaxBytes());
  EXPECT_TRUE(best->how.starts_with("mine")) << best->how;
}

TEST(Optimise, FewerRanksThanPlacesFillABox) {
  // 2x2x2 of 4x4x4 as the default has them go 2 x 4 of a plane.
  Traffic traffic = Stencil({2, 2, 2}, 50);
  const Outcome cube = Try("4mx4mx4m", 8, 1, traffic);
  EXPECT_EQ(cube.after, 100) << cube.how;
  EXPECT_EQ(cube.hops_after, 8 * 6 * 50) << cube.how;
  // With room for two ranks a node, too: a ring of 4 x 4 x 4.
  const Outcome ring = Try("4x4x4x4", 64, 2, Stencil({64}, 100));
  EXPECT_LE(ring.after, 100) << ring.how;
}

TEST(Optimise, RanksMoveToFreePlacesToo) {
  // Boxes of five are rows of the mesh, in which nobody has three neighbours.
  Traffic traffic;
  for (const int64_t rank : {1, 2, 3}) {
    traffic.flows.push_back({0, 0, rank, 0, 1, 100});
    traffic.flows.push_back({rank, 0, 0, 0, 1, 100});
  }
  const Outcome o = Try("5mx5m", 5, 1, traffic);
  EXPECT_EQ(o.after, 100) << o.how;
  EXPECT_EQ(o.hops_after, 6 * 100) << o.how;
}

TEST(Optimise, NodesThatTakeNoRanksStayFree) {
  std::string reason;
  const Machine machine = *Machine::Parse("4mx4m-5,6", &reason);
  const auto best = Optimise(machine, 12, {}, Stencil({12}, 100), {}, &reason);
  ASSERT_TRUE(best.has_value()) << reason;
  EXPECT_NE(best->how, "the default order");
  for (const Place& place : best->mapping.places()) {
    EXPECT_FALSE(machine.IsHole(place.node)) << place.node;
  }
}

TEST(Layout, EveryRankHasItsOwnPlace) {
  const Lengths machine = {4, 6, 2, 3};
  const Lengths grid = {9, 16};
  for (const bool folded : {false, true}) {
    const auto layout = Layout::Make(grid, machine, folded, {2, 0, 3, 1});
    ASSERT_TRUE(layout.has_value());
    std::set<std::vector<int64_t>> places;
    std::vector<int64_t> at;
    for (int64_t rank = 0; rank < 144; ++rank) {
      layout->PlaceOf(rank, &at);
      for (size_t i = 0; i < at.size(); ++i) {
        EXPECT_TRUE(at[i] >= 0 && at[i] < machine[i]);
      }
      places.insert(at);
    }
    EXPECT_EQ(places.size(), 144u);
  }
}

TEST(Layout, FoldedRanksInARowAreNeighbours) {
  const auto layout = Layout::Make({72}, {4, 6, 3}, true, {0, 1, 2});
  ASSERT_TRUE(layout.has_value());
  std::vector<int64_t> before, at;
  layout->PlaceOf(0, &before);
  for (int64_t rank = 1; rank < 72; ++rank, before = at) {
    layout->PlaceOf(rank, &at);
    int64_t steps = 0;
    for (size_t i = 0; i < at.size(); ++i) steps += std::abs(at[i] - before[i]);
    EXPECT_EQ(steps, 1) << rank;
  }
}

TEST(Layout, LengthsOfOtherPrimesDoNotMatch) {
  EXPECT_FALSE(Layout::Make({9}, {4, 2}, false, {0, 1}));
  EXPECT_FALSE(Layout::Make({16}, {4, 2}, false, {0, 1}));
}

}  // namespace
}  // namespace ranksight::bgq_support
