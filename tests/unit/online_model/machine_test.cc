#include "online_model/api/machine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace ranksight::online_model {
namespace {

using reduction::StatusCode;

TEST(Machine, RatiosLieBetweenThoseOfTheLengthsBesideByTheLogarithm) {
  MachineRatios m;
  EXPECT_EQ(m.Message(100), 1);
  m.messages = {{0, 0.25}, {1023, 0.5}, {1048575, 4}};
  EXPECT_EQ(m.Message(0), 0.25);
  EXPECT_DOUBLE_EQ(m.Message(1023), 0.5);
  EXPECT_DOUBLE_EQ(m.Message(1e9), 4);
  EXPECT_NEAR(m.Message(31), 0.25 * std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(m.Message(32767), std::sqrt(0.5 * 4), 1e-12);
}

TEST(Machine, ComparingTimesGivesTheirQuotients) {
  MachineTimes here, there;
  here.kernels = {{"a", 2}, {"b", 1}, {"only here", 1}};
  there.kernels = {{"a", 1}, {"b", 8}};
  here.messages = {{1, 1e-6}, {4, 2e-6}, {64, 1e-5}};
  there.messages = {{1, 3e-6}, {16, 1}, {64, 1e-6}};
  const auto ratios = Compare(here, there);
  ASSERT_TRUE(ratios.ok());
  EXPECT_DOUBLE_EQ(ratios->compute, 2);  // of 0.5 and 8
  ASSERT_EQ(ratios->messages.size(), 2u);
  EXPECT_EQ(ratios->messages[1].bytes, 64);
  EXPECT_DOUBLE_EQ(ratios->messages[0].value, 3);
  EXPECT_DOUBLE_EQ(ratios->messages[1].value, 0.1);
  there.messages = {{2, 1}};
  EXPECT_EQ(Compare(here, there).status().code(), StatusCode::kNo);
  there.kernels = {{"c", 1}};
  EXPECT_EQ(Compare(here, there).status().code(), StatusCode::kNo);
}

TEST(Machine, RatiosComeBackAsTheyWereWritten) {
  MachineRatios m;
  m.compute = 0.7;
  m.kernels = {{"loads", 0.5}};
  m.messages = {{1, 0.25}, {4096, 1.5}};
  const auto read = ParseRatios(ToJson(m));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(ToJson(*read), ToJson(m));
  EXPECT_EQ(read->messages[1].value, 1.5);
}

TEST(Machine, TimesSayWhoMeasuredThemWhereTheyDo) {
  const auto bare = ParseTimes("{\"kernels\": {}, \"messages\": []}");
  ASSERT_TRUE(bare.ok());
  EXPECT_EQ(bare->ranks, 0);
  EXPECT_FALSE(bare->pulled);
  const auto full = ParseTimes(
      "{\"ranks\": 512, \"pulled\": true, \"kernels\": {}, \"messages\": []}");
  ASSERT_TRUE(full.ok());
  EXPECT_EQ(full->ranks, 512);
  EXPECT_EQ(full->pulled, true);
  for (const char* wrong : {"\"ranks\": 0", "\"ranks\": 1e30", "\"ranks\": 1.5",
                            "\"ranks\": \"2\"", "\"pulled\": 1"}) {
    const std::string text =
        std::string("{") + wrong + ", \"kernels\": {}, \"messages\": []}";
    EXPECT_EQ(ParseTimes(text).status().code(), StatusCode::kBadInput) << text;
  }
}

TEST(Machine, AnythingElseIsRefusedWithItsPlace) {
  for (const char* text :
       {"", "[]", "{\"compute\": 0}", "{\"compute\": \"1\"}",
        "{\"compute\": 1, \"speed\": 2}", "{\"messages\": {}}",
        "{\"messages\": [{\"bytes\": 1}]}",
        "{\"messages\": [{\"bytes\": 1, \"ratio\": 1, \"x\": 1}]}",
        "{\"messages\": [{\"bytes\": 1, \"ratio\": -1}]}",
        "{\"messages\": [{\"bytes\": -1, \"ratio\": 1}]}",
        "{\"messages\": [{\"bytes\": 4, \"ratio\": 1},"
        " {\"bytes\": 4, \"ratio\": 1}]}"}) {
    EXPECT_EQ(ParseRatios(text).status().code(), StatusCode::kBadInput) << text;
  }
  EXPECT_EQ(ParseTimes("{\"kernels\": {}}").status().code(),
            StatusCode::kBadInput);
  EXPECT_EQ(
      ParseTimes("{\"kernels\": {\"a\": 0}, \"messages\": []}").status().code(),
      StatusCode::kBadInput);
  EXPECT_EQ(ParseTimes("{\"kernels\": 2e555}").status().message(),
            "0: a number is too large");
  EXPECT_EQ(ParseRatios("{\"compute\": 1,}").status().message().rfind("14:", 0),
            0u);
}

TEST(Machine, AReasonIsOneLineWhateverIsNamed) {
  for (const char* text :
       {R"({"compute": 1, "a\nb": 2})", R"({"kernels": {"a\nb": 0}})"}) {
    const auto read = ParseRatios(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_NE(read.status().message().find(R"("a\nb")"), std::string::npos)
        << read.status().message();
  }
}

}  // namespace
}  // namespace ranksight::online_model
