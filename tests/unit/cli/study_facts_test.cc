#include "cli/study/study_facts.h"

#include <gtest/gtest.h>

#include <map>

#include "cli/base/lists.h"

namespace ranksight::cli {
namespace {

using Words = std::vector<std::string>;

TEST(StudyCommand, IsReadAgainAsWhatWasAskedFor) {
  StudyOptions options;
  options.ranks = "4,9";
  options.forecast = "64";
  options.launcher = "srun -n {ranks}";
  options.repeat = 3;
  options.plugins = {"a.so", "b c.so"};
  const std::string text = StudyCommand(options, {"./my app", "--steps", "5"});
  EXPECT_EQ(
      *SplitWords(text),
      (Words{"ranksight", "study", "--ranks", "4,9", "--forecast", "64",
             "--repeat", "3", "--launcher", "srun -n {ranks}", "--plugin",
             "a.so", "--plugin", "b c.so", "--", "./my app", "--steps", "5"}));
}

TEST(StudyFacts, SayWhenWhatAndWithWhichSettings) {
  std::vector<reduction::Trace> traces(2);
  traces[0].meta.program = traces[1].meta.program = "app";
  traces[0].meta.build_id = "b1";
  traces[0].meta.params = {{"size", "64"}};
  traces[0].meta.start_unix_ns = 1'700'000'060'000'000'000;
  traces[1].meta.start_unix_ns = 1'700'000'000'000'000'000;
  traces[1].meta.own_time = true;
  online_model::Forecast forecast;
  forecast.network = "shared-memory";
  forecast.sizes.resize(2);
  forecast.sizes[0].ranks = 1;
  forecast.sizes[0].runs = 2;
  forecast.sizes[1].ranks = 9;
  forecast.sizes[1].runs = 1;
  std::map<std::string, std::string> facts;
  for (const auto& [name, text] :
       StudyFacts({}, {"./app"}, traces, forecast, "1.2.3")) {
    facts[name] = text;
  }
  EXPECT_EQ(facts["runs made"],
            "2023-11-14 22:13:20 UTC to 2023-11-14 22:14:20 UTC");
  EXPECT_EQ(facts["program"], "app with size=64, build b1");
  EXPECT_EQ(facts["by"], "ranksight 1.2.3");
  EXPECT_EQ(facts["runs used"], "2 runs on 1 rank, 1 run on 9 ranks");
  EXPECT_NE(facts["settings"].find("computation by processor time; network "
                                   "shared-memory"),
            std::string::npos)
      << facts["settings"];
  EXPECT_FALSE(facts.contains("jobs"));
}

TEST(SharedCoresText, SaysForWhichMachineTimesThenAre) {
  std::vector<reduction::Trace> traces(1);
  online_model::Forecast forecast;
  EXPECT_EQ(SharedCoresText(traces, forecast), "");
  traces[0].meta.own_time = true;
  forecast.network = "slingshot";
  const std::string text = SharedCoresText(traces, forecast);
  EXPECT_EQ(text.find("ranks shared cores: "), 0u) << text;
  EXPECT_NE(text.find("the network slingshot"), std::string::npos) << text;
}

}  // namespace
}  // namespace ranksight::cli
