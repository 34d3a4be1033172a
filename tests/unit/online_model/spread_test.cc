#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

#include "online_model/api/forecast.h"
#include "online_model/forecast/spread_text.h"
#include "tests/unit/online_model/synthetic_run.h"

namespace ranksight::online_model {
namespace {

// One call, in which ranks are 1, 2, 3 and 6 us, and 2 us before it.
reduction::Trace FourRanks() {
  testing::SyntheticRun run;
  run.events.push_back({reduction::Call::MPI_Barrier_, 16, 2e-5, 3e-5, 10});
  reduction::Trace trace = testing::MakeTrace(run);
  reduction::ForEachEvent(trace.root, [](reduction::Node& event) {
    event.times.call.ranks = {};
    for (const double us : {1, 2, 3, 6}) event.times.call.ranks.Add(1e3 * us);
  });
  return trace;
}

// Of that many runs at each size.
std::string SpreadTextOf(std::initializer_list<uint64_t> runs) {
  Forecast f;
  for (const uint64_t n : runs) {
    MeasuredSize size;
    size.runs = n;
    f.sizes.push_back(size);
  }
  const std::string text = SpreadText(f);
  EXPECT_EQ(nlohmann::json::parse(ToJson(f)).at("spread"), text);
  return text;
}

TEST(SpreadText, SaysWhatIsKnownOfSizesThatWereRunOnce) {
  EXPECT_EQ(SpreadTextOf({1, 1, 1}).find("each size was run once: "), 0u);
  EXPECT_EQ(SpreadTextOf({1, 3, 1}).find("sizes that were run once are "), 0u);
  EXPECT_EQ(SpreadTextOf({2, 3, 2}), "");
  EXPECT_EQ(SpreadTextOf({}), "");
}

TEST(SetSpreads, SaysHowFarRanksAreApartInOneOccurrence) {
  Forecast f;
  SetSpreads(FourRanks(), &f);
  EXPECT_EQ(f.spread_ranks, 4);
  ASSERT_EQ(f.spreads.size(), 1u);
  const auto& [at, spread] = *f.spreads.begin();
  EXPECT_EQ(at.first, "MPI_Barrier");
  EXPECT_EQ(at.second, "app+0x10");
  ASSERT_TRUE(spread.in_call);
  EXPECT_DOUBLE_EQ(spread.in_call->least, 1e-6);
  EXPECT_DOUBLE_EQ(spread.in_call->mean, 3e-6);
  EXPECT_DOUBLE_EQ(spread.in_call->most, 6e-6);
  EXPECT_DOUBLE_EQ(spread.in_call->deviation, std::sqrt(3.5) * 1e-6);
  EXPECT_DOUBLE_EQ(spread.compute.mean, 2e-6);
  EXPECT_EQ(spread.compute.least, spread.compute.most);
}

TEST(SetSpreads, TimesInCallsOfSharedCoresAreLeftOut) {
  reduction::Trace trace = FourRanks();
  trace.meta.own_time = true;
  Forecast f;
  SetSpreads(trace, &f);
  EXPECT_FALSE(f.spreads.begin()->second.in_call);
  trace.meta.own_time = false;
  f.network = "shared-memory";  // times are that network's
  SetSpreads(trace, &f);
  EXPECT_FALSE(f.spreads.begin()->second.in_call);
}

TEST(SetSpreads, StandsWithTheSiteInJson) {
  Forecast f;
  f.sites.push_back({"MPI_Barrier", "app+0x10", {}, {}, {}});
  f.sites.push_back({"MPI_Send", "app+0x10", {}, {}, {}});
  SetSpreads(FourRanks(), &f);
  const auto json = nlohmann::json::parse(ToJson(f));
  const auto& over = json["sites"][0]["over_ranks"];
  EXPECT_EQ(over["ranks"], 4);
  EXPECT_DOUBLE_EQ(over["in_call"]["most"], 6e-6);
  EXPECT_DOUBLE_EQ(over["compute"]["deviation"], 0);
  EXPECT_FALSE(json["sites"][1].contains("over_ranks"));
}

}  // namespace
}  // namespace ranksight::online_model
