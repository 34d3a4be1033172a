#include "cli/base/recording.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace ranksight::cli {
namespace {

TEST(RuntimeVariables, HoldOnlyWhatWasAskedFor) {
  EXPECT_TRUE(RuntimeVariables({})->empty());
}

TEST(RuntimeVariables, LeaveATimeShareThatIsSet) {
  RecordingOptions options;
  options.time_share = "off";
  unsetenv("RANKSIGHT_TIME");
  EXPECT_EQ(RuntimeVariables(options)->at("RANKSIGHT_TIME"), "off");
  setenv("RANKSIGHT_TIME", "3", 1);
  EXPECT_TRUE(RuntimeVariables(options)->empty());
  unsetenv("RANKSIGHT_TIME");
}

TEST(RuntimeVariables, NameTheTraceByItsAbsolutePath) {
  RecordingOptions options;
  options.output = "a.trace";
  EXPECT_EQ(RuntimeVariables(options)->at("RANKSIGHT_OUTPUT"),
            (std::filesystem::current_path() / "a.trace").string());
}

TEST(RuntimeVariables, CarryEndpointPatienceEpochAndParameters) {
  RecordingOptions options;
  options.to = "ipc://x";
  options.epoch_seconds = 0.5;
  options.patience_seconds = 2.5;
  options.params = {"n=1024", "mode=a=b"};
  const std::map<std::string, std::string> expected = {
      {"RANKSIGHT_TO", "ipc://x"},
      {"RANKSIGHT_EPOCH", "0.5"},
      {"RANKSIGHT_PATIENCE", "2.5"},
      {"RANKSIGHT_PARAMS", "n=1024,mode=a=b"}};
  EXPECT_EQ(*RuntimeVariables(options), expected);
}

TEST(RuntimeVariables, RefuseParametersThatTheRuntimeCouldNotRead) {
  for (const char* param : {"n", "=1", "a=1,b=2", "a=1 b"}) {
    RecordingOptions options;
    options.params = {param};
    EXPECT_EQ(RuntimeVariables(options).status().code(),
              reduction::StatusCode::kUsage)
        << param;
  }
}

}  // namespace
}  // namespace ranksight::cli
