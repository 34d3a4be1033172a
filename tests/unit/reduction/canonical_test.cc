#include "reduction/api/canonical.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace ranksight::reduction {
namespace {

using Values = std::map<Param, std::vector<int64_t>>;

// The text of call with these values, all others 0; arrays get the length
// that their length parameter says.
std::string Text(Call call, const Values& values,
                 int64_t comm_size = kNotKept) {
  Event e(call);
  e.comm_size = comm_size;
  for (const Param p : Info(call).params) {
    const auto it = values.find(p);
    if (IsArray(p)) {
      e.AddArray(it != values.end()
                     ? it->second
                     : std::vector<int64_t>(e.Get(LengthOf(call, p)), 0));
    } else {
      e.Add(it != values.end() ? it->second[0] : 0);
    }
  }
  EXPECT_TRUE(e.Complete());
  return CanonicalText(e);
}

TEST(Canonical, PrintsTheExampleOfTheContract) {
  EXPECT_EQ(Text(Call::MPI_Isend_, {{Param::kPeer, {5}},
                                    {Param::kTag, {7}},
                                    {Param::kCount, {1024}},
                                    {Param::kTypeSize, {8}}}),
            "MPI_Isend comm=0 peer=5 tag=7 bytes=8192");
}

TEST(Canonical, ACommunicatorWithoutANumberIsNone) {
  EXPECT_EQ(Text(Call::MPI_Barrier_, {{Param::kComm, {kNone}}}),
            "MPI_Barrier comm=none");
}

TEST(Canonical, CallsWithoutFieldsPrintTheirName) {
  EXPECT_EQ(Text(Call::MPI_Init_, {}), "MPI_Init");
  EXPECT_EQ(Text(Call::MPI_Finalize_, {}), "MPI_Finalize");
  EXPECT_EQ(Text(Call::MPI_Start_, {{Param::kRequestCount, {1}}}), "MPI_Start");
  EXPECT_EQ(Text(Call::MPI_Startall_, {{Param::kRequestCount, {3}}}),
            "MPI_Startall");
  EXPECT_EQ(Text(Call::MPI_Cancel_, {{Param::kRequestCount, {1}}}),
            "MPI_Cancel");
  EXPECT_EQ(Text(Call::MPI_Request_free_, {{Param::kRequestCount, {1}}}),
            "MPI_Request_free");
}

TEST(Canonical, SpecialPeersAndTagsHaveNames) {
  EXPECT_EQ(Text(Call::MPI_Recv_, {{Param::kPeer, {kPeerAny}},
                                   {Param::kTag, {kTagAny}},
                                   {Param::kCount, {2}},
                                   {Param::kTypeSize, {4}}}),
            "MPI_Recv comm=0 peer=any tag=any bytes=8");
  EXPECT_EQ(
      Text(Call::MPI_Probe_, {{Param::kPeer, {kPeerNull}}, {Param::kTag, {3}}}),
      "MPI_Probe comm=0 peer=null tag=3");
}

TEST(Canonical, SendrecvPrintsBothSides) {
  EXPECT_EQ(Text(Call::MPI_Sendrecv_, {{Param::kComm, {2}},
                                       {Param::kPeer, {1}},
                                       {Param::kTag, {10}},
                                       {Param::kCount, {3}},
                                       {Param::kTypeSize, {8}},
                                       {Param::kRecvPeer, {kPeerAny}},
                                       {Param::kRecvTag, {11}},
                                       {Param::kRecvCount, {5}},
                                       {Param::kRecvTypeSize, {4}}}),
            "MPI_Sendrecv comm=2 peer=1 tag=10 bytes=24 rpeer=any rtag=11 "
            "rbytes=20");
}

TEST(Canonical, SendrecvReplaceReceivesAsMuchAsItSends) {
  EXPECT_EQ(Text(Call::MPI_Sendrecv_replace_, {{Param::kPeer, {1}},
                                               {Param::kCount, {3}},
                                               {Param::kTypeSize, {8}},
                                               {Param::kRecvPeer, {2}}}),
            "MPI_Sendrecv_replace comm=0 peer=1 tag=0 bytes=24 rpeer=2 "
            "rtag=0 rbytes=24");
}

TEST(Canonical, MatchedReceivesPrintOnlyBytes) {
  EXPECT_EQ(
      Text(Call::MPI_Imrecv_, {{Param::kCount, {3}}, {Param::kTypeSize, {8}}}),
      "MPI_Imrecv bytes=24");
}

TEST(Canonical, CompletionsPrintHowManyRequestsWerePassed) {
  EXPECT_EQ(Text(Call::MPI_Wait_, {{Param::kRequestCount, {1}}}),
            "MPI_Wait n=1");
  EXPECT_EQ(Text(Call::MPI_Waitsome_,
                 {{Param::kRequestCount, {8}}, {Param::kDoneCount, {2}}}),
            "MPI_Waitsome n=8");
  EXPECT_EQ(Text(Call::MPI_Test_, {{Param::kRequestCount, {1}}}),
            "MPI_Test n=1");
}

TEST(Canonical, RootedCollectivesPrintTheirRoot) {
  EXPECT_EQ(Text(Call::MPI_Bcast_, {{Param::kCount, {4}},
                                    {Param::kTypeSize, {4}},
                                    {Param::kRoot, {3}}}),
            "MPI_Bcast comm=0 bytes=16 root=3");
  EXPECT_EQ(Text(Call::MPI_Gather_, {{Param::kCount, {4}},
                                     {Param::kTypeSize, {4}},
                                     {Param::kRoot, {3}}}),
            "MPI_Gather comm=0 bytes=16 rbytes=0 root=3");
  EXPECT_EQ(Text(Call::MPI_Ibcast_, {{Param::kRoot, {kPeerRoot}}}),
            "MPI_Ibcast comm=0 bytes=0 root=root");
}

TEST(Canonical, CollectivesWithoutRootPrintOnlyWhatTheyHave) {
  EXPECT_EQ(Text(Call::MPI_Barrier_, {}), "MPI_Barrier comm=0");
  EXPECT_EQ(Text(Call::MPI_Allreduce_,
                 {{Param::kCount, {1}}, {Param::kTypeSize, {8}}}),
            "MPI_Allreduce comm=0 bytes=8");
}

TEST(Canonical, ReduceScatterOfEqualSharesSaysTheSameInBothForms) {
  for (const char* form : {"MPI_Reduce_scatter", "MPI_Ireduce_scatter"}) {
    const std::string name = form;
    const Call with_list = FindCallByName(name)->call;
    const Call block = FindCallByName(name + "_block")->call;
    EXPECT_EQ(Text(with_list, {{Param::kPeerCount, {3}},
                               {Param::kCounts, {5, 5, 5}},
                               {Param::kTypeSize, {8}}}),
              name + " comm=0 bytes=120");
    EXPECT_EQ(Text(block, {{Param::kCount, {5}}, {Param::kTypeSize, {8}}}, 3),
              name + "_block comm=0 bytes=120");
  }
}

TEST(Canonical, SharesOnACommunicatorWithoutANumberAreNotCounted) {
  EXPECT_EQ(Text(Call::MPI_Reduce_scatter_block_, {{Param::kComm, {kNone}},
                                                   {Param::kCount, {5}},
                                                   {Param::kTypeSize, {8}}}),
            "MPI_Reduce_scatter_block comm=none bytes=?");
}

TEST(Canonical, CountArraysAreSummed) {
  EXPECT_EQ(Text(Call::MPI_Alltoallv_, {{Param::kPeerCount, {3}},
                                        {Param::kCounts, {1, 2, 3}},
                                        {Param::kTypeSize, {8}},
                                        {Param::kRecvPeerCount, {3}},
                                        {Param::kRecvCounts, {4, 0, 1}},
                                        {Param::kRecvTypeSize, {2}}}),
            "MPI_Alltoallv comm=0 bytes=48 rbytes=10");
  EXPECT_EQ(Text(Call::MPI_Reduce_scatter_, {{Param::kPeerCount, {2}},
                                             {Param::kCounts, {3, 4}},
                                             {Param::kTypeSize, {8}}}),
            "MPI_Reduce_scatter comm=0 bytes=56");
}

TEST(Canonical, InPlaceCountsZeroOnItsSide) {
  const Values both = {{Param::kInPlace, {1}},
                       {Param::kCount, {4}},
                       {Param::kTypeSize, {4}},
                       {Param::kRecvCount, {2}},
                       {Param::kRecvTypeSize, {4}}};
  EXPECT_EQ(Text(Call::MPI_Allgather_, both),
            "MPI_Allgather comm=0 bytes=0 rbytes=8");
  EXPECT_EQ(Text(Call::MPI_Scatter_, both),
            "MPI_Scatter comm=0 bytes=16 rbytes=0 root=0");
  EXPECT_EQ(Text(Call::MPI_Allreduce_, {{Param::kInPlace, {1}},
                                        {Param::kCount, {4}},
                                        {Param::kTypeSize, {4}}}),
            "MPI_Allreduce comm=0 bytes=16");
}

TEST(Canonical, CommunicatorMakersPrintParentAndSizeOnly) {
  EXPECT_EQ(Text(Call::MPI_Comm_split_, {{Param::kComm, {0}},
                                         {Param::kColor, {1}},
                                         {Param::kCommSize, {4}}}),
            "MPI_Comm_split comm=0 n=4");
  EXPECT_EQ(
      Text(Call::MPI_Comm_create_group_,
           {{Param::kComm, {2}}, {Param::kTag, {9}}, {Param::kCommSize, {0}}}),
      "MPI_Comm_create_group comm=2 n=0");
  EXPECT_EQ(Text(Call::MPI_Comm_free_, {{Param::kComm, {2}}}),
            "MPI_Comm_free comm=2");
  EXPECT_EQ(Text(Call::MPI_Abort_, {{Param::kComm, {0}}}), "MPI_Abort comm=0");
}

}  // namespace
}  // namespace ranksight::reduction
