#include "cli/base/signal_cleaner.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "tests/support/scratch_folder.h"

namespace ranksight::cli {
namespace {

class SignalCleanerTest : public ::testing::TestWithParam<int> {};

TEST_P(SignalCleanerTest, RemovesTheFolderAndEndsAsTheSignalWould) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // The process that the signal ends finds it in its environment.
  constexpr char kFolder[] = "CLEANER_TEST_FOLDER";
  std::optional<support::ScratchFolder> around;
  if (std::getenv(kFolder) == nullptr) {
    around.emplace();
    ::setenv(kFolder, (around->path() + "/cleaned").c_str(), 1);
  }
  const std::string folder = std::getenv(kFolder);
  EXPECT_EXIT(
      {
        std::filesystem::create_directory(folder);
        std::ofstream(folder + "/file") << "x";
        const SignalCleaner cleaner(folder);
        kill(getpid(), GetParam());
        for (;;) pause();
      },
      ::testing::KilledBySignal(GetParam()), "");
  EXPECT_FALSE(std::filesystem::exists(folder));
  ::unsetenv(kFolder);
}

INSTANTIATE_TEST_SUITE_P(All, SignalCleanerTest,
                         ::testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST(SignalCleaner, LeavesTheFolderWhenThereWasNoSignal) {
  const support::ScratchFolder folder;
  { const SignalCleaner cleaner(folder.path()); }
  EXPECT_TRUE(std::filesystem::exists(folder.path()));
}

TEST(SignalCleaner, WhatIsIgnoredStaysSo) {
  const support::ScratchFolder folder;
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const SignalCleaner cleaner(folder.path());
    kill(getpid(), SIGHUP);
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
  EXPECT_TRUE(std::filesystem::exists(folder.path()));
}

}  // namespace
}  // namespace ranksight::cli
