#include "reduction/api/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/epoch.h"
#include "reduction/api/merge.h"
#include "reduction/tree/shape.h"
#include "tests/unit/reduction/program.h"

namespace ranksight::reduction {
namespace {

using testing::Program;
using testing::Read;

using Queues = std::map<std::pair<int, int>, std::deque<std::vector<uint8_t>>>;

// Ranks of one process, each called in turn.
class MemoryChannel : public Channel {
 public:
  MemoryChannel(int rank, int size, Queues* queues)
      : rank_(rank), size_(size), queues_(queues) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  Status Send(int to, std::vector<uint8_t> bytes) override {
    (*queues_)[{rank_, to}].push_back(std::move(bytes));
    return Status::Ok();
  }
  bool Sending() override { return false; }
  std::optional<std::vector<uint8_t>> Poll(int from) override {
    auto& queue = (*queues_)[{from, rank_}];
    if (queue.empty()) return std::nullopt;
    auto bytes = std::move(queue.front());
    queue.pop_front();
    return bytes;
  }

 private:
  int rank_, size_;
  Queues* queues_;
};

struct World {
  World(int ranks, int radix) {
    for (int r = 0; r < ranks; ++r) {
      channels.push_back(std::make_unique<MemoryChannel>(r, ranks, &queues));
      trees.emplace_back(channels.back().get(), radix);
    }
  }
  Queues queues;
  std::vector<std::unique_ptr<MemoryChannel>> channels;
  std::vector<EpochTree> trees;
};

std::vector<Trace> RunProgram(uint32_t seed, int ranks) {
  std::vector<Trace> traces;
  for (int r = 0; r < ranks; ++r) {
    Program program(seed);
    Folder folder;
    program.Run(r, ranks, &folder);
    traces.push_back(folder.Snapshot(r, ranks));
  }
  return traces;
}

// What merging at the end gives, in the same tree.
Trace MergeBelow(int rank, int radix, const std::vector<Trace>& traces) {
  Trace all = traces[size_t(rank)];
  for (const TreeChild& c : ChildrenOf(rank, int64_t(traces.size()), radix)) {
    Trace part = MergeBelow(int(c.rank), radix, traces);
    EXPECT_TRUE(MergeInto(&all, std::move(part)).ok());
  }
  return all;
}

TEST(TreeShape, EveryRankIsAChildOnceAndBlocksJoinInOrder) {
  for (int radix : {2, 3, 4, 7}) {
    for (int size = 1; size <= 70; ++size) {
      std::vector<int64_t> parent(size_t(size), -1);
      for (int r = 0; r < size; ++r) {
        int64_t next = r + 1;
        for (const TreeChild& c : ChildrenOf(r, size, radix)) {
          ASSERT_EQ(c.rank, next);
          next = c.rank + c.ranks;
          ASSERT_EQ(parent[size_t(c.rank)], -1);
          parent[size_t(c.rank)] = r;
        }
        if (r == 0) {
          ASSERT_EQ(next, size);
        }
      }
      for (int r = 0; r < size; ++r) {
        ASSERT_EQ(parent[size_t(r)], ParentOf(r, size, radix));
      }
    }
  }
}

TEST(TreeShape, RanksOfAHostJoinFirst) {
  const std::vector<std::vector<int64_t>> jobs = {
      {}, {0}, {0, 3}, {0, 1, 2, 7}, {0, 6, 12, 18, 23}, {0, 5, 6, 20}};
  constexpr int64_t kSize = 30;
  for (const auto& firsts : jobs) {
    const auto host_of = [&](int64_t rank) {
      return std::upper_bound(firsts.begin(), firsts.end(), rank) -
             firsts.begin();
    };
    for (int radix : {2, 3, 5}) {
      std::vector<TreePlace> places;
      for (int64_t r = 0; r < kSize; ++r) {
        places.push_back(PlaceOf(r, kSize, radix, {{}, firsts}));
      }
      EXPECT_EQ(places[0].height, places[0].tree_height);
      for (int64_t r = 0; r < kSize; ++r) {
        int64_t next = r + 1;
        bool other_hosts = false;
        for (const TreeChild& c : places[size_t(r)].children) {
          const TreePlace& child = places[size_t(c.rank)];
          ASSERT_EQ(child.parent, r);
          ASSERT_EQ(c.rank, next) << "blocks must join in order";
          next = c.rank + c.ranks;
          ASSERT_LT(child.height, places[size_t(r)].height);
          const bool other_host = host_of(c.rank) != host_of(r);
          ASSERT_FALSE(other_hosts && !other_host);
          other_hosts = other_hosts || other_host;
          if (other_host) {
            ASSERT_NE(host_of(c.rank), host_of(c.rank - 1));
          }
        }
        if (r == 0) {
          ASSERT_EQ(next, kSize);
        }
      }
    }
  }
}

TEST(TreeShape, OneHostIsTheTreeOfRanks) {
  for (int64_t r = 0; r < 21; ++r) {
    const TreePlace place = PlaceOf(r, 21, 2, {});
    EXPECT_EQ(place.parent, ParentOf(r, 21, 2));
    const auto children = ChildrenOf(r, 21, 2);
    ASSERT_EQ(place.children.size(), children.size());
    for (size_t i = 0; i < children.size(); ++i) {
      EXPECT_EQ(place.children[i].rank, children[i].rank);
      EXPECT_EQ(place.children[i].ranks, children[i].ranks);
    }
  }
}

TEST(TreeShape, NodesOfATorusJoinLineByLine) {
  // 3 x 2 nodes of two ranks, the first dimension fastest, rank 0 on node 2.
  const std::vector<int64_t> nodes = {2, 4, 0, 3, 5, 1, 2, 4, 0, 3, 5, 1};
  const TreeOrder order = OrderOfTorus(nodes);
  EXPECT_EQ(order.ranks,
            (std::vector<int64_t>{0, 6, 3, 9, 1, 7, 4, 10, 2, 8, 5, 11}));
  EXPECT_EQ(order.host_firsts, (std::vector<int64_t>{0, 2, 4, 6, 8, 10}));
  std::vector<int> joined(nodes.size());
  for (int64_t r = 0; r < int64_t(nodes.size()); ++r) {
    const TreePlace place = PlaceOf(r, int64_t(nodes.size()), 2, order);
    EXPECT_EQ(place.parent < 0, r == 0);
    for (const TreeChild& c : place.children) {
      ++joined[size_t(c.rank)];
      EXPECT_EQ(PlaceOf(c.rank, int64_t(nodes.size()), 2, order).parent, r);
      // Whoever shares the node joins its first rank.
      EXPECT_EQ(nodes[size_t(c.rank)] == nodes[size_t(r)], c.rank == r + 6);
    }
  }
  EXPECT_EQ(joined[0], 0);
  EXPECT_EQ(std::count(joined.begin() + 1, joined.end(), 1),
            long(nodes.size()) - 1);
}

TEST(TreeShape, ATorusInRankOrderChangesNothing) {
  const TreeOrder order = OrderOfTorus({0, 0, 1, 1, 2, 2});
  EXPECT_TRUE(order.ranks.empty());
  EXPECT_EQ(order.host_firsts, (std::vector<int64_t>{0, 2, 4}));
  EXPECT_TRUE(OrderOfTorus({5, 5}).host_firsts.empty());
}

TEST(EpochTree, TheRootHasWhatMergingAllAtOnceGives) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    const int ranks = 5 + int(seed);
    const auto traces = RunProgram(seed, ranks);
    const int radix = 2 + int(seed % 3);
    World world(ranks, radix);
    // Leaves have higher ranks than the roots of their blocks.
    for (int r = ranks - 1; r > 0; --r) {
      world.trees[size_t(r)].Poll();
      ASSERT_TRUE(world.trees[size_t(r)].HasAll(1));
      ASSERT_TRUE(world.trees[size_t(r)].SendUp(
          world.trees[size_t(r)].Unite(traces[size_t(r)]), 1));
    }
    world.trees[0].Poll();
    ASSERT_TRUE(world.trees[0].HasAll(1));
    Trace all = world.trees[0].Unite(traces[0]);
    EXPECT_FALSE(all.meta.complete);
    EXPECT_TRUE(all.meta.losses.empty());
    const Trace expected = MergeBelow(0, radix, traces);
    all.meta = expected.meta;
    const auto bytes = Encode(all, SketchForm::kQuantiles);
    EXPECT_EQ(bytes, Encode(expected, SketchForm::kQuantiles));
  }
}

TEST(EpochTree, TheNewestCutOfAChildCounts) {
  World world(2, 2);
  const auto traces = RunProgram(3, 2);
  Trace empty;
  empty.meta.ranks = 2;
  ASSERT_TRUE(world.trees[1].SendUp(empty, 1));
  ASSERT_TRUE(world.trees[1].SendUp(traces[1], 2));
  world.trees[0].Poll();
  EXPECT_TRUE(world.trees[0].HasAll(2));
  EXPECT_FALSE(world.trees[0].HasAll(3));
  const Trace all = world.trees[0].Unite(traces[0]);
  EXPECT_EQ(Read(all, 1), Read(traces[1], 1));
}

TEST(EpochTree, ASilentChildIsWaitedForOnce) {
  World world(4, 2);
  const auto traces = RunProgram(5, 4);
  ASSERT_TRUE(world.trees[1].SendUp(traces[1], 1));
  world.trees[0].Poll();
  EXPECT_FALSE(world.trees[0].HasAll(1));  // 2 and, below it, 3 are silent
  world.trees[0].GiveUpOn(1);
  EXPECT_TRUE(world.trees[0].HasAll(1));
  Trace part = world.trees[0].Unite(traces[0]);
  EXPECT_EQ(part.meta.losses["rank_not_heard"], 2u);
  EXPECT_EQ(Read(part, 1), Read(traces[1], 1));
  EXPECT_FALSE(world.trees[0].HasAll(2));  // rank 1 is waited for as before
  ASSERT_TRUE(world.trees[1].SendUp(traces[1], 2));
  world.trees[0].Poll();
  EXPECT_TRUE(world.trees[0].HasAll(2));
  ASSERT_TRUE(world.trees[2].SendUp(traces[2], 2));
  world.trees[0].Poll();
  EXPECT_FALSE(world.trees[0].HasAll(3));  // heard of again
}

TEST(EpochTree, DamagedMessagesAreALossOfThatRankOnly) {
  World world(2, 2);
  const auto traces = RunProgram(7, 2);
  world.queues[{1, 0}].push_back(std::vector<uint8_t>(50, 7));
  world.trees[0].Poll();
  Trace part = world.trees[0].Unite(traces[0]);
  EXPECT_EQ(part.meta.losses["rank_lost"], 1u);
  EXPECT_EQ(Read(part, 0), Read(traces[0], 0));
}

TEST(EpochTree, ClosingTakesInWhatIsUnderWay) {
  World world(5, 2);
  const auto traces = RunProgram(1, 5);
  for (int r = 4; r > 0; --r) {
    ASSERT_TRUE(world.trees[size_t(r)].SendUp(traces[size_t(r)], 1));
  }
  // The end may be met before the receiver closes.
  world.trees[4].Close([] {});
  for (EpochTree& tree : world.trees) tree.Poll();
  for (int r = 3; r >= 0; --r) world.trees[size_t(r)].Close([] {});
  for (const auto& [pair, queue] : world.queues) EXPECT_TRUE(queue.empty());
}

TEST(FrozenQueue, IsTheSnapshotOfItsMoment) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    Folder folder, reference;
    Program(seed).Run(2, 4, &reference);
    const Trace then = reference.Snapshot(2, 4);
    Program(seed).Run(2, 4, &folder);
    if (seed % 2 == 0) folder.CatchUp();
    const auto frozen = folder.Freeze();
    // Goes on, elsewhere too.
    Program(seed).Run(2, 4, &folder);
    Program(seed + 100).Run(2, 4, &folder);
    EXPECT_EQ(frozen->ToTrace(2, 4), then);
    EXPECT_EQ(frozen->ToTrace(2, 4), then);
  }
}

}  // namespace
}  // namespace ranksight::reduction
