// How special values read, in laws and where there is none: as in canonical
// text.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "online_model/structure/scalar_law.h"
#include "online_model/synthesize/list_text.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

TEST(LawText, ARootBetweenTwoGroupsHasItsName) {
  ScalarLaw law;
  law.constant = reduction::kPeerRoot;
  EXPECT_EQ(law.ToString(), "root");
  law.constant = reduction::kPeerNull;
  EXPECT_EQ(law.ToString(), "null");
  law.constant = reduction::kTagAny;
  EXPECT_EQ(law.ToString(), "any");
  law.constant = -7;
  EXPECT_EQ(law.ToString(), "-7");
}

TEST(LawText, ExpressionsTellRootFromAny) {
  Expression constant;
  constant.op = Expression::Op::kConstant;
  constant.value = reduction::kPeerRoot;
  EXPECT_EQ(constant.ToString(), "root");
  constant.value = reduction::kPeerAny;
  EXPECT_EQ(constant.ToString(), "any");
}

TEST(LawText, ValuesWithoutALawHaveTheirNames) {
  const std::vector<int64_t> values = {0, reduction::kPeerNull,
                                       reduction::kPeerRoot};
  EXPECT_EQ(ListText(values), "[0,null,root]");
  EXPECT_EQ(ListText(std::vector<int64_t>(7, 1)), "[1,1,1,1,1,1,...]");
}

}  // namespace
}  // namespace ranksight::online_model
