// Grids whose lines are communicators, against the splits of programs that cut
// their ranks so.
#include "online_model/synthesize/see_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Node;
using reduction::Param;

using Dims = std::vector<int64_t>;

// The number of the communicator that a rank is in, by its place on the grid.
using Color = std::function<int64_t(const Dims& at, const Dims& dims)>;

Dims PlaceOf(int64_t rank, const Dims& dims) {
  Dims at(dims.size());
  for (size_t d = dims.size(); d-- > 0;) {
    at[d] = rank % dims[d];
    rank /= dims[d];
  }
  return at;
}

int64_t RanksOf(const Dims& dims) {
  int64_t ranks = 1;
  for (const int64_t d : dims) ranks *= d;
  return ranks;
}

void Add(int64_t rank, int64_t value, reduction::Parameter* to) {
  reduction::Section one;
  one.Append(value);
  to->Add(rank, one, false);
}

Node Split(const Color& color, const Dims& dims) {
  Node split;
  split.kind = Node::Kind::kEvent;
  split.call = Call::MPI_Comm_split_;
  const auto params = reduction::Info(split.call).params;
  split.params.resize(params.size());
  std::vector<int64_t> colors;
  for (int64_t r = 0; r < RanksOf(dims); ++r) {
    colors.push_back(color(PlaceOf(r, dims), dims));
  }
  for (int64_t r = 0; r < RanksOf(dims); ++r) {
    Add(r, 1, &split.trips);
    const int64_t mine = colors[size_t(r)];
    for (size_t i = 0; i < params.size(); ++i) {
      const int64_t value = params[i] == Param::kColor ? mine
                            : params[i] == Param::kKey ? r
                            : params[i] == Param::kCommSize
                                ? std::count(colors.begin(), colors.end(), mine)
                                : 0;
      Add(r, value, &split.params[i]);
    }
  }
  return split;
}

// A run on each of the grids that makes these communicators in turn.
std::vector<reduction::Trace> RunsOf(const std::vector<Color>& colors,
                                     const std::vector<Dims>& grids) {
  std::vector<reduction::Trace> runs;
  for (const Dims& dims : grids) {
    reduction::Trace& run = runs.emplace_back();
    run.meta.ranks = RanksOf(dims);
    run.sites.sites.push_back({});
    for (const Color& color : colors) {
      run.root.children.push_back(Split(color, dims));
    }
  }
  return runs;
}

// All ranks along these sides are in one.
Color Along(std::vector<size_t> sides) {
  return [sides](const Dims& at, const Dims& dims) {
    int64_t color = 0;
    for (size_t d = 0; d < dims.size(); ++d) {
      const bool is_along =
          std::find(sides.begin(), sides.end(), d) != sides.end();
      color = color * dims[d] + (is_along ? 0 : at[d]);
    }
    return color;
  };
}

void ExpectSees(const std::vector<Color>& colors,
                const std::vector<Dims>& grids) {
  const Shapes shapes = SeeLines(RunsOf(colors, grids));
  ASSERT_EQ(shapes.size(), grids.size());
  for (const Dims& dims : grids) EXPECT_EQ(shapes.at(RanksOf(dims)), dims);
}

const std::vector<Dims> kPlanes = {{4, 1}, {4, 2}, {8, 2}, {8, 4}};
const std::vector<Dims> kSolids = {{2, 2, 1}, {2, 2, 3}, {4, 3, 2}, {4, 3, 5}};

TEST(SeeLines, RowsOrColumnsOfAPlane) {
  ExpectSees({Along({1})}, kPlanes);
  ExpectSees({Along({0})}, kPlanes);
  ExpectSees({Along({0}), Along({1})}, kPlanes);
}

TEST(SeeLines, LinesAndPlanesOfASolid) {
  ExpectSees({Along({0}), Along({1})}, kSolids);
  ExpectSees({Along({1, 2}), Along({2})}, kSolids);
  ExpectSees({Along({0, 1}), Along({1})}, kSolids);
}

// One plane of a solid says how many there are, and nothing of its sides.
TEST(SeeLines, APlaneOfASolidIsOneSide) {
  const Shapes shapes = SeeLines(RunsOf({Along({1, 2})}, kSolids));
  ASSERT_EQ(shapes.size(), kSolids.size());
  EXPECT_EQ(shapes.at(60), (Dims{4, 15}));
}

TEST(SeeLines, NothingOfWhatIsNoGrid) {
  // Of other lengths; of some ranks; back and forth; all in one.
  const Color odd_and_rest = [](const Dims& at, const Dims&) {
    return at[0] == 0 ? 0 : 1;
  };
  const Color back_and_forth = [](const Dims& at, const Dims& dims) {
    return at[0] % 2 == 0 ? at[1] : dims[1] - 1 - at[1];
  };
  const Color all = [](const Dims&, const Dims&) { return 0; };
  EXPECT_TRUE(SeeLines(RunsOf({odd_and_rest}, {{3, 2}, {5, 2}})).empty());
  EXPECT_TRUE(SeeLines(RunsOf({back_and_forth}, {{3, 2}, {4, 3}})).empty());
  EXPECT_TRUE(SeeLines(RunsOf({all}, kPlanes)).empty());
  EXPECT_TRUE(SeeLines(RunsOf({}, kPlanes)).empty());
}

// Lines that cross each other at no grid.
TEST(SeeLines, NothingOfCommunicatorsOfTwoGrids) {
  std::vector<reduction::Trace> runs = RunsOf({Along({1})}, {{6, 2}, {9, 2}});
  const std::vector<Dims> others = {{4, 3}, {6, 3}};
  for (size_t i = 0; i < runs.size(); ++i) {
    runs[i].root.children.push_back(Split(Along({1}), others[i]));
  }
  EXPECT_TRUE(SeeLines(runs).empty());
}

}  // namespace
}  // namespace ranksight::online_model
