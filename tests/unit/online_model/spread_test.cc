#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

#include "online_model/api/forecast.h"
#include "online_model/forecast/spread_text.h"
#include "reduction/api/rank_loads.h"
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

// Of each call and site the waiting is told; all of it is what ranks wait.
TEST(SetSpreads, SaysHowMuchOfACallIsWaiting) {
  reduction::Trace trace = FourRanks();
  reduction::ForEachEvent(trace.root, [](reduction::Node& event) {
    event.times.call = {};
    for (const double us : {2, 4, 4, 6}) event.times.call.first.Add(1e3 * us);
    for (const double us : {1, 1, 1, 5, 2, 1, 1, 3}) {
      event.times.call.rest.Add(1e3 * us);
    }
  });
  Forecast f;
  SetSpreads(trace, &f);
  // 8 of 16 us in first calls beyond 2 us each, 7 of 15 in others beyond 1 us.
  EXPECT_DOUBLE_EQ(f.spreads.begin()->second.waiting_share, 15.0 / 31);
  double waiting = 0, calls = 0;
  for (const reduction::RankLoad& load : LoadsIn(trace, trace.root)) {
    waiting += load.waiting_ns;
    calls += load.call_ns;
  }
  // Of first calls and others as many as were made (SyntheticRun), each a mean.
  EXPECT_NEAR(waiting, 4 * (2e3 + 9 * 7e3 / 8), 1);
  EXPECT_NEAR(calls, 4 * (4e3 + 9 * 15e3 / 8), 1);
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
  EXPECT_TRUE(over.contains("waiting_share"));
  EXPECT_FALSE(json["sites"][1].contains("over_ranks"));
  EXPECT_TRUE(json["sites"][0]["collective"]);
  EXPECT_FALSE(json["sites"][1]["collective"]);
}

}  // namespace
}  // namespace ranksight::online_model
