#include "online_model/daemon/overviews.h"

#include <gtest/gtest.h>

#include <string>

namespace ranksight::online_model {
namespace {

GroupOverview Of(const std::string& id, uint64_t runs) {
  GroupOverview overview;
  overview.group.id = id;
  overview.group.runs = runs;
  return overview;
}

TEST(Overviews, OneIsKeptUntilWhatItWasMadeFromChanges) {
  Overviews all;
  const GroupOverview a = Of("a", 3);
  all.Keep(a, {});
  EXPECT_NE(all.Find(a.group, {}), nullptr);
  EXPECT_EQ(all.Find(Of("a", 4).group, {}), nullptr);
  EXPECT_EQ(all.Find(a.group, {.names_version = 1}), nullptr);
  EXPECT_EQ(all.Find(a.group, {.walks = 1}), nullptr);
  EXPECT_EQ(all.Find(a.group, {.has_under_way = true}), nullptr);
}

TEST(Overviews, OfGroupsThatAreGoneNothingIsKept) {
  Overviews all;
  const GroupOverview a = Of("a", 3), b = Of("b", 5);
  all.Keep(a, {});
  all.Keep(b, {});
  all.KeepOnly({"b", "c"});
  EXPECT_EQ(all.Find(a.group, {}), nullptr);
  EXPECT_NE(all.Find(b.group, {}), nullptr);
}

}  // namespace
}  // namespace ranksight::online_model
