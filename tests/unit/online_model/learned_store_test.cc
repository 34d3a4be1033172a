#include "online_model/daemon/learned_store.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reduction/api/codec.h"
#include "tests/support/scratch_folder.h"
#include "tests/unit/online_model/wire_client.h"

namespace ranksight::online_model {
namespace {

using Change = LearnedStore::Change;

class LearnedStoreTest : public ::testing::Test {
 protected:
  Store Open() const {
    auto store = Store::Open(folder_.path());
    EXPECT_TRUE(store.ok()) << store.status().message();
    return std::move(store).value();
  }
  LearnedStore Learned() const {
    LearnedStore learned(Open(), {}, [](const LogEvent&) {});
    EXPECT_TRUE(learned.Load().ok());
    return learned;
  }
  // Whether it was new.
  static bool Add(const std::string& job, int64_t ranks, LearnedStore* to) {
    const auto bytes = testing::EncodedRun(job, ranks);
    const auto added = to->Add(bytes, *reduction::Decode(bytes), {});
    EXPECT_TRUE(added.ok()) << added.status().message();
    return added.ok() && added->has_value();
  }
  static std::vector<int64_t> Measured(LearnedStore* of) {
    const auto group = of->forecasts().LatestOf("app");
    return group.ok() ? group->measured : std::vector<int64_t>();
  }

  const support::ScratchFolder folder_;
};

TEST_F(LearnedStoreTest, ARunIsStoredAndLearnedFromOnce) {
  LearnedStore learned = Learned();
  EXPECT_TRUE(Add("j4", 4, &learned));
  EXPECT_FALSE(Add("j4", 4, &learned));
  EXPECT_EQ(Measured(&learned), std::vector<int64_t>{4});
  EXPECT_EQ(learned.Follow(), Change::kNone);
  LearnedStore again = Learned();
  EXPECT_EQ(Measured(&again), std::vector<int64_t>{4});
}

TEST_F(LearnedStoreTest, SaysWhetherOthersAddedRunsOrRemovedThem) {
  LearnedStore learned = Learned();
  Add("j4", 4, &learned);
  Store other = Open();
  ASSERT_TRUE(other.AddRun(testing::EncodedRun("j9", 9)).ok());
  EXPECT_EQ(learned.Follow(), Change::kRunsAdded);
  EXPECT_EQ(Measured(&learned), (std::vector<int64_t>{4, 9}));
  ASSERT_TRUE(other.Remove("j4").ok());
  EXPECT_EQ(learned.Follow(), Change::kRunsRemoved);
  EXPECT_EQ(Measured(&learned), std::vector<int64_t>{9});
  EXPECT_FALSE(learned.Has("j4"));
  EXPECT_EQ(learned.Follow(), Change::kNone);
}

TEST_F(LearnedStoreTest, WhatExpiresIsForgotten) {
  LearnedStore learned = Learned();
  for (const int64_t ranks : {4, 9}) {
    Add("j" + std::to_string(ranks), ranks, &learned);
  }
  const RetentionRule of_days{"", "", 10};
  const int64_t stored = learned.store().Find("j9")->stored_unix_ns;
  const auto expire = [&](double days_later) {
    const std::vector<RetentionRule> rules = {of_days};
    return learned.Expire(rules, stored + int64_t(days_later * 86'400e9));
  };
  EXPECT_EQ(expire(9.9), 0u);
  EXPECT_EQ(Measured(&learned), (std::vector<int64_t>{4, 9}));
  EXPECT_EQ(expire(10.1), 2u);
  EXPECT_EQ(Measured(&learned), std::vector<int64_t>());
  EXPECT_EQ(learned.store().Use()->runs, 0u);
  // It comes again, as anything new.
  EXPECT_TRUE(Add("j4", 4, &learned));
  EXPECT_EQ(Measured(&learned), std::vector<int64_t>{4});
}

}  // namespace
}  // namespace ranksight::online_model
