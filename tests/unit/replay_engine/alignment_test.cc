#include "replay_engine/api/alignment.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/unit/replay_engine/rank_calls.h"

namespace ranksight::replay_engine {
namespace {

using rank_calls::Calls;
using rank_calls::FirstFromTheLast;
using rank_calls::Values;
using reduction::Call;
using reduction::kPeerAny;
using reduction::Param;

// Rank 0 takes two messages of each other rank from whoever comes, every second
// one behind a probe.
Calls MasterAndWorkers(int64_t ranks) {
  Calls run{size_t(ranks)};
  for (int64_t i = 0; i < 2 * (ranks - 1); ++i) {
    const Values any = {{Param::kPeer, {kPeerAny}},
                        {Param::kTag, {reduction::kTagAny}}};
    if (i % 2 == 1) run.Add(0, Call::MPI_Probe_, any);
    run.Add(0, Call::MPI_Recv_, any);
  }
  for (int64_t r = 1; r < ranks; ++r) {
    run.Message(r, Call::MPI_Send_, 0, 8, 10 * r);
    run.Message(r, Call::MPI_Send_, 0, 8, 10 * r + 1);
  }
  return run;
}

TEST(Align, GivesEachMessageToOneReceiveAndProbesWhatFollows) {
  const auto alignment = MasterAndWorkers(5).Aligned();
  ASSERT_TRUE(alignment.ok()) << alignment.status().message();
  const std::vector<Match>& all = alignment->front();
  ASSERT_EQ(all.size(), 12u);
  std::map<int64_t, std::vector<int64_t>> tags;  // received, by source
  for (size_t i = 0; i < all.size(); ++i) {
    if (i % 3 == 1) {
      EXPECT_EQ(all[i], all[i + 1]) << i;
    } else {
      tags[all[i].source].push_back(all[i].tag);
    }
  }
  ASSERT_EQ(tags.size(), 4u);
  for (const auto& [source, received] : tags) {
    EXPECT_EQ(received, (std::vector<int64_t>{10 * source, 10 * source + 1}));
  }
  EXPECT_EQ(*alignment, *MasterAndWorkers(5).Aligned());
}

TEST(Align, LeavesReceivesByNameTheirMessages) {
  // Whatever comes first: the second of rank 1 is left for the open one.
  Calls run(2);
  run.Message(0, Call::MPI_Irecv_, 1, 8, 7);
  run.Add(0, Call::MPI_Irecv_,
          {{Param::kPeer, {kPeerAny}}, {Param::kTag, {7}}});
  run.Waitall(0, {2, 1});
  run.Message(1, Call::MPI_Send_, 0, 8, 7);
  run.Message(1, Call::MPI_Send_, 0, 8, 7);
  const auto alignment = run.Aligned();
  ASSERT_TRUE(alignment.ok()) << alignment.status().message();
  EXPECT_EQ(alignment->front(), (std::vector<Match>{{1, 7}}));
}

TEST(Align, GivesACancelledReceiveNothing) {
  Calls run(2);
  for (int i = 0; i < 2; ++i) {
    run.Add(0, Call::MPI_Irecv_, {{Param::kPeer, {kPeerAny}}});
    if (i == 0) run.OnRequest(0, Call::MPI_Cancel_, 1);
    run.OnRequest(0, Call::MPI_Wait_, 1);
  }
  run.Message(1, Call::MPI_Send_, 0);
  const auto alignment = run.Aligned();
  ASSERT_TRUE(alignment.ok()) << alignment.status().message();
  EXPECT_EQ(alignment->front(), (std::vector<Match>{Match{}, {1, 0}}));
}

TEST(Align, KeepsWhatTheRecordingSaysUnlessAskedNotTo) {
  Calls run = FirstFromTheLast();
  const auto recorded = run.Aligned();
  ASSERT_TRUE(recorded.ok());
  EXPECT_TRUE(recorded->front().empty());
  const auto anew = run.Aligned(true);
  EXPECT_EQ(anew.status().code(), reduction::StatusCode::kNo);
  EXPECT_NE(anew.status().message().find("rank 0, event 3"), std::string::npos)
      << anew.status().message();
}

TEST(Align, SendsThatMustBeHeldBackAre) {
  Calls run(2);
  for (int64_t r = 0; r < 2; ++r) {
    run.Message(r, Call::MPI_Send_, 1 - r, 1000);
    run.Add(r, Call::MPI_Recv_, {{Param::kPeer, {kPeerAny}}});
  }
  const auto alignment = run.Aligned();
  ASSERT_TRUE(alignment.ok()) << alignment.status().message();
  EXPECT_EQ(*alignment, (Alignment{{{1, 0}}, {{0, 0}}}));
}

}  // namespace
}  // namespace ranksight::replay_engine
