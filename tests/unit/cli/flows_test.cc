#include "cli/look/flows.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

#include "reduction/api/traffic.h"
#include "tests/unit/cli/pairs.h"
#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::cli {
namespace {

using reduction::MakeSample;
using reduction::Sample;
using reduction::Script;

// By walking every call of every rank.
Pairs Walked(const Sample& sample) {
  Pairs pairs;
  for (int64_t rank = 0; rank < sample.trace.meta.ranks; ++rank) {
    const auto traffic = TrafficFrom(sample.trace, rank);
    EXPECT_TRUE(traffic.ok());
    for (const auto& [to, t] : *traffic) pairs[{rank, to}] += t.bytes;
  }
  return pairs;
}

Pairs Compressed(const Sample& sample) {
  const auto traffic = TrafficOf(sample.trace);
  EXPECT_TRUE(traffic.ok()) << traffic.status().message();
  return Expand(Total(*traffic));
}

TEST(Flows, AreWhatWalkingEveryCallFinds) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const int64_t ranks = 6 + seed % 5;
    const Sample sample = MakeSample(ranks, [&](int64_t rank, Script* s) {
      std::mt19937 common(seed);  // the same program on every rank
      std::mt19937 own(seed * 1000 + static_cast<unsigned>(rank));
      for (uint32_t line = 10; line < 16; ++line) {
        const unsigned kind = common() % 5;
        for (unsigned i = common() % 9; i-- > 0;) {
          const int64_t right = (rank + 1 + i % 3) % ranks;
          if (kind == 0) s->Send(line, right, 7);
          if (kind == 1) s->Send(line, (rank + 1) % ranks, 1 + i);
          if (kind == 2) s->Send(line, own() % ranks, own() % 50, 1 + i % 2);
          if (kind == 3) s->Sendrecv(line, right, 3, right, 100);
          if (kind == 4 && rank > 2) {
            s->Send(line, i % 2 ? 0 : reduction::kPeerNull, 9);
          }
        }
      }
      s->Recv(17, (rank + 1) % ranks, 9);
    });
    EXPECT_EQ(Compressed(sample), Walked(sample)) << seed;
  }
}

TEST(Flows, AShiftOfAllRanksIsOneFlowAndItsEnd) {
  const Sample sample = MakeSample(64, [](int64_t rank, Script* s) {
    for (int i = 0; i < 100; ++i) s->Send(10, (rank + 1) % 64, 4);
  });
  const auto traffic = TrafficOf(sample.trace);
  ASSERT_EQ(traffic->sites.size(), 1u);
  EXPECT_EQ(traffic->sites[0].messages, 6400u);
  EXPECT_EQ(traffic->sites[0].traffic.flows,
            (std::vector<bgq_support::Flow>{{0, 1, 1, 1, 63, 3200},
                                            {63, 0, 0, 0, 1, 3200}}));
}

TEST(Flows, PersistentSendsCountWhereTheyAreStarted) {
  const Sample sample = MakeSample(4, [](int64_t rank, Script* s) {
    s->RecvInit(10, (rank + 3) % 4, 5);
    s->SendInit(11, (rank + 1) % 4, 5);
    for (int i = 0; i < 3; ++i) {
      s->Start(12, 0);
      s->Start(13, 1);
    }
  });
  const auto traffic = TrafficOf(sample.trace);
  ASSERT_TRUE(traffic.ok());
  ASSERT_EQ(traffic->sites.size(), 1u);
  EXPECT_EQ(traffic->sites[0].call, reduction::Call::MPI_Start_);
  EXPECT_EQ(traffic->sites[0].messages, 12u);
  EXPECT_EQ(Expand(Total(*traffic)), Walked(sample));
}

TEST(Flows, PartitionedSendsCountLikeOtherPersistentOnes) {
  const Sample sample = MakeSample(2, [](int64_t rank, Script* s) {
    for (const auto call :
         {reduction::Call::MPI_Precv_init_, reduction::Call::MPI_Psend_init_}) {
      s->Add(call, 10,
             {{reduction::Param::kPartitions, {4}},
              {reduction::Param::kCount, {3}},
              {reduction::Param::kTypeSize, {8}},
              {reduction::Param::kPeer, {1 - rank}}});
    }
    for (int i = 0; i < 3; ++i) {
      s->Start(12, 0);
      s->Start(13, 1);
    }
  });
  const auto traffic = TrafficOf(sample.trace);
  ASSERT_TRUE(traffic.ok());
  EXPECT_TRUE(traffic->left_out.empty());
  EXPECT_EQ(Expand(Total(*traffic)), (Pairs{{{0, 1}, 288}, {{1, 0}, 288}}));
  EXPECT_EQ(Expand(Total(*traffic)), Walked(sample));
}

TEST(Flows, AlltoallvGivesEachPairItsBytes) {
  const Sample sample = MakeSample(3, [](int64_t rank, Script* s) {
    s->Alltoallv(10, {rank + 1, 5, 0});
    s->Alltoallv(10, {1, 1, 1});
  });
  const auto traffic = TrafficOf(sample.trace);
  ASSERT_TRUE(traffic.ok());
  EXPECT_TRUE(traffic->left_out.empty());
  const Pairs pairs = Expand(Total(*traffic));
  const uint64_t size = pairs.at({0, 2});  // one element
  EXPECT_EQ(pairs, (Pairs{{{0, 1}, 6 * size},
                          {{0, 2}, size},
                          {{1, 0}, 3 * size},
                          {{1, 2}, size},
                          {{2, 0}, 4 * size},
                          {{2, 1}, 6 * size}}));
}

// Traffic of the same calls from one place.
void ExpectSame(const Sample& spread, const Sample& together) {
  const auto traffic = TrafficOf(spread.trace);
  ASSERT_TRUE(traffic.ok()) << traffic.status().message();
  EXPECT_EQ(traffic->left_out, (std::map<std::string, uint64_t>{}));
  EXPECT_EQ(Expand(Total(*traffic)), Compressed(together));
  EXPECT_FALSE(Compressed(together).empty());
}

TEST(Flows, ACollectiveMayBeCalledFromSeveralPlaces) {
  using reduction::Call;
  using reduction::Param;
  const auto program = [](bool spread) {
    return MakeSample(6, [=](int64_t rank, Script* s) {
      const auto add = [&](Call call, uint32_t line, int64_t root,
                           int64_t count) {
        s->Add(call, line,
               {{Param::kCount, {count}},
                {Param::kTypeSize, {8}},
                {Param::kRecvCount, {rank == root ? count : 0}},
                {Param::kRecvTypeSize, {8}},
                {Param::kRoot, {root}}});
      };
      // The root's branch and that of the others.
      for (int i = 0; i < 3; ++i) {
        add(Call::MPI_Gather_, spread && rank == 0 ? 10 : 11, 0, 5);
      }
      // Turn about, so that only the order tells which belong together.
      for (int64_t i = 0; i < 10; ++i) {
        const bool here = !spread || (i + rank) % 3 != 0;
        add(Call::MPI_Bcast_, here ? 12 : 13, i % 4, 1 + i * i);
      }
    });
  };
  ExpectSame(program(true), program(false));
  const auto traffic = TrafficOf(program(true).trace);
  ASSERT_EQ(traffic->sites.size(), 2u);
  EXPECT_EQ(traffic->sites[0].messages, 3u * 5);
  EXPECT_EQ(traffic->sites[1].messages, 10u * 5);
}

TEST(Flows, OnePlaceMayCallOnSeveralCommunicatorsInTurn) {
  using reduction::Call;
  using reduction::Param;
  const auto program = [](bool in_turn) {
    return MakeSample(8, [=](int64_t rank, Script* s) {
      for (const int64_t colour : {rank % 2, rank / 4}) {
        s->Add(Call::MPI_Comm_split_, 10,
               {{Param::kColor, {colour}}, {Param::kCommSize, {4}}});
      }
      for (int64_t i = 0; i < 10; ++i) {
        const auto comm = 2 + i % 2;
        const auto line = static_cast<uint32_t>(in_turn ? 11 : 11 + comm);
        s->Add(Call::MPI_Allreduce_, line,
               {{Param::kComm, {comm}},
                {Param::kCount, {1 + i}},
                {Param::kTypeSize, {8}}});
      }
    });
  };
  ExpectSame(program(true), program(false));
}

TEST(Flows, AlltoallsNowAndThenInPlaceAreNamed) {
  using reduction::Call;
  using reduction::Param;
  for (const int64_t in_place : {0, 1}) {
    const Sample sample = MakeSample(3, [&](int64_t, Script* s) {
      for (int64_t i = 0; i < 4; ++i) {
        const bool placed = i * in_place % 2 == 1;
        s->Add(Call::MPI_Alltoall_, 10,
               {{Param::kInPlace, {placed}},
                {Param::kCount, {placed ? 0 : 4}},
                {Param::kTypeSize, {8}},
                {Param::kRecvCount, {4}},
                {Param::kRecvTypeSize, {8}}});
      }
    });
    const auto traffic = TrafficOf(sample.trace);
    ASSERT_TRUE(traffic.ok());
    EXPECT_EQ(traffic->left_out.size(), size_t(in_place));
  }
}

TEST(Flows, BarriersSendNoDataWhoeverMakesThem) {
  using reduction::Call;
  const Sample sample = MakeSample(3, [](int64_t rank, Script* s) {
    s->Add(Call::MPI_Barrier_, 10 + static_cast<uint32_t>(rank / 2),
           {{reduction::Param::kComm, {7}}});
    s->Add(Call::MPI_Barrier_init_, 12, {});
  });
  const auto traffic = TrafficOf(sample.trace);
  ASSERT_TRUE(traffic.ok());
  EXPECT_TRUE(traffic->left_out.empty());
  EXPECT_TRUE(traffic->sites.empty());
}

TEST(Flows, EveryOneSidedCallThatMovesDataIsNamed) {
  using reduction::Call;
  const Sample sample = MakeSample(2, [](int64_t, Script* s) {
    s->Add(Call::MPI_Win_fence_, 10, {});
    s->Add(Call::MPI_Put_, 11, {});
    s->Add(Call::MPI_Rget_accumulate_, 12, {});
    s->Add(Call::MPI_Fetch_and_op_, 13, {});
    s->Add(Call::MPI_Compare_and_swap_, 14, {});
    s->Add(Call::MPI_Win_flush_, 15, {});
  });
  const auto traffic = TrafficOf(sample.trace);
  ASSERT_TRUE(traffic.ok());
  EXPECT_EQ(traffic->left_out,
            (std::map<std::string, uint64_t>{{"MPI_Put", 2},
                                             {"MPI_Rget_accumulate", 2},
                                             {"MPI_Fetch_and_op", 2},
                                             {"MPI_Compare_and_swap", 2}}));
}

// Three calls on 3,000 ranks, of which the last has other counts.
Sample OnManyRanks(reduction::Call call, int64_t for_last) {
  using reduction::Param;
  constexpr int64_t kRanks = 3000;
  Sample sample = MakeSample(1, [&](int64_t, Script* s) {
    s->Add(call, 10,
           {{Param::kPeerCount, {1}},
            {Param::kCounts, {5}},
            {Param::kTypeSizes, {8}},
            {Param::kTypeKinds, {0}},
            {Param::kTypeExcesses, {0}},
            {Param::kTypeSize, {8}}});
  });
  sample.trace.meta.ranks = kRanks;
  ForEachEvent(sample.trace.root, [&](reduction::Node& node) {
    const auto params = Info(node.call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      const reduction::Section once = node.params[i].At(0);
      if (once.empty()) continue;
      reduction::Section values;
      values.AppendRun(once.At(0), IsArray(params[i]) ? 3 * kRanks : 3);
      node.params[i] = reduction::Parameter();
      for (int64_t rank = 0; rank < kRanks; ++rank) {
        if (rank + 1 == kRanks && params[i] == Param::kCounts) {
          values = reduction::Section::Constant(for_last, 3 * kRanks);
        }
        node.params[i].Add(rank, values, false);
      }
    }
  });
  return sample;
}

TEST(Flows, EqualSharesOfManyRanksAreOneExchange) {
  using reduction::Call;
  for (const Call call : {Call::MPI_Alltoallv_, Call::MPI_Ialltoallw_,
                          Call::MPI_Reduce_scatter_}) {
    const auto traffic = TrafficOf(OnManyRanks(call, 5).trace);
    ASSERT_TRUE(traffic.ok());
    EXPECT_TRUE(traffic->left_out.empty()) << Info(call).name;
    ASSERT_EQ(traffic->sites.size(), 1u);
    EXPECT_EQ(traffic->sites[0].messages, 3u * 3000 * 2999);
    ASSERT_EQ(traffic->sites[0].traffic.exchanges.size(), 1u);
    EXPECT_EQ(traffic->sites[0].traffic.exchanges[0].bytes, 3u * 5 * 8);
  }
  const auto unequal = TrafficOf(OnManyRanks(Call::MPI_Alltoallv_, 6).trace);
  ASSERT_TRUE(unequal.ok());
  EXPECT_EQ(unequal->left_out.size(), 1u);
}

TEST(Flows, WhatRanksGiveThemselvesDoesNotMatter) {
  const Sample sample = MakeSample(4, [](int64_t rank, Script* s) {
    for (int64_t i = 0; i < 6; ++i) {
      std::vector<int64_t> counts(4, i / 2);
      counts[static_cast<size_t>(rank)] = i % 3;
      s->Alltoallv(10, counts);
    }
  });
  const auto traffic = TrafficOf(sample.trace);
  ASSERT_TRUE(traffic.ok());
  ASSERT_EQ(traffic->sites.size(), 1u);
  EXPECT_TRUE(traffic->sites[0].traffic.flows.empty());
  ASSERT_EQ(traffic->sites[0].traffic.exchanges.size(), 1u);
  EXPECT_EQ(traffic->sites[0].traffic.exchanges[0].bytes, 2u * (1 + 2) * 4);
}

TEST(Flows, CallsThatNotAllMembersMakeAreNamed) {
  using reduction::Call;
  const Sample sample = MakeSample(3, [](int64_t rank, Script* s) {
    s->Add(
        Call::MPI_Bcast_, rank == 0 ? 10 : 11,
        {{reduction::Param::kCount, {4}}, {reduction::Param::kTypeSize, {8}}});
    if (rank == 1) s->Add(Call::MPI_Bcast_, 12, {});
  });
  const auto traffic = TrafficOf(sample.trace);
  ASSERT_TRUE(traffic.ok());
  EXPECT_EQ(traffic->left_out,
            (std::map<std::string, uint64_t>{{"MPI_Bcast", 4}}));
}

TEST(Flows, BytesThatDoNotFitAreRefused) {
  using reduction::Call;
  using reduction::Param;
  constexpr int64_t kMany = int64_t{1} << 59;
  for (const Call call :
       {Call::MPI_Send_, Call::MPI_Bcast_, Call::MPI_Allreduce_,
        Call::MPI_Reduce_scatter_block_, Call::MPI_Alltoall_}) {
    const Sample sample = MakeSample(2, [&](int64_t, Script* s) {
      for (int i = 0; i < 4; ++i) {
        s->Add(call, 10,
               {{Param::kPeer, {1}},
                {Param::kCount, {kMany}},
                {Param::kTypeSize, {8}}});
      }
    });
    EXPECT_EQ(TrafficOf(sample.trace).status().code(),
              reduction::StatusCode::kBadInput)
        << Info(call).name;
  }
  const Sample sample = MakeSample(2, [&](int64_t, Script* s) {
    for (int i = 0; i < 16; ++i) s->Alltoallv(10, {kMany / 2, kMany / 2});
  });
  EXPECT_EQ(TrafficOf(sample.trace).status().code(),
            reduction::StatusCode::kBadInput);
}

TEST(Flows, APeerOutsideTheRunIsRefused) {
  const Sample sample =
      MakeSample(2, [](int64_t, Script* s) { s->Send(10, 2, 5); });
  EXPECT_EQ(TrafficOf(sample.trace).status().code(),
            reduction::StatusCode::kBadInput);
}

}  // namespace
}  // namespace ranksight::cli
