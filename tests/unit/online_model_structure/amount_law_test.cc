// Laws of amounts over a setting, held against closed formulas at values that
// they were not found on.
#include "online_model/structure/amount_law.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace ranksight::online_model {
namespace {

using AmountFormula = std::function<int64_t(int64_t)>;

std::vector<KnownAmount> KnownAt(const std::vector<int64_t>& settings,
                                 const AmountFormula& amount) {
  std::vector<KnownAmount> known;
  for (const int64_t s : settings) known.push_back({s, amount(s), amount(s)});
  return known;
}

void ExpectAmountFollows(const std::vector<int64_t>& settings,
                         const AmountFormula& amount, int most_free) {
  constexpr int64_t kWanted = 1000;
  const auto law = FindAmountLaw(KnownAt(settings, amount), kWanted, most_free);
  ASSERT_TRUE(law.has_value());
  EXPECT_EQ(law->LowAt(kWanted), amount(kWanted));
  EXPECT_EQ(law->HighAt(kWanted), amount(kWanted));
}

TEST(AmountLaw, FollowsPowersOfTheSetting) {
  ExpectAmountFollows(
      {100, 200}, [](int64_t) { return 7; }, 1);
  ExpectAmountFollows(
      {100, 200}, [](int64_t s) { return 8 * s; }, 1);
  ExpectAmountFollows(
      {100, 200}, [](int64_t s) { return 8 * s * s; }, 1);
  ExpectAmountFollows(
      {20, 30}, [](int64_t s) { return s * s * s; }, 1);
  ExpectAmountFollows(
      {100, 200}, [](int64_t s) { return s / 4; }, 1);
  ExpectAmountFollows(
      {100, 200}, [](int64_t s) { return s * s / 8; }, 1);
}

TEST(AmountLaw, FollowsThemWithAHalo) {
  ExpectAmountFollows(
      {100, 200, 300}, [](int64_t s) { return 8 * s - 16; }, 2);
  ExpectAmountFollows(
      {100, 200, 300}, [](int64_t s) { return 3 * s * s + 5; }, 2);
  ExpectAmountFollows(
      {100, 200, 300}, [](int64_t s) { return (s + 2) * (s + 2); }, 2);
  ExpectAmountFollows(
      {10, 20, 30}, [](int64_t s) { return 8 * (s - 2) * (s - 2) * (s - 2); },
      2);
  ExpectAmountFollows(
      {10, 20, 30, 50}, [](int64_t s) { return 2 * s * s - 3 * s; }, 3);
}

TEST(AmountLaw, FollowsDoublings) {
  const auto stages = [](int64_t s) {
    int64_t n = 0;
    while (int64_t{1} << (n + 1) <= s) ++n;
    return n;
  };
  ExpectAmountFollows({64, 100, 130, 300}, stages, 3);
}

TEST(AmountLaw, IsNoneWithAsManyNumbersAsValues) {
  const auto known = KnownAt({100, 200}, [](int64_t s) { return 8 * s + 16; });
  EXPECT_FALSE(FindAmountLaw(known, 1000, 1).has_value());
  const auto odd = KnownAt({100, 200, 300},
                           [](int64_t s) { return s == 300 ? 12345 : 8 * s; });
  EXPECT_FALSE(FindAmountLaw(odd, 1000, 2).has_value());
}

TEST(AmountLaw, DoesNotSayWhatDoublingsAreBetweenPowersOfTwo) {
  const std::vector<KnownAmount> known{{64, 6, 6}, {128, 7, 7}, {512, 9, 9}};
  EXPECT_FALSE(FindAmountLaw(known, 1000, 2).has_value());
  const auto law = FindAmountLaw(known, 1024, 2);
  ASSERT_TRUE(law.has_value());
  EXPECT_EQ(law->LowAt(1024), 10);
}

TEST(AmountLaw, IsARangeWhereRunsLeaveOne) {
  // Between 3.1 and 3.3, and 3 and 3.2, for each of the setting.
  const std::vector<KnownAmount> known{{100, 310, 330}, {200, 600, 640}};
  const auto law = FindAmountLaw(known, 1000, 1);
  ASSERT_FALSE(law.has_value());
  const std::vector<KnownAmount> wide{{100, 290, 410}, {200, 560, 810}};
  const auto range = FindAmountLaw(wide, 1000, 1);
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->LowAt(1000), 3000);
  EXPECT_EQ(range->HighAt(1000), 4000);
}

TEST(AmountLaw, HasNoValueThatIsNotWhole) {
  const auto known = KnownAt({100, 200}, [](int64_t s) { return s / 4; });
  const auto law = FindAmountLaw(known, 1001, 1);
  ASSERT_TRUE(law.has_value());
  EXPECT_EQ(law->LowAt(1001), kNotWhole);
}

}  // namespace
}  // namespace ranksight::online_model
