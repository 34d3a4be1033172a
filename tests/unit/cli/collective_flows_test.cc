// Flows of collectives against their algorithms as the literature writes them:
// each member by itself, step by step, passing on what it holds.
#include "cli/look/collective_flows.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "cli/look/flows.h"
#include "tests/unit/bgq_support/brute_force.h"
#include "tests/unit/cli/pairs.h"
#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::cli {
namespace {

using reduction::MakeSample;
using reduction::Sample;
using reduction::Script;

using Way = CollectiveFlows::Way;

// Places i of a communicator lie on ranks 3 i + 1.
std::vector<int64_t> SpreadMembers(int64_t size) {
  std::vector<int64_t> members;
  for (int64_t i = 0; i < size; ++i) members.push_back(3 * i + 1);
  return members;
}

// What members send by hand, member by member.
class ByHand {
 public:
  explicit ByHand(int64_t size) : size_(size) {}
  void Send(int64_t from, int64_t to, uint64_t bytes) {
    ++messages;
    if (bytes > 0) pairs[{3 * from + 1, 3 * to + 1}] += bytes;
  }
  // A receiver's view: its lowest bit says from whom.
  void Bcast(int64_t root, uint64_t bytes) {
    for (int64_t place = 0; place < size_; ++place) {
      const int64_t relative = (place - root + size_) % size_;
      if (relative == 0) continue;
      const int64_t bit = relative & -relative;
      Send((relative - bit + root) % size_, place, bytes);
    }
  }
  // Blocks are handed up step by step; a member sends all it has, once.
  void Gather(int64_t root, uint64_t block) {
    std::vector<std::set<int64_t>> has(size_);
    for (int64_t i = 0; i < size_; ++i) has[size_t(i)] = {i};
    for (int64_t mask = 1; mask < size_; mask *= 2) {
      for (int64_t relative = 0; relative < size_; ++relative) {
        if ((relative & (2 * mask - 1)) != mask) continue;
        auto& mine = has[size_t(relative)];
        Send((relative + root) % size_, (relative - mask + root) % size_,
             block * mine.size());
        has[size_t(relative - mask)].insert(mine.begin(), mine.end());
      }
    }
    EXPECT_EQ(has[0].size(), size_t(size_));
  }
  // Each member ends with what all contributed.
  void Allreduce(uint64_t bytes) {
    int64_t power = 1;
    while (2 * power <= size_) power *= 2;
    const int64_t rest = size_ - power;
    std::vector<std::set<int64_t>> has(size_);
    for (int64_t i = 0; i < size_; ++i) has[size_t(i)] = {i};
    const auto send = [&](int64_t from, int64_t to,
                          const std::set<int64_t>& what) {
      Send(from, to, bytes);
      has[size_t(to)].insert(what.begin(), what.end());
    };
    std::vector<int64_t> active;
    for (int64_t i = 0; i < size_; ++i) {
      if (i < 2 * rest && i % 2 == 0) {
        send(i, i + 1, {i});
      } else {
        active.push_back(i);
      }
    }
    for (int64_t mask = 1; mask < power; mask *= 2) {
      const auto before = has;
      for (size_t i = 0; i < active.size(); ++i) {
        send(active[i], active[i ^ size_t(mask)], before[size_t(active[i])]);
      }
    }
    for (int64_t i = 0; i < 2 * rest; i += 2) {
      send(i + 1, i, has[size_t(i + 1)]);
    }
    for (const auto& all : has) EXPECT_EQ(all.size(), size_t(size_));
  }
  void Allgather(const std::vector<uint64_t>& blocks) {
    for (int64_t i = 0; i < size_; ++i) {
      for (int64_t step = 0; step + 1 < size_; ++step) {
        Send(i, (i + 1) % size_, blocks[size_t((i - step + size_) % size_)]);
      }
    }
  }
  Pairs pairs;
  uint64_t messages = 0;

 private:
  const int64_t size_;
};

struct Added {
  bgq_support::Traffic traffic;
  uint64_t messages;
};

template <class F>
Added Add(int64_t size, F add) {
  const std::vector<int64_t> members = SpreadMembers(size);
  Added added;
  CollectiveFlows flows(members, &added.traffic);
  add(&flows);
  added.messages = flows.messages();
  return added;
}

std::vector<uint64_t> Blocks(int64_t size) {
  std::vector<uint64_t> blocks;
  for (int64_t i = 0; i < size; ++i) blocks.push_back(uint64_t(5 + i * i % 7));
  return blocks;
}

TEST(CollectiveFlows, TreesAreBinomialWhateverTheRoot) {
  for (int64_t size = 2; size < 20; ++size) {
    for (int64_t root = 0; root < size; ++root) {
      ByHand down(size), blocks(size);
      down.Bcast(root, 10);
      blocks.Gather(root, 10);
      Added added =
          Add(size, [&](auto* f) { f->Tree(root, 10, Way::kFromRoot); });
      EXPECT_EQ(Expand(added.traffic), down.pairs);
      EXPECT_EQ(added.messages, down.messages);
      added =
          Add(size, [&](auto* f) { f->TreeOfBlocks(root, 10, Way::kToRoot); });
      EXPECT_EQ(Expand(added.traffic), blocks.pairs) << size << " " << root;
      // The other way the same, turned round.
      added = Add(size, [&](auto* f) { f->Tree(root, 10, Way::kToRoot); });
      Pairs turned;
      for (const auto& [pair, bytes] : down.pairs) {
        turned[{pair.second, pair.first}] = bytes;
      }
      EXPECT_EQ(Expand(added.traffic), turned);
    }
  }
}

TEST(CollectiveFlows, DoublingBringsAllToAll) {
  for (int64_t size = 2; size < 20; ++size) {
    ByHand hand(size);
    hand.Allreduce(24);
    const Added added = Add(size, [](auto* f) { f->Doubling(24); });
    EXPECT_EQ(Expand(added.traffic), hand.pairs) << size;
    EXPECT_EQ(added.messages, hand.messages);
  }
}

TEST(CollectiveFlows, RingsPassOnAllBlocksButThatOfTheNext) {
  for (int64_t size = 2; size < 12; ++size) {
    ByHand hand(size);
    hand.Allgather(Blocks(size));
    const Added added = Add(size, [&](auto* f) { f->Ring(Blocks(size)); });
    EXPECT_EQ(Expand(added.traffic), hand.pairs) << size;
    EXPECT_EQ(added.messages, hand.messages);
  }
}

TEST(CollectiveFlows, ScansExchangeWithThoseThatThereAre) {
  const Added added = Add(3, [](auto* f) { f->ScanDoubling(4); });
  EXPECT_EQ(Expand(added.traffic),
            (Pairs{{{1, 4}, 4}, {{4, 1}, 4}, {{1, 7}, 4}, {{7, 1}, 4}}));
}

TEST(CollectiveFlows, PairsGetTheirBlocks) {
  const Added equal = Add(4, [](auto* f) {
    f->Pairwise(std::vector<uint64_t>{6, 6, 6, 6});
  });
  EXPECT_TRUE(equal.traffic.flows.empty());
  EXPECT_EQ(Expand(equal.traffic).size(), 12u);
  const Added other = Add(3, [](auto* f) {
    f->Pairwise(std::vector<uint64_t>{1, 2, 3});
  });
  EXPECT_EQ(Expand(other.traffic), (Pairs{{{1, 4}, 2},
                                          {{1, 7}, 3},
                                          {{4, 1}, 1},
                                          {{4, 7}, 3},
                                          {{7, 1}, 1},
                                          {{7, 4}, 2}}));
  EXPECT_EQ(other.messages, 6u);
}

// From a trace: roots that change, what counts at which member, in place.
TEST(CollectiveFlows, AreReadFromTheCallsOfAllMembers) {
  using reduction::Call;
  using reduction::Param;
  constexpr int64_t kRanks = 5;
  const Sample sample = MakeSample(kRanks, [](int64_t rank, Script* s) {
    const auto add = [&](uint32_t line, Call call,
                         reduction::EventValues values) {
      values.push_back({Param::kTypeSize, {4}});
      values.push_back({Param::kRecvTypeSize, {8}});
      s->Add(call, line, values);
    };
    for (const int64_t root : {0, 3, 3, 1}) {
      add(10, Call::MPI_Bcast_,
          {{Param::kCount, {10}}, {Param::kRoot, {root}}});
      // Nothing at the root: in place.
      add(11, Call::MPI_Gather_,
          {{Param::kCount, {rank == root ? 0 : 3}},
           {Param::kRecvCount, {rank == root ? 3 : 0}},
           {Param::kRoot, {root}}});
    }
    add(12, Call::MPI_Scatterv_,
        {{Param::kRecvCount, {rank}}, {Param::kRoot, {2}}});
    add(13, Call::MPI_Allgatherv_,
        {{Param::kCount, {2 * rank + 2}},
         {Param::kRecvPeerCount, {kRanks}},
         {Param::kRecvCounts, {1, 2, 3, 4, 5}}});
    add(14, Call::MPI_Iallreduce_, {{Param::kCount, {6}}});
    add(15, Call::MPI_Barrier_, {});
    add(16, Call::MPI_Neighbor_allgather_, {{Param::kCount, {6}}});
  });
  const auto found = TrafficOf(sample.trace);
  ASSERT_TRUE(found.ok()) << found.status().message();
  EXPECT_EQ(found->left_out,
            (std::map<std::string, uint64_t>{{"MPI_Neighbor_allgather", 5}}));
  bgq_support::Traffic expected;
  const std::vector<int64_t> world = {0, 1, 2, 3, 4};
  CollectiveFlows flows(world, &expected);
  for (const int64_t root : {0, 3, 3, 1}) {
    flows.Tree(root, 40, Way::kFromRoot);
    flows.TreeOfBlocks(root, 12, Way::kToRoot);
  }
  flows.Straight(2, std::vector<uint64_t>{0, 8, 0, 24, 32}, Way::kFromRoot);
  flows.Ring(std::vector<uint64_t>{8, 16, 24, 32, 40});
  flows.Doubling(24);
  EXPECT_EQ(Expand(Total(*found)), Expand(expected));
  uint64_t messages = 0;
  for (const SiteTraffic& site : found->sites) messages += site.messages;
  EXPECT_EQ(messages, flows.messages());
}

// On the links of a torus, bit by bit.
TEST(CollectiveFlows, LoadLinksAsAWalkOfEveryMessageDoes) {
  std::string reason;
  const auto machine = *bgq_support::Machine::Parse("4x3x2m", &reason);
  const auto mapping =
      *bgq_support::Mapping::FromOrder(machine, 48, 2, "TXYZ", &reason);
  for (int64_t size = 2; size <= 16; ++size) {
    for (int zone = 0; zone < 4; ++zone) {
      const int64_t root = size / 2;
      const Added added = Add(size, [&](auto* f) {
        f->Tree(root, 11, Way::kFromRoot);
        f->TreeOfBlocks(root, 5, Way::kToRoot);
        f->Doubling(7);
        f->Ring(Blocks(size));
        f->Pairwise(Blocks(size));
      });
      ByHand hand(size);
      hand.Bcast(root, 11);
      hand.Gather(root, 5);
      hand.Allreduce(7);
      hand.Allgather(Blocks(size));
      bgq_support::Traffic by_hand;
      for (int64_t from = 0; from < size; ++from) {
        for (int64_t to = 0; to < size; ++to) {
          if (from != to) hand.Send(from, to, Blocks(size)[size_t(to)]);
        }
      }
      for (const auto& [pair, bytes] : hand.pairs) {
        by_hand.flows.push_back({pair.first, 0, pair.second, 0, 1, bytes});
      }
      const bgq_support::Routing routing{zone, {}};
      const auto loads = ComputeLoads(machine, mapping, routing, added.traffic,
                                      bgq_support::Engine::kThreads, &reason);
      ASSERT_TRUE(loads) << reason;
      EXPECT_EQ(loads->load, WalkEveryMessage(machine, mapping, routing,
                                              by_hand, loads->scale));
    }
  }
}

}  // namespace
}  // namespace ranksight::cli
