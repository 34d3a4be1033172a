#include "online_model/structure/cut_another_way.h"

#include <gtest/gtest.h>

#include <vector>

namespace ranksight::online_model {
namespace {

// As many iterations of a loop as go to each rank of it, at its last one.
std::vector<Sample> SharesOf(const std::vector<Grid>& lines, int64_t length) {
  std::vector<Sample> samples;
  for (const Grid& g : lines) {
    Context last(g, 0);
    last.position = length - 1;
    last.length = length;
    samples.push_back({last, length / g.ranks()});
  }
  return samples;
}

ExpressionPtr ShareOfLength() {
  return Combine(Expression::Op::kDivide,
                 FeatureExpression(Feature::Kind::kLength),
                 FeatureExpression(Feature::Kind::kRanks));
}

TEST(WithoutRemainders, OfALoopThatAllRunsDivideNothingSaysWhatIsLeft) {
  const std::vector<Grid> lines{{{6}}, {{8}}, {{12}}, {{16}}};
  const auto law = WithoutRemainders(ShareOfLength(), SharesOf(lines, 48));
  const Grid divides{{24}}, does_not{{32}};
  for (const Grid* g : {&divides, &does_not}) {
    Context c(*g, 0);
    c.length = 48;
    EXPECT_EQ(law->At(c), g == &divides ? 2 : kNotWhole);
  }
}

TEST(WithoutRemainders, OneRunThatDoesNotDivideSaysThatItIsRounded) {
  const std::vector<Grid> lines{{{6}}, {{8}}, {{10}}};
  const ExpressionPtr share = ShareOfLength();
  EXPECT_EQ(WithoutRemainders(share, SharesOf(lines, 48)), share);
}

}  // namespace
}  // namespace ranksight::online_model
