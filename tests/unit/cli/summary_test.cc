#include "cli/look/summary.h"

#include <gtest/gtest.h>

#include "cli/base/json.h"
#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::cli {
namespace {

using reduction::MakeSample;
using reduction::Script;

TEST(WriteSummary, ATimeThatIsNotKnownIsNoNumber) {
  reduction::Trace trace = MakeSample(1, [](int64_t, Script* s) {
                             s->Init();
                             s->Finalize();
                           }).trace;
  trace.meta.elapsed = {};
  JsonWriter json;
  json.BeginObject();
  WriteSummary(trace, 0, &json);
  EXPECT_NE(json.EndObject().text().find("\"elapsed_ns\":null"),
            std::string::npos);
}

TEST(LaunchSummary, NamesJobStepAndNodes) {
  EXPECT_EQ(LaunchSummary({"slurm", "4711", "0", 2, "4(x2)"}),
            "slurm 4711.0, 2 nodes, ranks on each: 4(x2)");
  EXPECT_EQ(LaunchSummary({"hydra", "", "", 1, ""}), "hydra, 1 node");
  EXPECT_EQ(LaunchSummary({"", "", "", 3, ""}), "3 nodes");
  EXPECT_EQ(LaunchSummary({}), "");
}

TEST(LaunchSummary, ObeysNothingThatALauncherSaid) {
  EXPECT_EQ(LaunchSummary({"pbs", "\x1b[31m4", "\n", 0, "4\r"}),
            "pbs ?[31m4.?, ranks on each: 4?");
}

}  // namespace
}  // namespace ranksight::cli
