#include "cli/symbols/nested_ranges.h"

#include <gtest/gtest.h>

#include <random>

namespace ranksight::cli {
namespace {

struct Span {
  uint64_t begin = 0, end = 0;
};

// The same as one walk for each address finds it.
class WalkedScopes {
 public:
  void AddScope(int parent) {
    parents_.push_back(parent);
    spans_.emplace_back();
  }
  void AddRange(uint64_t begin, uint64_t end) {
    spans_.back().push_back({begin, end});
  }

  int FindScope(uint64_t address) const {
    int found = NestedRanges::kNoScope;
    for (int scope = 0; scope < int(parents_.size()); ++scope) {
      if (HasAddress(scope, address) &&
          (found == NestedRanges::kNoScope || StandsIn(scope, found)))
        found = scope;
    }
    return found;
  }

 private:
  bool HasAddress(int scope, uint64_t address) const {
    for (const Span& span : spans_[size_t(scope)]) {
      if (address >= span.begin && address < span.end) return true;
    }
    return false;
  }

  bool StandsIn(int inner, int outer) const {
    while (inner != NestedRanges::kNoScope && inner != outer)
      inner = parents_[size_t(inner)];
    return inner == outer;
  }

  std::vector<int> parents_;
  std::vector<std::vector<Span>> spans_;
};

TEST(NestedRanges, WithoutScopesNoAddressIsInOne) {
  const NestedRanges ranges;
  EXPECT_EQ(ranges.FindScope(0), NestedRanges::kNoScope);
  EXPECT_EQ(ranges.FindScope(UINT64_MAX), NestedRanges::kNoScope);
}

TEST(NestedRanges, FindTheInnermostScopeUpToTheEndOfEach) {
  NestedRanges ranges;
  const int outer = ranges.AddScope(NestedRanges::kNoScope);
  ranges.AddRange(10, 50);
  const int inner = ranges.AddScope(outer);
  ranges.AddRange(20, 30);
  ranges.AddRange(40, 50);
  EXPECT_EQ(ranges.FindScope(9), NestedRanges::kNoScope);
  EXPECT_EQ(ranges.FindScope(10), outer);
  EXPECT_EQ(ranges.FindScope(29), inner);
  EXPECT_EQ(ranges.FindScope(30), outer);
  EXPECT_EQ(ranges.FindScope(49), inner);
  EXPECT_EQ(ranges.FindScope(50), NestedRanges::kNoScope);
  EXPECT_EQ(ranges.ParentOf(inner), outer);
}

// A procedure that another one contains has addresses of its own.
TEST(NestedRanges, AScopeMayStandOutsideItsParent) {
  NestedRanges ranges;
  const int host = ranges.AddScope(NestedRanges::kNoScope);
  ranges.AddRange(10, 20);
  const int contained = ranges.AddScope(host);
  ranges.AddRange(30, 40);
  EXPECT_EQ(ranges.FindScope(15), host);
  EXPECT_EQ(ranges.FindScope(35), contained);
  EXPECT_EQ(ranges.FindScope(25), NestedRanges::kNoScope);
}

TEST(NestedRanges, FindWhatAWalkForEachAddressFinds) {
  std::mt19937 random(20261130);
  for (int round = 0; round < 200; ++round) {
    NestedRanges ranges;
    WalkedScopes walked;
    std::vector<int> open = {NestedRanges::kNoScope};
    for (int i = 0; i < 40; ++i) {
      // Back out of any number of scopes, then one in.
      open.resize(open.size() - random() % open.size());
      const int scope = ranges.AddScope(open.back());
      walked.AddScope(open.back());
      open.push_back(scope);
      for (unsigned left = random() % 4; left > 0; --left) {
        const uint64_t begin = random() % 100, end = random() % 100;
        ranges.AddRange(begin, end);
        walked.AddRange(begin, end);
      }
    }
    for (uint64_t address = 0; address < 100; ++address)
      ASSERT_EQ(ranges.FindScope(address), walked.FindScope(address))
          << "round " << round << " address " << address;
  }
}

}  // namespace
}  // namespace ranksight::cli
