// Sizes of receives held against queues of what was sent, one for each pair of
// ranks and tag.
#include "adapters/base/received_sizes.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <tuple>
#include <vector>

namespace ranksight::adapters {
namespace {

using reduction::Status;
using Kind = Operation::Kind;

constexpr int64_t kSizedRanks = 6, kSizedTags = 3;

std::vector<std::vector<Operation>> RandomSends(uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::vector<Operation>> of_rank(kSizedRanks);
  for (auto& operations : of_rank) {
    for (uint32_t left = random() % 300; left > 0; --left) {
      Operation o;
      o.kind = random() % 5 == 0 ? Kind::kCompute : Kind::kSend;
      o.peer = int64_t(random() % kSizedRanks);
      o.tag = int64_t(random() % kSizedTags);
      // Long stretches of one size, as programs have, and some of any.
      o.amount = random() % 4 == 0 ? int64_t(random() % 1000) : 64;
      operations.push_back(o);
    }
  }
  return of_rank;
}

ReceivedSizes SizesOf(const std::vector<std::vector<Operation>>& of_rank,
                      const std::map<int64_t, const char*>& not_expressed) {
  auto sizes = ReceivedSizes::Find(
      kSizedRanks,
      [&](int64_t rank, OperationSink* sink, Conversion* conversion) {
        for (const Operation& o : of_rank[size_t(rank)]) sink->Add(o, {});
        if (not_expressed.contains(rank)) {
          ++conversion->not_expressed[not_expressed.at(rank)];
        }
        return Status::Ok();
      });
  EXPECT_TRUE(sizes.ok());
  return std::move(*sizes);
}

// Sizes by receiver, sender and tag.
using Queues =
    std::map<std::tuple<int64_t, int64_t, int64_t>, std::deque<int64_t>>;

Queues QueuesOf(const std::vector<std::vector<Operation>>& of_rank) {
  Queues queues;
  for (size_t rank = 0; rank < of_rank.size(); ++rank) {
    for (const Operation& o : of_rank[rank]) {
      if (o.kind != Kind::kSend) continue;
      queues[{o.peer, int64_t(rank), o.tag}].push_back(o.amount);
    }
  }
  return queues;
}

TEST(ReceivedSizes, TheNextReceiveGetsWhatWasSentNext) {
  for (uint32_t seed = 0; seed < 10; ++seed) {
    const auto sends = RandomSends(seed);
    const ReceivedSizes sizes = SizesOf(sends, {});
    Queues queues = QueuesOf(sends);
    std::mt19937 random(seed);
    for (int64_t rank = 0; rank < kSizedRanks; ++rank) {
      ReceivedSizes::Reader reader(sizes, rank);
      for (int i = 0; i < 1000; ++i) {
        const auto from = int64_t(random() % kSizedRanks);
        const auto tag = int64_t(random() % kSizedTags);
        constexpr int64_t kAsked = 5000;
        auto& queue = queues[{rank, from, tag}];
        const int64_t expected = queue.empty() ? kAsked : queue.front();
        if (!queue.empty()) queue.pop_front();
        ASSERT_EQ(reader.Next(from, tag, kAsked), expected);
      }
    }
  }
}

TEST(ReceivedSizes, WhoDoesNotKnowItsReceivesKeepsWhatItAsksFor) {
  const auto sends = RandomSends(77);
  const ReceivedSizes sizes =
      SizesOf(sends, {{2, "receives from any source"}, {3, "probes"}});
  for (const auto& [channel, queue] : QueuesOf(sends)) {
    const auto& [rank, from, tag] = channel;
    const int64_t next =
        ReceivedSizes::Reader(sizes, rank).Next(from, tag, 5000);
    EXPECT_EQ(next, rank == 2 ? 5000 : queue.front());
  }
}

TEST(ReceivedSizes, AFailureOfAWriterIsTheAnswer) {
  const auto sizes = ReceivedSizes::Find(
      kSizedRanks, [](int64_t rank, OperationSink*, Conversion*) {
        return rank == 4 ? Status::BadInput("rank 4") : Status::Ok();
      });
  ASSERT_FALSE(sizes.ok());
  EXPECT_EQ(sizes.status().message(), "rank 4");
}

}  // namespace
}  // namespace ranksight::adapters
