#include "online_model/twin/size_fit.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace ranksight::online_model {
namespace {

// Bytes over all faces of a mesh of 40 x 90 points that AxB ranks share,
// however the shares are rounded.
double BytesOfFaces(int64_t a, int64_t b) {
  return 8 * (double(a - 1) * 90 + double(b - 1) * 40);
}

SizedValue Faces(int64_t a, int64_t b) {
  return {a * b, BytesOfFaces(a, b), {a, b}};
}

TEST(FitBySides, TellsTheFacesOfAMesh) {
  const std::vector<SizedValue> runs{Faces(2, 2), Faces(3, 2), Faces(3, 3),
                                     Faces(4, 3)};
  const Fitted fit = FitBySides(runs, {32, {8, 4}});
  EXPECT_NEAR(fit.value, BytesOfFaces(8, 4), 1e-6 * fit.value);
  EXPECT_LT(fit.half_width, 0.25 * fit.value);
}

// Rows of 96 points with one more at either end, shared along the first side.
double BytesOfRows(int64_t a, int64_t b) {
  return double(a * b) * 8 * (96 / double(a) + 2);
}

TEST(FitBySides, TellsWhatEachLineOfRanksShares) {
  std::vector<SizedValue> runs;
  for (const auto& [a, b] : {std::pair{2, 2}, {3, 2}, {4, 2}, {4, 3}, {4, 4}}) {
    runs.push_back({a * b, BytesOfRows(a, b), {a, b}});
  }
  const Fitted fit = FitBySides(runs, {24, {6, 4}});
  EXPECT_NEAR(fit.value, BytesOfRows(6, 4), 1e-6 * fit.value);
}

TEST(FitBySides, SaysNothingOfWhatDoesNotFollowThem) {
  std::vector<SizedValue> runs{Faces(2, 2), Faces(3, 2), Faces(3, 3),
                               Faces(4, 3)};
  runs[1].value *= 1.2;
  runs[2].value *= 0.9;
  EXPECT_LT(FitBySides(runs, {32, {8, 4}}).value, 0);
  // Nor where a run has no grid, or sends nothing.
  EXPECT_LT(FitBySides(runs, {32, {}}).value, 0);
  runs[0].value = 0;
  EXPECT_LT(FitBySides(runs, {32, {8, 4}}).value, 0);
}

TEST(FitBySides, LeavesOpenWhatASideThatNeverChangedMayDo) {
  // As many as there are ranks, or as one side: two ranks across in all runs.
  const std::vector<SizedValue> runs{
      {4, 40, {2, 2}}, {6, 60, {3, 2}}, {8, 80, {4, 2}}, {12, 120, {6, 2}}};
  const Fitted fit = FitBySides(runs, {64, {8, 8}});
  EXPECT_LE(fit.value - fit.half_width, 160);
  EXPECT_GE(fit.value + fit.half_width, 640);
}

TEST(FitBySides, TakesWhatNeedsLeastOfFormsThatAllFit) {
  // As many of each rank, on sides that double in turn.
  const std::vector<SizedValue> runs{{4, 520, {1, 2, 2}},
                                     {8, 1040, {2, 2, 2}},
                                     {16, 2080, {2, 2, 4}},
                                     {32, 4160, {2, 4, 4}}};
  EXPECT_NEAR(FitBySides(runs, {64, {4, 4, 4}}).value, 8320, 1e-6);
}

TEST(FitTotal, EndsAtALimitThatTwoSizesHaveReached) {
  const std::vector<SizedValue> rows{{8, 21}, {27, 78}, {64, 78}};
  EXPECT_TRUE(HasReachedLimit(rows));
  EXPECT_EQ(FitTotal(rows, {125}).value, 78);
  EXPECT_EQ(FitMean(rows, 125).value, 78);
  // What never changed has a law; what still grows has no limit.
  EXPECT_FALSE(
      HasReachedLimit(std::vector<SizedValue>{{8, 5}, {9, 5}, {12, 5}}));
  EXPECT_FALSE(
      HasReachedLimit(std::vector<SizedValue>{{8, 5}, {9, 6}, {12, 7}}));
}

// Edges of a table cut by one dimension: what its ranks have is within 3 % of a
// curve that runs on, and was 16 and 28 % off.
TEST(FitTotal, PartnersThatGrowEverSlowerDoNotRunOn) {
  const std::vector<SizedValue> edges = {{6, 18}, {8, 26}, {12, 46}, {16, 66}};
  EXPECT_NEAR(FitTotal(edges, {32}).value / 146, 1, 0.05);
  EXPECT_NEAR(FitTotal(edges, {64}).value / 318, 1, 0.08);
}

}  // namespace
}  // namespace ranksight::online_model
