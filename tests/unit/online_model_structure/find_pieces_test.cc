// Pieces of a whole found at few sizes, against a loop that takes them off at
// other sizes.
#include "online_model/structure/find_pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace ranksight::online_model {
namespace {

using OfSize = std::function<int64_t(int64_t ranks)>;

std::vector<Sample> PiecesOn(const Grid& line, int64_t whole, int64_t piece) {
  std::vector<Sample> samples;
  Context at(line, 0);
  for (int64_t left = whole; left > 0; left -= piece) {
    samples.push_back({at, std::min(piece, left)});
    ++at.position;
  }
  for (Sample& s : samples) s.where.length = int64_t(samples.size());
  return samples;
}

ExpressionPtr FoundOn(const std::vector<Grid>& lines, const OfSize& whole,
                      const OfSize& piece) {
  std::vector<Sample> samples;
  for (const Grid& line : lines) {
    const auto some = PiecesOn(line, whole(line.ranks()), piece(line.ranks()));
    samples.insert(samples.end(), some.begin(), some.end());
  }
  SearchSpace space;
  space.ndims = 1;
  space.array = space.counts = space.certain = true;
  return FindPieces(samples, space);
}

const std::vector<Grid> kLines = {{{4}}, {{6}}, {{8}}, {{12}}};

void ExpectFound(const OfSize& whole, const OfSize& piece) {
  const ExpressionPtr law = FoundOn(kLines, whole, piece);
  ASSERT_NE(law, nullptr);
  for (const int64_t n : {5, 16, 40}) {
    const Grid line{{n}};
    for (const Sample& s : PiecesOn(line, whole(n), piece(n))) {
      EXPECT_EQ(law->At(s.where), s.value) << law->ToString() << " at " << n;
    }
  }
}

TEST(FindPieces, RoundsOfOneTaskForEachWorker) {
  ExpectFound([](int64_t) { return 90; }, [](int64_t n) { return n - 1; });
}
TEST(FindPieces, BatchesOfOneSizeOfWhatGrowsWithTheRanks) {
  ExpectFound([](int64_t n) { return 10 * n + 3; }, [](int64_t) { return 16; });
}
// 48 columns on 6 to 16 ranks: floor(49/N) and ceil(48/N) are the same, and not
// on 32. Neither is taken there for more than what both say.
TEST(FindPieces, SharesThatAllRunsRoundAlikeAreNoneWhereTheyDiffer) {
  std::vector<Grid> lines;
  for (const int64_t n : {6, 7, 8, 12, 16}) lines.push_back({{n}});
  const auto law = FoundOn(
      lines, [](int64_t) { return 48; },
      [](int64_t n) { return (48 + n - 1) / n; });
  if (law == nullptr) return;
  const Grid larger{{32}};
  Context first(larger, 0);
  first.length = 24;
  const int64_t value = law->At(first);
  EXPECT_TRUE(value == 2 || value == kNotWhole) << law->ToString();
}

TEST(FindPieces, NoWholeIsNone) {
  const OfSize any = [](int64_t n) { return 40 + n * n % 7 * 9; };
  EXPECT_EQ(FoundOn(kLines, any, [](int64_t n) { return n; }), nullptr);
}
TEST(FindPieces, WherePlacesAreMissingIsNone) {
  const OfSize whole = [](int64_t) { return 90; };
  const OfSize piece = [](int64_t n) { return n - 1; };
  std::vector<Sample> samples;
  for (const Grid& line : kLines) {
    auto some = PiecesOn(line, 90, piece(line.ranks()));
    some.erase(some.begin() + 1);
    samples.insert(samples.end(), some.begin(), some.end());
  }
  SearchSpace space;
  space.ndims = 1;
  space.array = true;
  EXPECT_EQ(FindPieces(samples, space), nullptr);
  EXPECT_NE(FoundOn(kLines, whole, piece), nullptr);
}

}  // namespace
}  // namespace ranksight::online_model
