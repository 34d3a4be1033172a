#include "online_model/synthesize/mesh_of_laws.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "online_model/synthesize/symbolic.h"

namespace ranksight::online_model {
namespace {

using Mesh = std::vector<int64_t>;

ScalarLaw BlockOf(int64_t whole, int side) {
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kBlock;
  law.constant = whole;
  law.dim = side;
  return law;
}

// whole / d<side>, or with what is left over cut off.
ScalarLaw ShareOf(Expression::Op op, int64_t whole, int side) {
  return OfExpression(
      Combine(op, ConstantExpression(whole),
              FeatureExpression({Feature::Kind::kDim, side, nullptr})));
}

NodeLaw WithParams(const std::vector<ScalarLaw>& laws) {
  NodeLaw root;
  NodeLaw event;
  for (const ScalarLaw& law : laws) {
    event.params.emplace_back();
    event.params.back().values = {law};
  }
  root.children.push_back(std::move(event));
  return root;
}

TEST(MeshOfLaws, IsWhatMostLawsCutAlongEachSide) {
  using Op = Expression::Op;
  const NodeLaw root =
      WithParams({BlockOf(100, 0), BlockOf(100, 0), BlockOf(50, 0),
                  ShareOf(Op::kDivide, 64, 1)});
  EXPECT_EQ(MeshOfLaws(root, 2), (Mesh{100, 64}));
  EXPECT_FALSE(MeshOfLaws(root, 3).has_value());
  EXPECT_FALSE(MeshOfLaws(NodeLaw(), 2).has_value());
}

TEST(MeshOfLaws, WholesThatOnlyDivideCountWhereThereAreNoOthers) {
  using Op = Expression::Op;
  const ScalarLaw rows = ShareOf(Op::kDivideExactly, 480, 0);
  const ScalarLaw columns = ShareOf(Op::kDivideExactly, 960, 1);
  EXPECT_EQ(MeshOfLaws(WithParams({rows, columns}), 2), (Mesh{480, 960}));
  // Bytes along one side and points along the other are no mesh.
  EXPECT_FALSE(MeshOfLaws(WithParams({rows, BlockOf(120, 1)}), 2).has_value());
}

// Of 2x2x2x1, 3x2x2x1, 2x2x2x2 and 3x2x2x2 ranks two sides are alike, and of
// 4x3x2x2 they are not: no other grid is a choice.
TEST(CheckSidesUsed, NamesNoGridTwice) {
  SymbolicLaws laws;
  laws.rule = {DimsRule::Kind::kBalanced, 4};
  laws.sizes = {8, 12, 16, 24};
  ScalarLaw side;
  side.terms = {{1, {Feature::Kind::kDim, 1, nullptr}}};
  laws.root = WithParams({side});
  std::vector<reduction::Trace> traces;
  std::vector<SeenPeers> peers;
  for (const int64_t ranks : laws.sizes) {
    traces.emplace_back().meta.ranks = ranks;
    peers.push_back({ranks, {}, false});
  }
  ExtrapolationRequest request;
  request.ranks = 48;
  const auto checked = CheckSidesUsed(laws, traces, peers, request);
  ASSERT_FALSE(checked.ok());
  const std::string& text = checked.message();
  EXPECT_NE(text.find("as long as others of them in all runs; 48 ranks would "
                      "be 4x3x2x2:"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("--dims"), std::string::npos) << text;
}

}  // namespace
}  // namespace ranksight::online_model
