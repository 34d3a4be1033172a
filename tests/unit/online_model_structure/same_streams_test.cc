// What is said of two streams that differ.
#include "online_model/synthesize/same_streams.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "tests/unit/online_model_structure/stencil_run.h"

namespace ranksight::online_model {
namespace {

using reduction::Param;
using reduction::Trace;

// The run with every value of the parameter of a call one more.
Trace WithOneMore(Trace run, reduction::Call call, Param which) {
  reduction::ForEachEvent(run.root, [&](reduction::Node& node) {
    if (node.call != call) return;
    const auto params = reduction::Info(call).params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (params[i] != which) continue;
      reduction::Parameter more;
      for (const auto& [rank, values] : node.params[i].ByRank()) {
        reduction::Section section;
        for (const int64_t v : values.Expand()) section.Append(v + 1);
        more.Add(rank, section, false);
      }
      node.params[i] = more;
    }
  });
  return run;
}

std::string Difference(const Trace& predicted, const Trace& recorded) {
  const auto same = CompareStreams(predicted, recorded);
  EXPECT_FALSE(same.ok());
  return same.ok() ? "" : same.status().message();
}

// Both sides stand in quotes.
void ExpectTwoTexts(const std::string& message) {
  static const std::regex kSides("is \"(.*)\", predicted \"(.*)\"$");
  std::smatch sides;
  ASSERT_TRUE(std::regex_search(message, sides, kSides)) << message;
  EXPECT_NE(sides[1], sides[2]) << message;
}

TEST(SameStreams, WhatTheTextOfAnEventDoesNotSayIsSaidOfTheDifference) {
  const Trace run = testing::RunOf({.periodic = {true}}, {4});
  const Trace other =
      WithOneMore(run, reduction::Call::MPI_Isend_, Param::kTypeKind);
  const std::string message = Difference(other, run);
  ExpectTwoTexts(message);
  EXPECT_NE(message.find(" with datatype "), std::string::npos) << message;
}

TEST(SameStreams, ACallFromElsewhereIsSaidToBe) {
  const Trace run = testing::RunOf({.periodic = {true}}, {4});
  Trace other = run;
  reduction::ForEachEvent(other.root, [](reduction::Node& node) {
    if (node.call == reduction::Call::MPI_Isend_) node.site ^= 1;
  });
  const std::string message = Difference(other, run);
  ExpectTwoTexts(message);
  EXPECT_NE(message.find(" at "), std::string::npos) << message;
}

TEST(SameStreams, OfTextsThatDifferNothingElseIsSaid) {
  const Trace run = testing::RunOf({.periodic = {true}}, {4});
  const Trace other =
      WithOneMore(run, reduction::Call::MPI_Isend_, Param::kTag);
  const std::string message = Difference(other, run);
  ExpectTwoTexts(message);
  EXPECT_EQ(message.find(" with "), std::string::npos) << message;
}

}  // namespace
}  // namespace ranksight::online_model
