#include "runtime/session/launch_name.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace ranksight::runtime {
namespace {

namespace fs = std::filesystem;

// A moment that all files here were written after, or none.
constexpr int64_t kLongAgo = 1, kNeverYet = INT64_MAX;

class LaunchNameTest : public testing::Test {
 protected:
  std::string output() const { return folder_.path() + "/a.trace"; }
  std::set<std::string> Files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }
  support::ScratchFolder folder_;
};

TEST(LaunchName, TheNumberStandsBeforeTheExtensionOfTheFileAlone) {
  EXPECT_EQ(NameOfLaunch("a.trace", 1), "a.trace");
  EXPECT_EQ(NameOfLaunch("a.trace", 2), "a.2.trace");
  EXPECT_EQ(NameOfLaunch("b.4.trace", 12), "b.4.12.trace");
  EXPECT_EQ(NameOfLaunch("c.d/a", 2), "c.d/a.2");
  EXPECT_EQ(NameOfLaunch("c.d/.a", 2), "c.d/.a.2");
  EXPECT_EQ(NameOfLaunch("", 2), ".2");
}

TEST_F(LaunchNameTest, IsTheFirstThatNobodyWroteSince) {
  EXPECT_EQ(FindLaunch(output(), kLongAgo), 1);
  folder_.Put("a.trace", "");
  folder_.Put("a.3.trace", "");
  EXPECT_EQ(FindLaunch(output(), kLongAgo), 2);
  folder_.Put("a.2.trace", "");
  EXPECT_EQ(FindLaunch(output(), kLongAgo), 4);
  // Files of an earlier command are written over.
  EXPECT_EQ(FindLaunch(output(), kNeverYet), 1);
}

TEST_F(LaunchNameTest, WhatIsNoFileIsNobodysTrace) {
  ASSERT_EQ(mkfifo(output().c_str(), 0600), 0);
  EXPECT_EQ(FindLaunch(output(), kLongAgo), 1);
}

TEST_F(LaunchNameTest, TwoAtOneMomentTakeTwoNumbers) {
  LaunchClaim first, second;
  EXPECT_EQ(first.Take(output(), kLongAgo), 1);
  EXPECT_EQ(second.Take(output(), kLongAgo), 2);
  first.LetGo();
  // One that was let go without a file is free again.
  LaunchClaim third;
  EXPECT_EQ(third.Take(output(), kLongAgo), 1);
  second.LetGo();
  third.LetGo();
  EXPECT_TRUE(Files().empty());
}

TEST_F(LaunchNameTest, CommandsThatBeganAtOtherMomentsDoNotShareNumbers) {
  LaunchClaim one, other;
  EXPECT_EQ(one.Take(output(), kLongAgo), 1);
  EXPECT_EQ(other.Take(output(), kLongAgo + 1), 1);
  one.LetGo();
  other.LetGo();
}

TEST_F(LaunchNameTest, ProcessesThatClaimTogetherAllDiffer) {
  constexpr int kClaimants = 8;
  std::vector<pid_t> children;
  for (int i = 0; i < kClaimants; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      LaunchClaim claim;
      const int launch = claim.Take(output(), kLongAgo);
      // Written before it lets go, as a trace is.
      folder_.Put(
          "a" + (launch > 1 ? "." + std::to_string(launch) : "") + ".trace",
          "");
      claim.LetGo();
      _exit(launch);
    }
    children.push_back(child);
  }
  std::set<int> launches;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    launches.insert(WEXITSTATUS(status));
  }
  EXPECT_EQ(launches.size(), size_t(kClaimants));
  EXPECT_EQ(*launches.rbegin(), kClaimants);
}

TEST_F(LaunchNameTest, WhatADeadProcessClaimedIsFree) {
  const pid_t child = fork();
  if (child == 0) {
    LaunchClaim claim;
    _exit(claim.Take(output(), kLongAgo));
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_EQ(Files().size(), 1u);
  LaunchClaim claim;
  EXPECT_EQ(claim.Take(output(), kLongAgo), 1);
  claim.LetGo();
}

// Whether it lives cannot be asked from here.
TEST_F(LaunchNameTest, WhatAnotherHostClaimedStays) {
  LaunchClaim here;
  EXPECT_EQ(here.Take(output(), kLongAgo), 1);
  const auto files = Files();
  ASSERT_EQ(files.size(), 1u);
  const std::string claim = folder_.path() + "/" + *files.begin();
  here.LetGo();
  fs::create_symlink("1@elsewhere.invalid", claim);
  LaunchClaim again;
  EXPECT_EQ(again.Take(output(), kLongAgo), 2);
  again.LetGo();
  EXPECT_TRUE(fs::is_symlink(claim));
}

TEST_F(LaunchNameTest, InAFolderThatTakesNoClaimTheFirstUnwrittenIsTaken) {
  LaunchClaim claim;
  EXPECT_EQ(claim.Take(folder_.path() + "/none/a.trace", kLongAgo), 1);
  claim.LetGo();
}

}  // namespace
}  // namespace ranksight::runtime
