#include "replay_engine/schedule/site_path.h"

#include <execinfo.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace ranksight::replay_engine {
namespace {

using Path = std::vector<void*>;

// The return addresses of its caller, outermost first.
[[gnu::noinline]] void Unwind(void* out) {
  void* frames[64];
  const int n = backtrace(frames, 64);
  static_cast<Path*>(out)->assign(std::make_reverse_iterator(frames + n),
                                  std::make_reverse_iterator(frames));
}

std::vector<Path> PathsOf(uint32_t sites) {
  const SitePath site_path(sites);
  std::vector<Path> paths;
  for (uint32_t site = 0; site < sites; ++site) {
    Path path;
    site_path.Call(site, &Unwind, &path);
    paths.push_back(path);
  }
  return paths;
}

TEST(SitePath, EverySiteHasACallPathOfItsOwn) {
  for (const uint32_t sites : {1u, 16u, 17u, 300u, 5000u}) {
    const std::vector<Path> paths = PathsOf(sites);
    EXPECT_EQ(std::set<Path>(paths.begin(), paths.end()).size(), sites);
  }
}

TEST(SitePath, PathsAreInTheOrderOfSites) {
  const std::vector<Path> paths = PathsOf(1000);
  for (size_t i = 1; i < paths.size(); ++i) {
    EXPECT_LT(paths[i - 1], paths[i]) << i;
  }
}

TEST(SitePath, ASiteKeepsItsPath) {
  std::set<std::vector<Path>> seen;
  for (int round = 0; round < 2; ++round) seen.insert(PathsOf(40));
  EXPECT_EQ(seen.size(), 1u);
}

}  // namespace
}  // namespace ranksight::replay_engine
