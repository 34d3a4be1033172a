// Programs whose runs do not tell which of two grids the target has, against
// the programs on both.
#include "online_model/api/estimate_by_shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "online_model/synthesize/same_streams.h"
#include "tests/unit/online_model_structure/stencil_run.h"

namespace ranksight::online_model {
namespace {

using testing::RunOf;
using testing::Stencil;
using Shapes = std::vector<std::vector<int64_t>>;

// A plane of four columns, or as square as can be: alike on 8 to 24 ranks.
const Shapes kRuns = {{2, 4}, {3, 4}, {4, 4}, {6, 4}};
const Stencil kStencil = {.periodic = {false, true}, .cells = 96};

std::vector<reduction::Trace> Inputs() {
  std::vector<reduction::Trace> inputs;
  for (const auto& dims : kRuns) {
    inputs.push_back(RunOf(kStencil, dims));
    inputs.back().meta.made_dims.emplace();
  }
  return inputs;
}

TEST(EstimateByShape, TellsTheShapesOfARefusal) {
  Shapes told;
  ExtrapolationRequest request{.ranks = 48};
  request.tell_shapes = [&told](const Shapes& shapes) { told = shapes; };
  EXPECT_FALSE(Extrapolate(Inputs(), request).ok());
  std::sort(told.begin(), told.end());
  EXPECT_TRUE(
      std::binary_search(told.begin(), told.end(), std::vector<int64_t>{8, 6}));
  EXPECT_TRUE(std::binary_search(told.begin(), told.end(),
                                 std::vector<int64_t>{12, 4}));
}

// The last side is two in all runs, and MPI would make four of it: laws say
// nothing of these, but of a box that keeps two.
TEST(EstimateByShape, TellsAGridWithTheSideThatAllRunsHave) {
  const Stencil box = {.periodic = {false, true, false}, .cells = 96};
  std::vector<reduction::Trace> inputs;
  for (const auto& dims :
       Shapes{{2, 2, 2}, {3, 2, 2}, {4, 2, 2}, {4, 3, 2}, {5, 4, 2}}) {
    inputs.push_back(RunOf(box, dims));
    inputs.back().meta.made_dims.emplace();
    inputs.back().meta.made_dims->push_back(
        {inputs.back().meta.ranks, {0, 0, 0}, dims});
  }
  Shapes told;
  ExtrapolationRequest request{.ranks = 64};
  request.tell_shapes = [&told](const Shapes& shapes) { told = shapes; };
  EXPECT_FALSE(Extrapolate(inputs, request).ok());
  ASSERT_EQ(told, (Shapes{{4, 4, 4}, {8, 4, 2}, {16, 2, 2}}));
  const auto made = EstimateByShape(inputs, request, told);
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_TRUE(CompareStreams(made->trace, RunOf(box, {8, 4, 2})).ok());
  EXPECT_FALSE(made->report.estimates.empty());
}

// Sides of two lengths, so that there are laws for other ones as well.
std::vector<reduction::Trace> InputsOfTwoLengths() {
  std::vector<reduction::Trace> inputs;
  for (const auto& dims : Shapes{{2, 2}, {4, 2}, {4, 3}, {6, 3}, {5, 4}}) {
    inputs.push_back(RunOf(kStencil, dims));
  }
  return inputs;
}

TEST(EstimateByShape, TakesTheFirstAndIsAsWideAsTheOtherIsOff) {
  const Shapes shapes = {{12, 4}, {8, 6}};
  const auto made =
      EstimateByShape(InputsOfTwoLengths(), {.ranks = 48}, shapes);
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_TRUE(CompareStreams(made->trace, RunOf(kStencil, shapes[0])).ok());
  EXPECT_EQ(made->report.shapes, shapes);
  EXPECT_EQ(made->trace.meta.estimates, made->report.estimates);
  ASSERT_FALSE(made->report.estimates.empty());
  // In each step both ways along open columns and around closed rows: of those
  // there are 12 x 4 on either grid.
  const int64_t taken = 2 * 11 * 4 + 2 * 48, other = 2 * 7 * 6 + 2 * 48;
  double messages = 0, width = 0;
  for (const auto& e : made->report.estimates) {
    // What is the same on both is exact.
    EXPECT_TRUE(e.messages > 0 || e.call.find("send") == std::string::npos);
    EXPECT_NE(e.call, "MPI_Init");
    EXPECT_NE(e.call, "MPI_Finalize");
    if (e.call.find("send") == std::string::npos) continue;
    messages += e.messages;
    width += e.messages_width;
  }
  EXPECT_EQ(messages, double(kStencil.steps * taken));
  EXPECT_EQ(width, double(kStencil.steps * std::abs(taken - other)));
}

// Four columns in all runs say nothing of six.
TEST(EstimateByShape, OfOneGridAloneAllIsAsWideAsItIs) {
  const Shapes shapes = {{8, 6}, {12, 4}};
  const auto made = EstimateByShape(Inputs(), {.ranks = 48}, shapes);
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_TRUE(CompareStreams(made->trace, RunOf(kStencil, {12, 4})).ok());
  EXPECT_EQ(made->report.shapes, (Shapes{{12, 4}, {8, 6}}));
  ASSERT_FALSE(made->report.estimates.empty());
  std::set<std::string> calls;
  for (const auto& e : made->report.estimates) {
    calls.insert(e.call);
    EXPECT_NE(e.call, "MPI_Init");
    EXPECT_EQ(e.messages_width, e.messages);
    EXPECT_EQ(e.bytes_width, e.bytes);
  }
  // What sends nothing itself is no surer.
  EXPECT_TRUE(calls.contains("MPI_Isend"));
  EXPECT_TRUE(calls.contains("MPI_Irecv"));
  EXPECT_TRUE(calls.contains("MPI_Waitall"));
}

TEST(EstimateByShape, NothingOfNoShapeOrOfLawsForAny) {
  EXPECT_FALSE(EstimateByShape(Inputs(), {.ranks = 48}, {}).ok());
  EXPECT_FALSE(EstimateByShape(Inputs(), {.ranks = 48, .symbolic = true},
                               {{12, 4}, {8, 6}})
                   .ok());
}

}  // namespace
}  // namespace ranksight::online_model
