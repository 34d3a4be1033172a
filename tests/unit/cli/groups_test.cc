#include "cli/look/groups.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::cli {
namespace {

using reduction::Call;
using reduction::MakeSample;
using reduction::Param;
using reduction::Sample;
using reduction::Script;
using RankList = std::vector<int64_t>;

// Of rank's communicator with that number; none where it is not known.
RankList MembersOf(const CommGroups& groups, size_t rank, size_t number) {
  const auto& of_rank = groups[rank];
  if (number >= of_rank.size() || of_rank[number] == nullptr) return {};
  return of_rank[number]->members;
}

TEST(Groups, MadeTwiceByTheSameMembersAreTwoThatAllShare) {
  for (const Call call :
       {Call::MPI_Comm_create_group_, Call::MPI_Comm_create_from_group_}) {
    const Sample sample = MakeSample(4, [&](int64_t rank, Script* s) {
      if (rank == 1) return;
      for (int i = 0; i < 2; ++i) {
        s->Add(call, 10,
               {{Param::kMemberCount, {3}},
                {Param::kMembers, {3, 0, 2}},
                {Param::kCommSize, {3}}});
      }
    });
    const auto groups = GroupsOf(sample.trace);
    ASSERT_TRUE(groups.ok());
    for (const size_t number : {2, 3}) {
      EXPECT_EQ(MembersOf(*groups, 0, number), (RankList{3, 0, 2}));
      EXPECT_EQ((*groups)[0][number], (*groups)[2][number]);
      EXPECT_EQ((*groups)[0][number], (*groups)[3][number]);
    }
    EXPECT_NE((*groups)[0][2], (*groups)[0][3]);
    EXPECT_TRUE(MembersOf(*groups, 1, 2).empty());
  }
}

TEST(Groups, OfAllMembersOrThoseThatObtainOne) {
  for (const Call call :
       {Call::MPI_Comm_dup_, Call::MPI_Comm_idup_,
        Call::MPI_Comm_idup_with_info_, Call::MPI_Dist_graph_create_,
        Call::MPI_Dist_graph_create_adjacent_, Call::MPI_Comm_split_type_}) {
    const Sample sample = MakeSample(3, [&](int64_t, Script* s) {
      s->Add(call, 10, {{Param::kCommSize, {3}}});
    });
    const auto groups = GroupsOf(sample.trace);
    ASSERT_TRUE(groups.ok());
    EXPECT_EQ(MembersOf(*groups, 1, 2), (RankList{0, 1, 2})) << Info(call).name;
    EXPECT_EQ((*groups)[0][2], (*groups)[2][2]);
  }
  const Sample graph = MakeSample(4, [&](int64_t rank, Script* s) {
    s->Add(Call::MPI_Graph_create_, 10,
           {{Param::kItemCount, {3}},
            {Param::kItems, {1, 2, 3}},
            {Param::kCommSize, {rank < 3 ? 3 : 0}}});
  });
  const auto groups = GroupsOf(graph.trace);
  ASSERT_TRUE(groups.ok());
  EXPECT_EQ(MembersOf(*groups, 2, 2), (RankList{0, 1, 2}));
  EXPECT_EQ((*groups)[3].size(), 2u);
}

TEST(Groups, OfOneHostAreInTheOrderOfTheirKeysAndOfSeveralUnknownInOldTraces) {
  for (const int64_t on_host : {4, 2}) {
    const Sample sample = MakeSample(4, [&](int64_t rank, Script* s) {
      s->Add(Call::MPI_Comm_split_type_, 10,
             {{Param::kKey, {-rank}}, {Param::kCommSize, {on_host}}});
      s->Add(Call::MPI_Comm_dup_, 11, {{Param::kCommSize, {4}}});
    });
    const auto groups = GroupsOf(sample.trace);
    ASSERT_TRUE(groups.ok());
    EXPECT_EQ(MembersOf(*groups, 0, 2),
              on_host == 4 ? (RankList{3, 2, 1, 0}) : RankList{});
    // What was made later is known all the same.
    EXPECT_EQ(MembersOf(*groups, 0, 3), (RankList{0, 1, 2, 3}));
  }
}

TEST(Groups, OfSeveralHostsAreThoseWithOneFirstMember) {
  const Sample sample = MakeSample(5, [&](int64_t rank, Script* s) {
    const int64_t first = rank % 2 == 0 ? 4 : 3;
    s->Add(Call::MPI_Comm_split_type_, 10,
           {{Param::kFirstMember, {first}},
            {Param::kKey, {-rank}},
            {Param::kCommSize, {rank % 2 == 0 ? 3 : 2}}});
  });
  const auto groups = GroupsOf(sample.trace);
  ASSERT_TRUE(groups.ok());
  EXPECT_EQ(MembersOf(*groups, 0, 2), (RankList{4, 2, 0}));
  EXPECT_EQ(MembersOf(*groups, 3, 2), (RankList{3, 1}));
}

}  // namespace
}  // namespace ranksight::cli
