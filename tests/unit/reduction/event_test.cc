#include "reduction/api/event.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ranksight::reduction {
namespace {

Event Send(int64_t count, int64_t size) {
  Event e(Call::MPI_Send_);
  for (const int64_t v : {count, int64_t{13}, size, int64_t{0}, int64_t{5},
                          int64_t{7}, int64_t{0}}) {
    e.Add(v);
  }
  return e;
}

TEST(Event, GivesBackWhatWasAdded) {
  const Event e = Send(1024, 8);
  EXPECT_EQ(e.call(), Call::MPI_Send_);
  EXPECT_EQ(e.param_count(), 7);
  EXPECT_EQ(e.Get(Param::kCount), 1024);
  EXPECT_EQ(e.Get(Param::kPeer), 5);
  EXPECT_EQ(e.Get(Param::kTag), 7);
  EXPECT_TRUE(e.Has(Param::kComm));
  EXPECT_FALSE(e.Has(Param::kRoot));
  EXPECT_EQ(e.Get(Param::kRoot, -3), -3);
  EXPECT_TRUE(e.GetArray(Param::kCounts).empty());
}

TEST(Event, IsCompleteWhenEveryParameterIsThere) {
  Event e(Call::MPI_Barrier_);
  EXPECT_FALSE(e.Complete());
  e.Add(0);
  EXPECT_TRUE(e.Complete());
  EXPECT_TRUE(Event(Call::MPI_Init_).Complete());
}

TEST(Event, IsIncompleteWhenAnArrayContradictsItsLength) {
  const std::vector<int64_t> three = {1, 2, 3};
  Event e(Call::MPI_Waitall_);
  e.Add(8);
  e.Add(3);
  e.AddArray(three);
  e.Add(0);  // nothing matched
  e.AddArray({});
  e.AddArray({});
  EXPECT_TRUE(e.Complete());
  e.Reset(Call::MPI_Waitall_);
  e.Add(3);
  e.Add(2);
  e.AddArray(three);
  e.Add(0);  // nothing matched
  e.AddArray({});
  e.AddArray({});
  EXPECT_FALSE(e.Complete());
}

TEST(Event, ResetForgetsTheValues) {
  Event e = Send(1, 1);
  e.Reset(Call::MPI_Barrier_);
  EXPECT_EQ(e.param_count(), 0);
  e.Add(4);
  EXPECT_EQ(e.Get(Param::kComm), 4);
  EXPECT_FALSE(e.Has(Param::kPeer));
}

TEST(Event, ForgetsWhatNoTraceHolds) {
  Event e = Send(INT64_MAX, INT64_MIN);
  EXPECT_EQ(e.ForgetTooLarge(), 2u);
  EXPECT_EQ(e.Get(Param::kCount), kNone);
  EXPECT_EQ(e.Get(Param::kTypeSize), kNone);
  EXPECT_EQ(e.Get(Param::kPeer), 5);
  e = Send(kLargestKept, -kLargestKept);
  EXPECT_EQ(e.ForgetTooLarge(), 0u);
  EXPECT_EQ(e.Get(Param::kTypeSize), -kLargestKept);
  e = Send(kLargestKept + 1, kPeerAny);
  EXPECT_EQ(e.ForgetTooLarge(), 1u);
}

TEST(Event, ArraysOfLengthZeroKeepTheirPlace) {
  Event e(Call::MPI_Waitsome_);
  e.Add(1);
  e.Add(1);
  e.AddArray(std::vector<int64_t>{4});
  e.Add(0);
  e.AddArray({});
  e.Add(0);  // nothing matched
  e.AddArray({});
  e.AddArray({});
  EXPECT_TRUE(e.Complete());
  EXPECT_TRUE(e.ValuesAt(4).empty());
  EXPECT_EQ(e.GetArray(Param::kRequests).size(), 1u);
}

TEST(Event, BytesAreCountTimesSize) {
  EXPECT_EQ(SendBytes(Send(1024, 8)), 8192);
  EXPECT_EQ(RecvBytes(Send(1024, 8)), 0);
}

TEST(Event, SpecialCountsAreNoBytes) {
  EXPECT_EQ(SendBytes(Send(kNone, 8)), 0);
}

TEST(Event, ReceivesHaveOnlyAReceiveSide) {
  Event e(Call::MPI_Mrecv_);
  for (const int64_t v : {10, 13, 8, 0}) e.Add(v);
  EXPECT_EQ(SendBytes(e), 0);
  EXPECT_EQ(RecvBytes(e), 80);
}

TEST(Event, BytesOfCountArraysAreSummedWithTheirOwnTypes) {
  Event e(Call::MPI_Alltoallw_);
  const std::vector<int64_t> counts = {1, 2, 3}, kinds = {1, 8, 13},
                             sizes = {1, 4, 8}, none = {0, 0, 0};
  e.Add(0);
  for (int side = 0; side < 2; ++side) {
    e.Add(3);
    e.AddArray(counts);
    e.AddArray(kinds);
    e.AddArray(sizes);
    e.AddArray(none);
  }
  e.Add(0);
  ASSERT_TRUE(e.Complete());
  EXPECT_EQ(SendBytes(e), 1 * 1 + 2 * 4 + 3 * 8);
  EXPECT_EQ(RecvBytes(e), 1 * 1 + 2 * 4 + 3 * 8);
}

// A program keeps requests in slots, some of them empty, in any order.
TEST(Event, ACompletionNamesWhatItCompletesWhateverItsSlot) {
  Event e(Call::MPI_Waitall_);
  e.Add(6);
  e.Add(0);
  e.AddArray({});
  e.Add(0);  // nothing matched
  e.AddArray({});
  e.AddArray({});
  SetRequests(std::vector<int64_t>{2, 0, -2, 5, -1, 0}, &e);
  EXPECT_TRUE(e.Complete());
  EXPECT_EQ(e.Get(Param::kRequestCount), 6);
  EXPECT_EQ(e.Get(Param::kOpenCount), 4);
  EXPECT_TRUE(std::ranges::equal(e.GetArray(Param::kRequests),
                                 std::vector<int64_t>{5, 2, -1, -2}));
}

TEST(Event, TheOnlyRequestOfACallStaysWhereItIs) {
  Event e(Call::MPI_Wait_);
  e.Add(1);
  e.AddArray(std::vector<int64_t>{3});
  e.Add(0);
  e.AddArray({});
  e.AddArray({});
  SetRequests(std::vector<int64_t>{0}, &e);
  EXPECT_TRUE(e.Complete());
  EXPECT_EQ(e.Get(Param::kRequests), 0);
}

}  // namespace
}  // namespace ranksight::reduction
