#include "cli/base/run_with_progress.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <future>

#include "cli/base/private_folder.h"
#include "tests/unit/cli/terminal.h"

namespace ranksight::cli {
namespace {

TEST(RunWithProgress, OnATerminalTheProgramsOutputComesBehindTheProgress) {
  const auto folder = PrivateFolder::Make();
  ASSERT_TRUE(folder.ok());
  const std::string go = folder->path() + "/go";
  ASSERT_EQ(::mkfifo(go.c_str(), 0600), 0);
  const testing::Line terminal = testing::Terminal();
  // It goes on when progress was seen.
  const ProgramRun run = {
      {"sh", "-c", "echo result; read x <" + go + "; exit 3"}, {}, ""};
  ::testing::internal::CaptureStdout();
  auto status = std::async(std::launch::async, [&] {
    return RunWithProgress("replaying", run, std::chrono::milliseconds(0),
                           terminal.end);
  });
  std::string shown(1, terminal.First());
  std::ofstream(go) << "go\n";
  EXPECT_EQ(*status.get(), 3);
  shown += terminal.Read();
  EXPECT_TRUE(testing::ShowsAge(shown, "ranksight: replaying")) << shown;
  EXPECT_TRUE(shown.ends_with("\r\033[K"));
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "result\n");
}

TEST(RunWithProgress, ATerminalAndNoRoomForTheOutputIsNoReasonToRefuse) {
  const char* set = std::getenv("TMPDIR");
  const std::string before = set == nullptr ? "" : set;
  ::setenv("TMPDIR", "/no/such/folder", 1);
  const testing::Line terminal = testing::Terminal();
  ::testing::internal::CaptureStdout();
  const auto status = RunWithProgress(
      "replaying", {{"sh", "-c", "echo result; exit 3"}, {}, ""},
      std::chrono::milliseconds(0), terminal.end);
  before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "result\n");
  ASSERT_TRUE(status.ok()) << status.status().message();
  EXPECT_EQ(*status, 3);
}

TEST(RunWithProgress, ElsewhereTheProgramWritesItself) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const testing::Line pipe = {.other = ends[0], .end = ends[1]};
  ::testing::internal::CaptureStdout();
  const auto status =
      RunWithProgress("replaying", {{"sh", "-c", "echo result"}, {}, ""},
                      std::chrono::milliseconds(0), pipe.end);
  EXPECT_EQ(*status, 0);
  EXPECT_EQ(pipe.Read(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "result\n");
}

}  // namespace
}  // namespace ranksight::cli
