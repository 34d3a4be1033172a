#include "reduction/api/traffic.h"

#include <gtest/gtest.h>

#include "reduction/api/cursor.h"
#include "reduction/api/event.h"
#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::reduction {
namespace {

std::map<int64_t, Traffic> From(const Sample& sample, int64_t rank) {
  auto traffic = TrafficFrom(sample.trace, rank);
  EXPECT_TRUE(traffic.ok());
  return *traffic;
}

TEST(Traffic, CountsSendsAndSendHalvesButNoReceives) {
  const Sample sample = MakeSample(3, [](int64_t rank, Script* s) {
    if (rank != 0) return s->Recv(10, 0, 5);
    s->Send(11, 1, 5);
    s->Send(11, 2, 7);
    s->Sendrecv(12, 1, 1, 2, 100);
    s->Recv(13, 2, 9);
  });
  const auto traffic = From(sample, 0);
  ASSERT_EQ(traffic.size(), 2u);
  EXPECT_EQ(traffic.at(1).messages, 2u);
  EXPECT_EQ(traffic.at(1).bytes, 48u);
  EXPECT_EQ(traffic.at(2).messages, 1u);
  EXPECT_EQ(traffic.at(2).bytes, 56u);
  EXPECT_TRUE(From(sample, 1).empty());
}

TEST(Traffic, MessagesToNobodyAreNone) {
  const Sample sample =
      MakeSample(1, [](int64_t, Script* s) { s->Send(10, kPeerNull, 5); });
  EXPECT_TRUE(From(sample, 0).empty());
}

TEST(Traffic, APersistentSendCountsEachTimeItStarts) {
  const Sample sample = MakeSample(2, [](int64_t, Script* s) {
    s->RecvInit(10, 1, 3);
    s->SendInit(11, 1, 2);
    for (int i = 0; i < 4; ++i) {
      s->Start(12, 0);
      s->Start(13, 1);
    }
  });
  const auto traffic = From(sample, 0);
  ASSERT_EQ(traffic.size(), 1u);
  EXPECT_EQ(traffic.at(1).messages, 4u);
  EXPECT_EQ(traffic.at(1).bytes, 4u * 16);
}

// A persistent request among the calls makes it walk them.
TEST(Traffic, OneSidedCallsAreNoMessages) {
  for (const bool persistent : {false, true}) {
    const Sample sample = MakeSample(2, [&](int64_t, Script* s) {
      s->Send(10, 1, 5, 8, Call::MPI_Put_);
      s->Send(11, 1, 5, 8, Call::MPI_Accumulate_);
      if (persistent) s->RecvInit(12, 1, 3);
    });
    EXPECT_TRUE(From(sample, 0).empty()) << persistent;
  }
}

TEST(Traffic, APartitionedSendIsAMessageOfAllItsPartitions) {
  const Sample sample = MakeSample(2, [](int64_t, Script* s) {
    s->Add(Call::MPI_Psend_init_, 10,
           {{Param::kPartitions, {4}},
            {Param::kCount, {3}},
            {Param::kTypeSize, {8}},
            {Param::kPeer, {1}}});
    s->Start(11, 0);
  });
  const auto traffic = From(sample, 0);
  ASSERT_EQ(traffic.size(), 1u);
  EXPECT_EQ(traffic.at(1).messages, 1u);
  EXPECT_EQ(traffic.at(1).bytes, 96u);
}

TEST(Traffic, ThatDoesNotFitIsRefused) {
  for (const bool persistent : {false, true}) {
    const Sample sample = MakeSample(2, [&](int64_t, Script* s) {
      for (int i = 0; i < 5; ++i) s->Send(10, 1, int64_t{1} << 59);
      if (persistent) s->SendInit(11, 1, 1);
    });
    EXPECT_EQ(TrafficFrom(sample.trace, 0).status().code(),
              StatusCode::kBadInput);
  }
}

TEST(Traffic, ToARankThatDoesNotExistIsRefused) {
  for (const bool persistent : {false, true}) {
    for (const int64_t to : {-1, 2}) {
      const Sample sample = MakeSample(2, [&](int64_t, Script* s) {
        if (!persistent) return s->Send(10, to, 1);
        s->SendInit(11, to, 1);
        s->Start(12, 0);
      });
      EXPECT_EQ(TrafficFrom(sample.trace, 0).status().code(),
                StatusCode::kBadInput)
          << persistent << " " << to;
    }
  }
}

TEST(Traffic, IsWhatAWalkOverTheCallsFinds) {
  const Sample sample = MakeSample(5, [](int64_t rank, Script* s) {
    for (int i = 0; i < 60; ++i) {
      s->Send(10, (rank + i) % 5, 8);          // peers change
      s->Send(11, (rank + 1) % 5, 1 + i * i);  // counts change
      s->Send(12, i % 3, 1 + i % 4);           // both
      if (i % 7 == rank) s->Sendrecv(13, 2, 3, 4, 5);
    }
  });
  for (int64_t rank = 0; rank < 5; ++rank) {
    std::map<int64_t, Traffic> walked;
    auto cursor = Cursor::Open(sample.trace, rank);
    ASSERT_TRUE(cursor.ok());
    while (cursor->Next()) {
      const Event& event = cursor->event();
      if (!event.Has(Param::kPeer)) continue;
      Traffic& to = walked[event.Get(Param::kPeer)];
      ++to.messages;
      to.bytes += uint64_t(SendBytes(event));
    }
    const auto traffic = From(sample, rank);
    ASSERT_EQ(traffic.size(), walked.size());
    for (const auto& [to, amount] : traffic) {
      EXPECT_EQ(amount.messages, walked[to].messages);
      EXPECT_EQ(amount.bytes, walked[to].bytes);
    }
  }
}

// A walk over so many calls would take minutes.
TEST(Traffic, OfABillionCallsIsFoundFromTheirStructure) {
  constexpr int64_t kCalls = 4'000'000'000;
  Sample sample =
      MakeSample(2, [](int64_t rank, Script* s) { s->Send(10, 1 - rank, 5); });
  const auto times = [](int64_t value) {
    Parameter p;
    for (int64_t r = 0; r < 2; ++r) {
      p.Add(r, Section::Constant(value, kCalls), false);
    }
    return p;
  };
  ForEachEvent(sample.trace.root, [&](Node& node) {
    if (node.call != Call::MPI_Send_) return;
    for (Parameter& p : node.params) p = times(p.At(0).At(0));
    node.trips = Parameter();
    for (int64_t r = 0; r < 2; ++r) {
      node.trips.Add(r, Section::Constant(kCalls, 1), false);
    }
  });
  EXPECT_EQ(From(sample, 0).at(1).messages, uint64_t(kCalls));
  EXPECT_EQ(From(sample, 0).at(1).bytes, uint64_t(kCalls) * 40);
}

}  // namespace
}  // namespace ranksight::reduction
