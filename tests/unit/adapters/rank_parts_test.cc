// Ranks that are written side by side make the file that they make one after
// another.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "adapters/base/each_rank.h"

namespace ranksight::adapters {
namespace {

// Of very different lengths, some longer than any limit, some empty.
std::vector<std::string> RandomParts(int64_t ranks, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::string> parts(static_cast<size_t>(ranks));
  for (size_t rank = 0; rank < parts.size(); ++rank) {
    const uint32_t kind = random() % 4;
    const size_t bytes = kind == 0   ? 0
                         : kind == 1 ? random() % 100
                         : kind == 2 ? random() % 100'000
                                     : random() % 1'000'000;
    while (parts[rank].size() < bytes) {
      parts[rank] += std::to_string(rank) + '.' + std::to_string(random());
    }
  }
  return parts;
}

// In pieces of changing length.
void WriteInPieces(const std::string& text, RankPart* part) {
  size_t at = 0;
  for (size_t piece = 1; at < text.size(); piece = piece * 3 % 200'003) {
    part->Write(std::string_view(text).substr(at, piece));
    at += piece;
  }
}

std::string TextAt(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class RankPartsTest : public testing::Test {
 protected:
  RankPartsTest() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    path_ = testing::TempDir() + "rank_parts." + info->name() + "." +
            std::to_string(getpid());
  }
  ~RankPartsTest() override { std::filesystem::remove(path_); }
  std::string path_;
};

TEST_F(RankPartsTest, StandInTheOrderOfRanks) {
  constexpr int64_t kRanks = 64;
  // All held, none held, ended ones waited for, and the default.
  const std::vector<RankParts::Limits> cases = {
      {1 << 30, 1 << 30}, {0, 0}, {1 << 18, 1}, {1 << 16, 1 << 20}, {}};
  for (uint32_t seed = 0; seed < cases.size(); ++seed) {
    const auto parts = RandomParts(kRanks, seed);
    std::string all = "head";
    std::vector<uint64_t> begins;
    for (const std::string& part : parts) {
      begins.push_back(all.size());
      all += part;
    }
    OutputFile file(path_);
    file.Write("head");
    Conversion conversion;
    std::vector<uint64_t> found;
    const auto status = WriteRanksInOrder(
        kRanks, &conversion, &file, &found,
        [&](int64_t rank, Conversion* own, RankPart* part) {
          own->events = 2;
          WriteInPieces(parts[static_cast<size_t>(rank)], part);
          return reduction::Status::Ok();
        },
        cases[seed]);
    ASSERT_TRUE(status.ok());
    ASSERT_TRUE(file.Commit().ok());
    EXPECT_EQ(conversion.events, 2 * kRanks);
    EXPECT_EQ(found, begins) << seed;
    EXPECT_TRUE(TextAt(path_) == all) << seed;
  }
}

// gzip itself says what is in the file.
TEST_F(RankPartsTest, AreUnpackedByGzipWhereTheyArePacked) {
  if (!CanCompress()) GTEST_SKIP() << "without zlib";
  const std::vector<RankParts::Limits> cases = {{1 << 30, 1 << 30}, {0, 0}, {}};
  for (uint32_t seed = 0; seed < cases.size(); ++seed) {
    const auto parts = RandomParts(30, seed + 10);
    std::string all = "head";
    for (const std::string& part : parts) all += part;
    OutputFile file(path_, OutputFile::Packing::kGzip);
    file.Write("head");
    Conversion conversion;
    const auto status = WriteRanksInOrder(
        30, &conversion, &file, nullptr,
        [&](int64_t rank, Conversion*, RankPart* part) {
          WriteInPieces(parts[static_cast<size_t>(rank)], part);
          return reduction::Status::Ok();
        },
        cases[seed]);
    ASSERT_TRUE(status.ok());
    file.Write("tail");
    ASSERT_TRUE(file.Commit().ok());
    const std::string packed = TextAt(path_);
    EXPECT_LT(packed.size(), all.size() * 3 / 4);
    ASSERT_EQ(std::system(("gzip -dc <" + path_ + " >" + path_ + ".out && mv " +
                           path_ + ".out " + path_)
                              .c_str()),
              0);
    EXPECT_TRUE(TextAt(path_) == all + "tail") << seed;
  }
}

TEST_F(RankPartsTest, AFailureIsThatOfTheLowestRankThatFailed) {
  OutputFile file(path_);
  Conversion conversion;
  const auto status = WriteRanksInOrder(
      50, &conversion, &file, nullptr,
      [&](int64_t rank, Conversion*, RankPart* part) {
        part->Write(std::string(100'000, 'x'));
        return rank < 7 ? reduction::Status::Ok()
                        : reduction::Status::No(std::to_string(rank));
      },
      {1, 1});
  EXPECT_EQ(status.message(), "7");
}

}  // namespace
}  // namespace ranksight::adapters
