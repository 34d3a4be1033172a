#include "cli/look/traffic.h"

#include <gtest/gtest.h>

#include "tests/unit/cli/sample_trace.h"

namespace ranksight::cli {
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
  const Sample sample = MakeSample(
      1, [](int64_t, Script* s) { s->Send(10, reduction::kPeerNull, 5); });
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

}  // namespace
}  // namespace ranksight::cli
