#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "replay_engine/api/progress.h"
#include "tests/unit/replay_engine/rank_calls.h"

namespace ranksight::replay_engine {
namespace {

using rank_calls::Calls;
using rank_calls::Values;
using reduction::Call;
using reduction::Param;

TEST(Progress, NamesCollectivesThatDoNotGoTogether) {
  Calls run(2);
  run.Rooted(0, Call::MPI_Bcast_, 0);
  run.Rooted(1, Call::MPI_Bcast_, 1);
  EXPECT_EQ(run.Check().mismatch,
            "rank 0 calls MPI_Bcast from root 0 where rank 1 calls MPI_Bcast "
            "from root 1");
}

TEST(Progress, NamesWhoWorksInPlaceAndIsNoRoot) {
  const auto reduced = [](int64_t in_place) {
    Calls run(2);
    for (const int64_t rank : {0, 1}) {
      run.Add(rank, Call::MPI_Reduce_,
              {{Param::kRoot, {1}}, {Param::kInPlace, {rank == in_place}}});
    }
    return run.Check().mismatch;
  };
  EXPECT_EQ(reduced(1), "");
  EXPECT_EQ(reduced(0),
            "rank 0 calls MPI_Reduce from root 1 in place, which only the root "
            "may");
}

// Two ranks call it with these; what does not go together.
std::string Mismatch(Call call, const Values& first, const Values& second,
                     int64_t in_place = -1) {
  Calls run(2);
  for (const int64_t rank : {0, 1}) {
    Values values = rank == 0 ? first : second;
    values[Param::kTypeSize] = values[Param::kRecvTypeSize] = {4};
    values[Param::kInPlace] = {rank == in_place};
    for (const auto& [of, length] :
         {std::pair(Param::kCounts, Param::kPeerCount),
          std::pair(Param::kRecvCounts, Param::kRecvPeerCount)}) {
      values[length] = {int64_t(values[of].size())};
    }
    run.Add(rank, call, values);
  }
  return run.Check().mismatch;
}

TEST(Progress, NamesAmountsThatDoNotGoTogether) {
  const auto alike = [](Call call, int64_t other) {
    return Mismatch(call, {{Param::kCount, {3}}}, {{Param::kCount, {other}}});
  };
  for (const Call call : {Call::MPI_Bcast_, Call::MPI_Allreduce_}) {
    EXPECT_EQ(alike(call, 3), "");
    EXPECT_NE(alike(call, 4), "");
  }
  EXPECT_EQ(alike(Call::MPI_Bcast_, 4),
            "rank 0 calls MPI_Bcast from root 0 with 12 bytes where rank 1 "
            "calls it with 16");
  // The root alone says what is taken; it may have room for more.
  const auto gathered = [](int64_t given, int64_t taken) {
    return Mismatch(Call::MPI_Gather_,
                    {{Param::kCount, {1}}, {Param::kRecvCount, {taken}}},
                    {{Param::kCount, {given}}});
  };
  EXPECT_EQ(gathered(2, 2), "");
  EXPECT_EQ(gathered(2, 3), "");
  EXPECT_EQ(gathered(3, 2),
            "rank 1 calls MPI_Gather from root 0 with 12 bytes for each where "
            "rank 0 calls it with 8");
}

TEST(Progress, NamesListsThatDoNotGoTogether) {
  const auto to_all = [](int64_t taken_by_first) {
    return Mismatch(
        Call::MPI_Alltoallv_,
        {{Param::kCounts, {1, 2}}, {Param::kRecvCounts, {1, taken_by_first}}},
        {{Param::kCounts, {3, 4}}, {Param::kRecvCounts, {2, 4}}});
  };
  EXPECT_EQ(to_all(3), "");
  EXPECT_EQ(to_all(2),
            "what ranks give in MPI_Alltoallv of rank 0 and others is not what "
            "is taken there");
  const auto gathered = [](std::vector<int64_t> taken, int64_t in_place) {
    return Mismatch(Call::MPI_Gatherv_,
                    {{Param::kCount, {in_place == 0 ? 0 : 5}},
                     {Param::kRecvCounts, std::move(taken)}},
                    {{Param::kCount, {7}}}, in_place);
  };
  EXPECT_EQ(gathered({5, 7}, -1), "");
  EXPECT_EQ(gathered({9, 7}, 0), "");
  EXPECT_NE(gathered({5, 6}, -1), "");
  EXPECT_NE(gathered({7, 5}, -1), "");
  const auto scattered = [](std::vector<int64_t> given) {
    return Mismatch(
        Call::MPI_Scatterv_,
        {{Param::kCounts, std::move(given)}, {Param::kRecvCount, {5}}},
        {{Param::kRecvCount, {7}}});
  };
  EXPECT_EQ(scattered({5, 7}), "");
  EXPECT_NE(scattered({6, 7}), "");
  const auto by_all = [](int64_t second, int64_t in_place) {
    return Mismatch(Call::MPI_Allgatherv_,
                    {{Param::kCount, {5}}, {Param::kRecvCounts, {5, 7}}},
                    {{Param::kCount, {in_place == 1 ? 0 : 7}},
                     {Param::kRecvCounts, {5, second}}},
                    in_place);
  };
  EXPECT_EQ(by_all(7, -1), "");
  EXPECT_EQ(by_all(7, 1), "");
  EXPECT_NE(by_all(8, -1), "");
}

TEST(Progress, RanksThatDoNotExistAreRefused) {
  for (const Call call : {Call::MPI_Probe_, Call::MPI_Mprobe_, Call::MPI_Recv_,
                          Call::MPI_Send_, Call::MPI_Irecv_}) {
    for (const int64_t peer : {-1, 2, 1 << 20}) {
      Calls run(2);
      run.Message(1, call, peer);
      const reduction::Status refused = run.Refused();
      EXPECT_EQ(refused.code(), reduction::StatusCode::kBadInput);
      EXPECT_NE(refused.message().find("peer=" + std::to_string(peer)),
                std::string::npos)
          << refused.message();
    }
  }
}

TEST(Progress, WhoIsNotInTheCommunicatorIsRefused) {
  const auto said = [](int64_t to) {
    Calls run(4);
    for (const int64_t rank : {0, 1, 2, 3}) {
      run.Add(rank, Call::MPI_Comm_split_,
              {{Param::kColor, {rank / 2}},
               {Param::kKey, {rank}},
               {Param::kCommSize, {2}}});
    }
    const auto message = [&](int64_t rank, Call call, int64_t peer) {
      run.Add(rank, call, {{Param::kPeer, {peer}}, {Param::kComm, {2}}});
    };
    message(0, Call::MPI_Send_, to);
    message(to, Call::MPI_Recv_, 0);
    return run.Refused();
  };
  EXPECT_TRUE(said(1).ok()) << said(1).message();
  EXPECT_NE(said(2).message().find("rank 2 is not in the communicator"),
            std::string::npos)
      << said(2).message();
}

TEST(Progress, WhatARankDoesNotHaveItMayNotGiveUp) {
  const auto said = [](int64_t first, int64_t second) {
    Calls run(2);
    for (const int64_t rank : {0, 1}) {
      run.Add(rank, Call::MPI_Comm_dup_, {{Param::kCommSize, {2}}});
      // Nothing is made for who has no colour.
      run.Add(rank, Call::MPI_Comm_split_,
              {{Param::kColor, {rank == 0 ? 0 : reduction::kColorUndefined}},
               {Param::kCommSize, {rank == 0 ? 1 : 0}}});
    }
    for (const int64_t comm : {2, 3}) {
      run.Add(0, Call::MPI_Comm_free_, {{Param::kComm, {comm}}});
    }
    for (const int64_t comm : {first, second}) {
      run.Add(1, Call::MPI_Comm_free_, {{Param::kComm, {comm}}});
    }
    return run.Refused();
  };
  EXPECT_NE(said(2, 3).message().find("gives up a communicator"),
            std::string::npos)
      << said(2, 3).message();
  EXPECT_NE(said(2, 2).message().find("rank 1, event 5 (MPI_Comm_free"),
            std::string::npos)
      << said(2, 2).message();
  Calls run(1);
  for (int round = 0; round < 2; ++round) {
    run.Add(0, Call::MPI_Comm_dup_, {{Param::kCommSize, {1}}});
    run.Add(0, Call::MPI_Comm_free_, {{Param::kComm, {2 + round}}});
  }
  EXPECT_TRUE(run.Refused().ok()) << run.Refused().message();
}

}  // namespace
}  // namespace ranksight::replay_engine
