#include "reduction/api/totals.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::reduction {
namespace {

// The slow, obvious way: one call after the other.
void ExpectTotals(const Sample& sample) {
  struct Sums {
    uint64_t count = 0, sent = 0, received = 0;
    double call_ns = 0;
  };
  std::map<Call, Sums> expected;
  for (size_t rank = 0; rank < sample.events.size(); ++rank) {
    for (const Event& event : sample.events[rank]) {
      Sums& sums = expected[event.call()];
      ++sums.count;
      sums.sent += static_cast<uint64_t>(SendBytes(event));
      sums.received += static_cast<uint64_t>(RecvBytes(event));
      sums.call_ns += 100 + static_cast<double>(rank);
    }
  }
  const auto by_site = TotalsBySite(sample.trace);
  ASSERT_TRUE(by_site.ok());
  const auto totals = TotalsByCall(*by_site);
  ASSERT_EQ(totals.size(), expected.size());
  for (const EventTotal& total : totals) {
    const Sums& sums = expected[total.call];
    const auto name = Info(total.call).name;
    EXPECT_EQ(total.count, sums.count) << name;
    EXPECT_EQ(total.sent, sums.sent) << name;
    EXPECT_EQ(total.received, sums.received) << name;
    EXPECT_DOUBLE_EQ(total.times.TotalCall(), sums.call_ns) << name;
    EXPECT_EQ(total.TimedCount(), sums.count) << name;
  }
}

TEST(Totals, EqualThoseOfTheCallsOneByOne) {
  ExpectTotals(MakeSample(4, [](int64_t rank, Script* s) {
    s->Init();
    for (int step = 0; step < 10; ++step) {
      if (rank > 0) s->Send(10, rank - 1, 100);
      if (rank < 3) s->Recv(11, rank + 1, 100);
      s->Sendrecv(12, (rank + 1) % 4, step, (rank + 3) % 4, 2 * step);
      s->Alltoallv(13, {1, step, rank, 4});
    }
    s->Finalize();
  }));
}

TEST(Totals, KnowWhichSideOfPartitionedAndOneSidedCallsIsMeant) {
  ExpectTotals(MakeSample(2, [](int64_t rank, Script* s) {
    for (int64_t step = 1; step < 5; ++step) {
      const auto add = [&](uint32_t line, Call call, int64_t partitions) {
        s->Add(call, line,
               {{Param::kPeer, {1 - rank}},
                {Param::kPartitions, {partitions}},
                {Param::kCount, {step}},
                {Param::kTypeSize, {8}}});
      };
      add(10, Call::MPI_Psend_init_, 4);
      add(11, Call::MPI_Precv_init_, 4);
      add(12, Call::MPI_Psend_init_, step);
      add(13, Call::MPI_Get_, 0);
      add(14, Call::MPI_Put_, 0);
    }
  }));
}

TEST(Totals, HoldWhenCountAndTypeChangeTogether) {
  ExpectTotals(MakeSample(3, [](int64_t rank, Script* s) {
    s->Init();
    for (int step = 0; step < 20; ++step) {
      s->Send(10, 0, step * (rank + 1), 1 + step % 8);
    }
    s->Finalize();
  }));
}

// Odd and even ranks in halves of different sizes, by hand: what all give in
// both forms of one reduction is as much.
TEST(Totals, OfReduceScatterAreThoseOfAllShares) {
  constexpr int64_t kRanks = 5;
  for (const bool changes : {false, true}) {
    const Sample sample = MakeSample(kRanks, [&](int64_t rank, Script* s) {
      const int64_t half = rank % 2 == 0 ? 3 : 2;
      s->Add(Call::MPI_Comm_split_, 10, {{Param::kCommSize, {half}}});
      for (int64_t comm : {0, 1, 2}) {
        const int64_t members = comm == 0 ? kRanks : comm == 1 ? 1 : half;
        for (int64_t i = 1; i < 4; ++i) {
          const int64_t count = changes ? i : 2, size = changes ? 4 * i : 8;
          s->Add(Call::MPI_Reduce_scatter_block_, 11,
                 {{Param::kComm, {comm}},
                  {Param::kInPlace, {i % 2}},
                  {Param::kCount, {count}},
                  {Param::kTypeSize, {size}}});
          s->Add(Call::MPI_Reduce_scatter_, 12,
                 {{Param::kComm, {comm}},
                  {Param::kPeerCount, {members}},
                  {Param::kCounts, std::vector<int64_t>(members, count)},
                  {Param::kTypeSize, {size}}});
        }
      }
    });
    const auto by_site = TotalsBySite(sample.trace);
    ASSERT_TRUE(by_site.ok());
    const auto totals = TotalsByCall(*by_site);
    ASSERT_EQ(totals.size(), 3u);
    EXPECT_GT(totals[0].sent, 0u);
    EXPECT_EQ(totals[0].sent, totals[1].sent) << changes;
  }
}

TEST(Totals, HoldForRandomPrograms) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 shape(seed);
    const int64_t ranks = 1 + shape() % 5;
    ExpectTotals(MakeSample(ranks, [&](int64_t rank, Script* s) {
      std::mt19937 draw(seed * 100 + static_cast<uint32_t>(rank));
      s->Init();
      for (uint32_t i = 0, n = draw() % 30; i < n; ++i) {
        const uint32_t line = 10 + draw() % 5;
        switch (draw() % 3) {
          case 0:
            s->Send(line, draw() % 7, draw() % 3, 1 + draw() % 2);
            break;
          case 1:
            s->Recv(line + 10, draw() % 7, draw() % 1000);
            break;
          default:
            s->Alltoallv(line + 20, std::vector<int64_t>(draw() % 4, 5));
        }
      }
      s->Finalize();
    }));
  }
}

EventValues OfTwoPeers(std::vector<int64_t> counts,
                       std::vector<int64_t> sizes) {
  return {{Param::kPeerCount, {2}},
          {Param::kCounts, counts},
          {Param::kTypeKinds, {0, 0}},
          {Param::kTypeSizes, sizes},
          {Param::kTypeExcesses, {0, 0}}};
}

TEST(Totals, HoldWhereEveryPeerHasATypeOfItsOwn) {
  ExpectTotals(MakeSample(2, [](int64_t rank, Script* s) {
    for (int64_t step = 0; step < 5; ++step) {
      s->Add(Call::MPI_Alltoallw_, 10, OfTwoPeers({step, rank}, {4, 4}));
      s->Add(Call::MPI_Alltoallw_, 11, OfTwoPeers({3, 3}, {step, rank}));
      s->Add(Call::MPI_Alltoallw_, 12, OfTwoPeers({step, 3}, {4, 8}));
    }
  }));
}

// A walk over so many calls would take minutes.
TEST(Totals, OfABillionCallsWithTypesOfOneSizeComeFromTheirStructure) {
  constexpr int64_t kCalls = 2'000'000'000;
  Sample sample = MakeSample(2, [](int64_t, Script* s) {
    s->Add(Call::MPI_Alltoallw_, 10, OfTwoPeers({3, 3}, {4, 4}));
  });
  ForEachEvent(sample.trace.root, [&](Node& node) {
    const auto params = Info(node.call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      const Section once = node.params[i].At(0);
      if (once.empty()) continue;
      const uint64_t values = once.size() * uint64_t(kCalls);
      node.params[i] = Parameter();
      for (int64_t rank = 0; rank < 2; ++rank) {
        node.params[i].Add(rank, Section::Constant(once.At(0), values), false);
      }
    }
    node.trips = Parameter();
    for (int64_t rank = 0; rank < 2; ++rank) {
      node.trips.Add(rank, Section::Constant(kCalls, 1), false);
    }
  });
  const auto by_site = TotalsBySite(sample.trace);
  ASSERT_TRUE(by_site.ok());
  const auto& totals = *by_site;
  ASSERT_EQ(totals.size(), 1u);
  EXPECT_EQ(totals[0].sent, uint64_t(kCalls) * 2 * 2 * 3 * 4);
}

TEST(Totals, CallSitesOfOneCallStayApart) {
  const Sample sample = MakeSample(2, [](int64_t, Script* s) {
    s->Send(10, 0, 1);
    s->Send(11, 0, 2);
    s->Send(11, 0, 2);
  });
  const auto by_site = TotalsBySite(sample.trace);
  ASSERT_TRUE(by_site.ok());
  const auto& totals = *by_site;
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_EQ(totals[0].count, 2u);
  EXPECT_EQ(totals[1].count, 4u);
  EXPECT_EQ(totals[1].sent, 4u * 2 * 8);
}

TEST(Totals, DifferWhereOnlyMoreIsPosted) {
  const auto posted = [](int64_t count) {
    const Sample sample =
        MakeSample(1, [=](int64_t, Script* s) { s->Recv(10, 0, count); });
    return TotalsBySite(sample.trace)->front();
  };
  EXPECT_TRUE(posted(1).SameAmounts(posted(1)));
  EXPECT_FALSE(posted(1).SameAmounts(posted(2)));
}

TEST(Totals, ThatDoNotFitAreRefused) {
  for (const int times : {3, 5}) {
    const Sample sample = MakeSample(1, [&](int64_t, Script* s) {
      for (int i = 0; i < times; ++i) s->Send(10, 0, int64_t{1} << 59);
    });
    const auto totals = TotalsBySite(sample.trace);
    ASSERT_EQ(totals.ok(), times == 3);
    if (times == 3) {
      EXPECT_EQ((*totals)[0].sent, uint64_t{3} << 62);
    } else {
      EXPECT_EQ(totals.status().code(), StatusCode::kBadInput);
    }
  }
}

}  // namespace
}  // namespace ranksight::reduction
