// What a Kokkos program begins and ends, held against a list of what is open.
#include "adapters/kokkos_tools/open_regions.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace {

// What the runtime was told: +name, -name.
std::vector<std::string>& Told() {
  static std::vector<std::string> told;
  return told;
}

}  // namespace

extern "C" [[gnu::visibility("default")]] void ranksight_region_begin(
    const char* name) {
  Told().push_back(std::string("+") + name);
}
extern "C" [[gnu::visibility("default")]] void ranksight_region_end(
    const char* name) {
  Told().push_back(std::string("-") + name);
}

namespace ranksight::kokkos_tools {
namespace {

struct OpenEntry {
  Kind kind;
  uint64_t id;
  std::string name;
};

class OpenRegionsTest : public testing::Test {
 protected:
  OpenRegionsTest() {
    Told().clear();
    regions_.Connect();
  }
  // Ends what is open from that place on, innermost first.
  void ExpectEndFrom(size_t place) {
    for (; open_.size() > place; open_.pop_back()) {
      expected_.push_back("-" + open_.back().name);
    }
  }
  OpenRegions regions_;
  std::vector<OpenEntry> open_;
  std::vector<std::string> expected_;
};

TEST_F(OpenRegionsTest, EndWhatWasBegunInsideThem) {
  std::mt19937 random(1);
  constexpr Kind kKinds[] = {Kind::kRegion, Kind::kKernel, Kind::kDeepCopy,
                             Kind::kFence};
  for (int step = 0; step < 5000; ++step) {
    const Kind kind = kKinds[random() % 4];
    const uint32_t way = random() % 8;
    if (way < 4) {
      // Few names, so that namesakes nest.
      const std::string name(1, char('a' + random() % 3));
      const uint64_t id = regions_.Begin(kind, way == 0 ? "" : "for", name);
      ASSERT_NE(id, 0u);
      for (const OpenEntry& entry : open_) ASSERT_NE(id, entry.id);
      open_.push_back({kind, id, way == 0 ? name : "for " + name});
      expected_.push_back("+" + open_.back().name);
    } else if (way < 6) {
      // Sometimes one that is not open any more.
      const uint64_t id = open_.empty() || random() % 8 == 0
                              ? 1
                              : open_[random() % open_.size()].id;
      regions_.End(id);
      for (size_t i = 0; i < open_.size(); ++i) {
        if (open_[i].id == id) ExpectEndFrom(i);
      }
    } else {
      regions_.EndLast(kind);
      for (size_t i = open_.size(); i-- > 0;) {
        if (open_[i].kind != kind) continue;
        ExpectEndFrom(i);
        break;
      }
    }
    ASSERT_EQ(Told(), expected_);
  }
  regions_.EndAll();
  ExpectEndFrom(0);
  EXPECT_EQ(Told(), expected_);
}

TEST_F(OpenRegionsTest, APrefixAloneIsTheName) {
  regions_.Begin(Kind::kFence, "fence", "");
  regions_.EndAll();
  EXPECT_EQ(Told(), (std::vector<std::string>{"+fence", "-fence"}));
}

TEST(OpenRegions, WithoutTheRuntimeNothingIsBegun) {
  Told().clear();
  OpenRegions regions;
  EXPECT_EQ(regions.Begin(Kind::kRegion, "", "a"), 0u);
  regions.End(0);
  regions.EndLast(Kind::kRegion);
  regions.EndAll();
  EXPECT_TRUE(Told().empty());
}

}  // namespace
}  // namespace ranksight::kokkos_tools
