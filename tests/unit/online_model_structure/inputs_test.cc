#include "online_model/synthesize/inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "online_model/api/extrapolate.h"
#include "online_model/synthesize/see_peers.h"
#include "tests/unit/online_model_structure/stencil_run.h"

namespace ranksight::online_model {
namespace {

using testing::RunOf;

bool HasFourSides(const std::vector<reduction::Trace>& traces) {
  const auto rules = RulesFor(traces, SeePeers(traces), {}, {});
  return std::any_of(rules.begin(), rules.end(),
                     [](const DimsRule& rule) { return rule.ndims >= 4; });
}

// Rings of 16, 36 and 81 ranks, which are 2x2x2x2, 3x3x2x2 and 3x3x3x3 as well.
TEST(RulesFor, AProgramThatMadeNoGridHasNoneOfFourSides) {
  std::vector<reduction::Trace> traces;
  for (const int64_t ranks : {16, 36, 81}) {
    traces.push_back(RunOf({.periodic = {true}}, {ranks}));
  }
  EXPECT_TRUE(HasFourSides(traces));  // of traces that do not say
  for (auto& trace : traces) trace.meta.made_dims.emplace();
  EXPECT_FALSE(HasFourSides(traces));
}

TEST(RulesFor, WhoTalksAlongFourSidesHasThem) {
  std::vector<reduction::Trace> traces;
  const std::vector<std::vector<int64_t>> shapes{
      {2, 2, 2, 2}, {3, 3, 2, 2}, {3, 3, 3, 3}};
  for (const auto& shape : shapes) {
    traces.push_back(RunOf({.periodic = {true, true, true, true}}, shape));
    traces.back().meta.made_dims.emplace();
  }
  EXPECT_TRUE(HasFourSides(traces));
}

// As a trace that somebody else wrote may have.
TEST(AlignedInputs, LoopsOfNothingAreTakenOut) {
  std::vector<reduction::Trace> traces;
  for (const int64_t ranks : {4, 6, 8}) {
    traces.push_back(RunOf({.periodic = {true}}, {ranks}));
    reduction::Node loop;
    reduction::Section twice;
    twice.Append(2);
    for (int64_t r = 0; r < ranks; ++r) loop.trips.Add(r, twice, false);
    traces.back().root.children.push_back(loop);
    reduction::Node around = loop;
    around.children.push_back(loop);
    traces.back().root.children.push_back(around);
  }
  const auto aligned = AlignedInputs(traces, 16);
  ASSERT_TRUE(aligned.ok()) << aligned.status().message();
  for (const reduction::Trace& t : *aligned) {
    for (const reduction::Node& node : t.root.children) {
      EXPECT_TRUE(node.is_event() || !node.children.empty());
    }
  }
  EXPECT_TRUE(Extrapolate(traces, {.ranks = 16}).ok());
}

}  // namespace
}  // namespace ranksight::online_model
