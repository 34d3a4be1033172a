#include "cli/base/process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "cli/base/private_folder.h"

namespace ranksight::cli {
namespace {

ProgramRun Shell(const std::string& script) {
  return {{"sh", "-c", script}, {}, ""};
}

TEST(RunProgram, PassesTheExitStatusThrough) {
  EXPECT_EQ(*RunProgram(Shell("exit 0")), 0);
  EXPECT_EQ(*RunProgram(Shell("exit 7")), 7);
}

TEST(RunProgram, ASignalIs128AndItsNumber) {
  EXPECT_EQ(*RunProgram(Shell("kill -KILL $$")), 128 + SIGKILL);
}

TEST(RunProgram, ASignalSentToUsReachesTheProgramAndSparesUs) {
  // The program signals its parent, which is this process.
  const auto status = RunProgram(
      Shell("trap 'exit 9' TERM; kill -TERM $PPID; while :; do sleep 1; done"));
  EXPECT_EQ(*status, 9);
}

TEST(RunProgram, AMissingProgramIsFileTrouble) {
  const auto status = RunProgram({{"/no/such/program"}, {}, ""});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.status().code(), reduction::StatusCode::kIo);
  EXPECT_NE(status.status().message().find("/no/such/program"),
            std::string::npos);
}

TEST(RunProgram, KillsWhatTakesMoreProcessorTimeThanItsLimit) {
  ProgramRun run = Shell("trap '' XCPU; while :; do :; done");
  run.processor_seconds = 1;
  EXPECT_EQ(*RunProgram(run), 128 + SIGKILL);
  run.words = {"sh", "-c", "exit $#", "a word", "of two words", "$0"};
  EXPECT_EQ(*RunProgram(run), 2) << "words stay as they are";
}

TEST(RunProgram, AddsToTheEnvironmentAndKeepsTheRest) {
  setenv("CLI_TEST_KEPT", "kept", 1);
  setenv("CLI_TEST_SET", "old", 1);
  ProgramRun run = Shell("test \"$CLI_TEST_KEPT,$CLI_TEST_SET\" = kept,new");
  run.environment["CLI_TEST_SET"] = "new";
  EXPECT_EQ(*RunProgram(run), 0);
  EXPECT_STREQ(getenv("CLI_TEST_SET"), "old");
}

TEST(RunProgram, StandardOutputCanGoToAFile) {
  const auto folder = PrivateFolder::Make();
  ASSERT_TRUE(folder.ok());
  ProgramRun run = Shell("echo out; echo err >&2");
  run.output_path = folder->path() + "/log";
  EXPECT_EQ(*RunProgram(run), 0);
  std::stringstream text;
  text << std::ifstream(run.output_path).rdbuf();
  EXPECT_EQ(text.str(), "out\n");
}

TEST(RunProgram, StandardErrorCanGoToAFile) {
  const auto folder = PrivateFolder::Make();
  ASSERT_TRUE(folder.ok());
  ProgramRun run = Shell("echo out; echo err >&2");
  run.output_path = folder->path() + "/log";
  run.error_path = folder->path() + "/errors";
  EXPECT_EQ(*RunProgram(run), 0);
  std::stringstream text;
  text << std::ifstream(run.error_path).rdbuf();
  EXPECT_EQ(text.str(), "err\n");
}

TEST(RunProgram, AFileForItsOutputThatCannotBeIsNamed) {
  ProgramRun run = Shell("exit 0");
  run.output_path = "/no/such/log";
  const auto status = RunProgram(run);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.status().message(),
            "/no/such/log: No such file or directory");
}

TEST(RunProgram, WhatIsIgnoredStaysSoInTheProgram) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  EXPECT_EQ(*RunProgram(Shell("kill -HUP $$; kill -HUP $PPID; exit 5")), 5);
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
}

TEST(RunProgram, WhatWeCatchEndsTheProgramAsEver) {
  const auto before = std::signal(SIGHUP, [](int) {});
  EXPECT_EQ(*RunProgram(Shell("kill -HUP $$; exit 5")), 128 + SIGHUP);
  std::signal(SIGHUP, before);
}

TEST(PreloadValue, OursComesFirst) {
  EXPECT_EQ(*PreloadValue("/lib/ours.so", nullptr), "/lib/ours.so");
  EXPECT_EQ(*PreloadValue("/lib/ours.so", ""), "/lib/ours.so");
  EXPECT_EQ(*PreloadValue("/lib/ours.so", "/a.so:/b.so"),
            "/lib/ours.so:/a.so:/b.so");
}

TEST(PreloadValue, RefusesPathsThatTheLoaderWouldSplit) {
  EXPECT_FALSE(PreloadValue("/my lib/ours.so", nullptr).ok());
  EXPECT_FALSE(PreloadValue("/lib:x/ours.so", nullptr).ok());
}

}  // namespace
}  // namespace ranksight::cli
