#include "online_model/synthesize/mesh_of_laws.h"

#include <gtest/gtest.h>

#include <vector>

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

}  // namespace
}  // namespace ranksight::online_model
