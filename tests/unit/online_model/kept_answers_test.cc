#include "online_model/web/kept_answers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

RunGroup GroupWith(const std::string& id, uint64_t runs) {
  RunGroup group;
  group.id = id;
  group.runs = runs;
  return group;
}

// Tells how often it was asked to find, and finds that.
class Counting {
 public:
  KeptAnswers::Find Find(size_t length = 1) {
    return [this, length]() -> Result<std::string> {
      ++times_;
      return std::string(length, char('0' + times_));
    };
  }
  int times() const { return times_; }

 private:
  int times_ = 0;
};

TEST(KeptAnswers, FindsOnceForTheSameRuns) {
  KeptAnswers kept;
  Counting counting;
  const RunGroup four = GroupWith("a", 4);
  EXPECT_EQ(*kept.Of(four, "laws", counting.Find()), "1");
  EXPECT_EQ(*kept.OfSearch(four, "laws", counting.Find()), "1");
  EXPECT_EQ(*kept.Of(four, "matrix", counting.Find()), "2");
  EXPECT_EQ(*kept.Of(GroupWith("b", 4), "laws", counting.Find()), "3");
  EXPECT_EQ(*kept.OfSearch(GroupWith("a", 5), "laws", counting.Find()), "4");
  EXPECT_EQ(*kept.Of(GroupWith("a", 5), "laws", counting.Find()), "4");
}

TEST(KeptAnswers, AsksAgainAfterAnError) {
  KeptAnswers kept;
  const RunGroup group = GroupWith("a", 4);
  EXPECT_FALSE(kept.Of(group, "laws",
                       [] { return Result<std::string>(Status::Io("gone")); })
                   .ok());
  Counting counting;
  EXPECT_EQ(*kept.Of(group, "laws", counting.Find()), "1");
}

TEST(KeptAnswers, DropsWhatWasAskedForLongestAgo) {
  KeptAnswers kept(10);
  Counting counting;
  const RunGroup group = GroupWith("a", 4);
  for (const char* what : {"first", "second", "first", "third"}) {
    EXPECT_TRUE(kept.Of(group, what, counting.Find(4)).ok());
  }
  ASSERT_EQ(counting.times(), 3);
  EXPECT_TRUE(kept.Of(group, "first", counting.Find(4)).ok());
  EXPECT_TRUE(kept.Of(group, "third", counting.Find(4)).ok());
  EXPECT_EQ(counting.times(), 3);
  EXPECT_TRUE(kept.Of(group, "second", counting.Find(4)).ok());
  EXPECT_EQ(counting.times(), 4);
  // What is too long for it is kept alone.
  EXPECT_TRUE(kept.Of(group, "long", counting.Find(100)).ok());
  EXPECT_TRUE(kept.Of(group, "long", counting.Find(100)).ok());
  EXPECT_EQ(counting.times(), 5);
}

TEST(KeptAnswers, SearchesOnceForAllWhoAskMeanwhile) {
  KeptAnswers kept;
  std::atomic<int> times = 0;
  const RunGroup group = GroupWith("a", 4);
  std::vector<std::thread> all;
  for (int i = 0; i < 8; ++i) {
    all.emplace_back([&] {
      const auto found = kept.OfSearch(group, "laws", [&] {
        ++times;
        return Result<std::string>(std::string("found"));
      });
      EXPECT_EQ(*found, "found");
    });
  }
  for (std::thread& one : all) one.join();
  EXPECT_EQ(times, 1);
}

TEST(KeptAnswers, GivesWhatIsKeptWhileAnotherIsSearched) {
  KeptAnswers kept;
  const RunGroup group = GroupWith("a", 4);
  const auto found = [](const std::string& text) {
    return [text] { return Result<std::string>(text); };
  };
  EXPECT_TRUE(kept.OfSearch(group, "laws", found("laws")).ok());
  const auto searched = kept.OfSearch(GroupWith("b", 1), "laws", [&] {
    return kept.OfSearch(group, "laws", found("again"));
  });
  EXPECT_EQ(*searched, "laws");
}

// A search of the runs of before ends after one of today's.
TEST(KeptAnswers, ALateSearchDropsNothingNewer) {
  KeptAnswers kept;
  Counting counting;
  const RunGroup before = GroupWith("a", 4), now = GroupWith("a", 5);
  const auto late = kept.OfSearch(before, "laws", [&] {
    EXPECT_EQ(*kept.Of(now, "matrix", counting.Find()), "1");
    return Result<std::string>(std::string("late"));
  });
  EXPECT_EQ(*late, "late");
  EXPECT_EQ(*kept.Of(now, "matrix", counting.Find()), "1");
  EXPECT_EQ(*kept.Of(now, "laws", counting.Find()), "2");
  // Nor is it kept beside that.
  EXPECT_EQ(*kept.Of(before, "laws", counting.Find()), "3");
}

}  // namespace
}  // namespace ranksight::online_model
