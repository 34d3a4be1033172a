#include "runtime/capture/call_path.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "reduction/api/folder.h"

namespace ranksight::runtime {
namespace {

// One for all tests, as a process has one: threads remember its sites.
CallPaths* const paths = new CallPaths;
reduction::Folder* const folder = new reduction::Folder;

// Stands for a wrapper.
[[gnu::noinline]] uint32_t Wrapper() {
  const uint32_t site = paths
                            ->Find(__builtin_return_address(0),
                                   __builtin_frame_address(0), folder)
                            .site;
  asm volatile("" ::: "memory");
  return site;
}

[[gnu::noinline]] uint32_t Helper() {
  const uint32_t site = Wrapper();
  asm volatile("" ::: "memory");
  return site;
}

[[gnu::noinline]] uint32_t OneCaller() {
  const uint32_t site = Helper();
  asm volatile("" ::: "memory");
  return site;
}

[[gnu::noinline]] uint32_t OtherCaller() {
  const uint32_t site = Helper();
  asm volatile("" ::: "memory");
  return site;
}

// Depth 0 calls the wrapper.
[[gnu::noinline]] uint32_t Recurse(int depth) {
  const uint32_t site = depth == 0 ? Wrapper() : Recurse(depth - 1);
  asm volatile("" ::: "memory");
  return site;
}

TEST(CallPath, StaysTheSameInALoop) {
  std::set<uint32_t> sites;
  for (int i = 0; i < 100; ++i) sites.insert(OneCaller());
  EXPECT_EQ(sites.size(), 1u);
}

// The immediate caller and the place on the stack are the same for both, so
// only the addresses further out tell them apart.
TEST(CallPath, IsToldApartByCallersFurtherOut) {
  std::set<uint32_t> one, other;
  for (int i = 0; i < 100; ++i) {
    one.insert(OneCaller());
    other.insert(OtherCaller());
  }
  EXPECT_EQ(one.size(), 1u);
  EXPECT_EQ(other.size(), 1u);
  EXPECT_NE(*one.begin(), *other.begin());
}

TEST(CallPath, IsToldApartByDepthOfRecursion) {
  std::set<uint32_t> sites;
  // Not known to the compiler, which would make two calls of the loop.
  const volatile int rounds = 2;
  for (int round = 0; round < rounds; ++round) {
    for (int depth = 0; depth < 10; ++depth) sites.insert(Recurse(depth));
  }
  EXPECT_EQ(sites.size(), 10u);
}

TEST(CallPath, NamesTheExecutableButNotTheLibraryThatStartedIt) {
  const uint32_t site = OneCaller();
  const auto sites = folder->Snapshot(0, 1).sites;
  ASSERT_LT(site, sites.sites.size());
  EXPECT_GE(sites.sites[site].frames.size(), 3u);
  for (const auto& module : sites.modules) {
    EXPECT_EQ(module.name.rfind("libc", 0), std::string::npos) << module.name;
  }
  EXPECT_EQ(paths->modules().Executable().name, "runtime_unit_tests");
}

}  // namespace
}  // namespace ranksight::runtime
