#include "online_model/walk/touched_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>

namespace ranksight::online_model {
namespace {

int made;

struct CountedRow {
  CountedRow() { ++made; }
  int64_t value = 7;
};

TEST(TouchedTable, MakesRowsOnceSomebodyAsks) {
  made = 0;
  TouchedTable<CountedRow> table(1'000'000);
  EXPECT_EQ(made, 0);
  EXPECT_EQ(table[999'999].value, 7);
  const int of_one_block = made;
  EXPECT_GT(of_one_block, 0);
  EXPECT_LT(of_one_block, 1000);
  table[999'999].value = 8;
  EXPECT_EQ(table[999'999].value, 8);
  EXPECT_EQ(made, of_one_block);
}

TEST(TouchedTable, WithoutRowsIsEmpty) {
  EXPECT_TRUE(TouchedTable<CountedRow>().empty());
  EXPECT_FALSE(TouchedTable<CountedRow>(1).empty());
}

TEST(TouchedTable, HoldsWhatIsInEachRow) {
  constexpr size_t kRows = 1000;
  std::mt19937 random(20261130);
  TouchedTable<CountedRow> table(kRows);
  std::map<size_t, int64_t> written;
  for (int64_t i = 0; i < 2000; ++i) {
    const size_t row = random() % kRows;
    table[row].value = written[row] = i;
  }
  for (size_t row = 0; row < kRows; ++row) {
    const auto at = written.find(row);
    EXPECT_EQ(table[row].value, at == written.end() ? 7 : at->second);
  }
}

}  // namespace
}  // namespace ranksight::online_model
