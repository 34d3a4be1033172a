#include "reduction/api/merge_parts.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "reduction/api/cursor.h"
#include "reduction/api/folder.h"
#include "reduction/api/losses.h"
#include "tests/unit/reduction/program.h"

namespace ranksight::reduction {
namespace {

using testing::Program;
using testing::Read;

constexpr int64_t kSecond = 1'000'000'000;

// What the ranks of a made-up program left; loss: why each part is partial.
std::vector<Part> PartsOf(int64_t ranks, const char* loss,
                          std::vector<std::vector<std::string>>* raw) {
  std::vector<Part> parts;
  for (int64_t r = 0; r < ranks; ++r) {
    Program program(7);
    Folder folder;
    raw->push_back(program.Run(r, ranks, &folder));
    Trace trace = folder.Snapshot(r, ranks);
    trace.meta.ranks = ranks;
    trace.meta.start_unix_ns = 100 * kSecond;
    trace.meta.complete_until_ns = 5 * kSecond;
    trace.meta.complete = false;
    trace.meta.losses[loss] = 1;
    parts.push_back({"part" + std::to_string(r), std::move(trace)});
  }
  return parts;
}

TEST(MergeParts, OfSessionsAreTheWholeRun) {
  std::vector<std::vector<std::string>> raw;
  const auto whole = MergeParts(PartsOf(5, kLossWithoutWorld, &raw));
  ASSERT_TRUE(whole.ok());
  EXPECT_TRUE(whole->meta.complete);
  EXPECT_TRUE(whole->meta.losses.empty());
  for (int64_t r = 0; r < 5; ++r) EXPECT_EQ(Read(*whole, r), raw[size_t(r)]);
}

TEST(MergeParts, OfACrashStayPartial) {
  std::vector<std::vector<std::string>> raw;
  const auto whole = MergeParts(PartsOf(3, "ended_without_finalize", &raw));
  ASSERT_TRUE(whole.ok());
  EXPECT_FALSE(whole->meta.complete);
  EXPECT_EQ(whole->meta.losses.at("ended_without_finalize"), 3u);
  EXPECT_EQ(whole->meta.complete_until_ns, 5 * kSecond);
}

TEST(MergeParts, RanksWithoutAPartAreCounted) {
  std::vector<std::vector<std::string>> raw;
  auto parts = PartsOf(4, kLossWithoutWorld, &raw);
  parts.erase(parts.begin() + 1);
  const auto most = MergeParts(std::move(parts));
  ASSERT_TRUE(most.ok());
  EXPECT_FALSE(most->meta.complete);
  EXPECT_EQ(most->meta.losses.at(kLossMissingRanks), 1u);
  EXPECT_EQ(Read(*most, 3), raw[3]);
}

void ExpectRefused(std::vector<Part> parts, const std::string& words) {
  const auto merged = MergeParts(std::move(parts));
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(merged.status().code(), StatusCode::kNo);
  EXPECT_NE(merged.status().message().find(words), std::string::npos)
      << merged.status().message();
}

TEST(MergeParts, OfSeveralRunsAreRefused) {
  std::vector<std::vector<std::string>> raw;
  const auto parts = PartsOf(3, kLossWithoutWorld, &raw);
  auto twice = parts;
  twice.push_back({"again", parts[1].trace});
  ExpectRefused(twice, "rank 1 stands in part1 and in again");
  auto other_size = parts;
  other_size[2].trace.meta.ranks = 4;
  ExpectRefused(other_size, "part0 is of 3 ranks, part2 of 4");
  auto later = parts;
  later[1].trace.meta.start_unix_ns = 107 * kSecond;
  ExpectRefused(later, "part0 had ended before part1 began");
}

}  // namespace
}  // namespace ranksight::reduction
