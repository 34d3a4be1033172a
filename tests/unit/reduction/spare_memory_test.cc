// Folders of which memory is asked back.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/distribution.h"
#include "reduction/api/folder.h"

namespace ranksight::reduction {
namespace {

// Sends of random counts of elements of `size` bytes to one peer, each followed
// by a barrier.
class Sender {
 public:
  explicit Sender(Folder* folder) : folder_(folder) {
    const uint32_t module = folder->AddModule({"00", "x"});
    send_site_ = folder->AddSite({{{module, 1}}});
    barrier_site_ = folder->AddSite({{{module, 2}}});
  }
  Event Send(int64_t count, int64_t size) const {
    Event e(Call::MPI_Send_);
    for (const int64_t v : {count, int64_t{1}, size, int64_t{0}, int64_t{1},
                            int64_t{5}, int64_t{0}}) {
      e.Add(v);
    }
    e.site = send_site_;
    return e;
  }
  void Round() {
    const int64_t count = 1 + int64_t(rng_() % 100000);
    folder_->Push(Send(count, 8), 1, 1);
    sum_ += uint64_t(count);
    ++sent_;
    Event e(Call::MPI_Barrier_);
    e.Add(0);
    e.site = barrier_site_;
    folder_->Push(e, 1, 1);
  }
  uint64_t sum() const { return sum_; }
  uint64_t sent() const { return sent_; }

 private:
  Folder* folder_;
  uint32_t send_site_, barrier_site_;
  std::mt19937 rng_{1};
  uint64_t sum_ = 0, sent_ = 0;
};

const Distribution* CountsOf(const Trace& trace) {
  const Distribution* found = nullptr;
  ForEachEvent(trace.root, [&found](const Node& event) {
    for (const Parameter& p : event.params) {
      if (p.distribution() != nullptr) found = p.distribution();
    }
  });
  return found;
}

void ExpectTotals(const Folder& folder, const Sender& sender) {
  Trace trace = folder.Snapshot(3, 4);
  const Distribution* counts = CountsOf(trace);
  ASSERT_NE(counts, nullptr);
  EXPECT_EQ(uint64_t(counts->sum()), sender.sum());
  EXPECT_EQ(counts->count(), sender.sent());
  EXPECT_EQ(counts->ranks().count, 1u);
  MarkDistributions(&trace);
  EXPECT_EQ(trace.meta.losses.at(kLossOfValues), sender.sent());
  const auto read = Decode(Encode(trace, SketchForm::kQuantiles));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(uint64_t(CountsOf(*read)->sum()), sender.sum());
}

class SpareMemory : public ::testing::TestWithParam<Folder::Prediction> {};
INSTANTIATE_TEST_SUITE_P(All, SpareMemory,
                         ::testing::Values(Folder::Prediction::kOn,
                                           Folder::Prediction::kOff));

TEST_P(SpareMemory, MemoryStaysBoundedAndTotalsExact) {
  Folder folder(GetParam());
  Sender sender(&folder);
  for (int i = 0; i < 20000; ++i) sender.Round();
  const uint64_t before = folder.memory_bytes();
  EXPECT_EQ(folder.SpareMemory(), 1u);
  EXPECT_LT(folder.memory_bytes(), before / 4);
  EXPECT_EQ(folder.SpareMemory(), 0u);
  ExpectTotals(folder, sender);
  // Room for what waits to be counted is made once.
  for (int i = 0; i < 20000; ++i) sender.Round();
  const uint64_t bytes = folder.memory_bytes();
  for (int i = 0; i < 100000; ++i) sender.Round();
  EXPECT_LE(folder.memory_bytes(), bytes);
  ExpectTotals(folder, sender);
}

TEST_P(SpareMemory, AFrozenQueueHasTheSameTotals) {
  Folder folder(GetParam());
  Sender sender(&folder);
  for (int i = 0; i < 5000; ++i) sender.Round();
  ASSERT_EQ(folder.SpareMemory(), 1u);
  for (int i = 0; i < 100; ++i) sender.Round();
  const auto frozen = folder.Freeze();
  const Trace then = folder.Snapshot(1, 4);
  for (int i = 0; i < 100; ++i) sender.Round();
  EXPECT_EQ(frozen->ToTrace(1, 4), then);
}

TEST_P(SpareMemory, RegularAmountsAreLeftAlone) {
  Folder folder(GetParam());
  const Sender sender(&folder);
  for (int i = 0; i < 100000; ++i) folder.Push(sender.Send(i % 7, 8), 1, 1);
  const Trace before = folder.Snapshot(0, 1);
  EXPECT_EQ(folder.SpareMemory(), 0u);
  EXPECT_EQ(folder.Snapshot(0, 1), before);
}

TEST_P(SpareMemory, ElementsOfTwoSizesKeepTheirCounts) {
  std::mt19937 rng(2);
  Folder folder(GetParam());
  const Sender sender(&folder);
  for (int i = 0; i < 5000; ++i) {
    folder.Push(sender.Send(1 + int64_t(rng() % 1000), i % 2 ? 8 : 4), 1, 1);
  }
  EXPECT_EQ(folder.SpareMemory(), 0u);
}

TEST_P(SpareMemory, AnotherSizeLaterWouldLoseTheBytes) {
  Folder folder(GetParam());
  Sender sender(&folder);
  for (int i = 0; i < 5000; ++i) sender.Round();
  EXPECT_TRUE(folder.KeepsBytesExact(sender.Send(1, 4)));
  ASSERT_EQ(folder.SpareMemory(), 1u);
  EXPECT_TRUE(folder.KeepsBytesExact(sender.Send(1, 8)));
  EXPECT_FALSE(folder.KeepsBytesExact(sender.Send(1, 4)));
}

}  // namespace
}  // namespace ranksight::reduction
