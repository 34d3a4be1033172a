#include "cli/study/study.h"

#include <gtest/gtest.h>

#include "cli/study/study_text.h"

namespace ranksight::cli {
namespace {

TEST(StudyFileName, NamesProgramRanksAndLaterRepetitions) {
  EXPECT_EQ(StudyFileName("./bin/app", 16, 1, ".trace"), "app.16.trace");
  EXPECT_EQ(StudyFileName("app", 16, 2, ".log"), "app.16.2.log");
  EXPECT_LT(StudyFileName(std::string(255, 'a'), 16, 2, ".submitted").size(),
            size_t{255});
}

TEST(IsWalkTooLong, CountsWhatTheWalkItselfTakesOnABusyMachine) {
  EXPECT_FALSE(IsWalkTooLong(29, 60)) << "two cores work at it";
  EXPECT_TRUE(IsWalkTooLong(31, 31));
  EXPECT_FALSE(IsWalkTooLong(120, 12)) << "others have the cores";
  EXPECT_TRUE(IsWalkTooLong(301, 12));
}

TEST(RunText, SaysEachTargetWithItsIntervalOrItsRefusal) {
  online_model::Forecast forecast;
  forecast.points.resize(2);
  forecast.points[0].ranks = 64;
  forecast.points[0].seconds = 2;
  forecast.points[0].low = 1;
  forecast.points[0].high = 3;
  forecast.points[1].ranks = 1024;
  forecast.points[1].refused = true;
  forecast.points[1].reason = "too far";
  StudyRun run;
  run.ranks = 9;
  run.seconds = 0.5;
  run.program = "app";
  EXPECT_EQ(RunText(run, forecast, 2, 4),
            "run 2 of 4: app on 9 ranks in 500 ms\n"
            "  at 64: 2.00 s (1.00 s to 3.00 s)\n"
            "  at 1024: refused, too far\n");
  forecast.points[1].seconds = 4;
  forecast.points[1].low = 1;
  forecast.points[1].high = 9;
  EXPECT_NE(
      RunText(run, forecast, 2, 4)
          .find("  at 1024: refused, too far; 4.00 s (1.00 s to 9.00 s), not "
                "to be relied on\n"),
      std::string::npos);
}

TEST(RunText, SaysOnceWhatHoldsForTargetsInARow) {
  online_model::Forecast forecast;
  for (const int64_t ranks : {64, 100, 1024}) {
    forecast.points.emplace_back();
    forecast.points.back().ranks = ranks;
    forecast.points.back().refused = true;
    forecast.points.back().reason = ranks < 1024 ? "too few" : "too far";
  }
  StudyRun run;
  run.ranks = 4;
  run.seconds = 0.5;
  run.program = "app";
  EXPECT_EQ(RunText(run, forecast, 1, 4),
            "run 1 of 4: app on 4 ranks in 500 ms\n"
            "  at 64, 100: refused, too few\n"
            "  at 1024: refused, too far\n");
}

TEST(RunText, SaysOnceWhyAndEachFigureOfWhatIsRefused) {
  online_model::Forecast forecast;
  for (const int64_t ranks : {64, 100, 144}) {
    online_model::ForecastPoint& p = forecast.points.emplace_back();
    p.ranks = ranks;
    p.refused = ranks != 100;
    if (p.refused) p.reason = "too wide";
    p.seconds = double(ranks);
    p.low = 1;
    p.high = 200;
  }
  const std::string text = RunText(StudyRun(), forecast, 1, 1);
  EXPECT_NE(text.find("  at 64, 144: refused, too wide; 64.0 s (1.00 s to 200 "
                      "s), 144 s (1.00 s to 200 s), not to be relied on\n"),
            std::string::npos)
      << text;
}

TEST(AllRefused, NeedsAtLeastOnePoint) {
  online_model::Forecast forecast;
  EXPECT_FALSE(AllRefused(forecast));
  forecast.points.resize(2);
  forecast.points[0].refused = true;
  EXPECT_FALSE(AllRefused(forecast));
  forecast.points[1].refused = true;
  EXPECT_TRUE(AllRefused(forecast));
}

}  // namespace
}  // namespace ranksight::cli
