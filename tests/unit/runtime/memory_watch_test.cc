#include "runtime/capture/memory_watch.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

namespace ranksight::runtime {
namespace {

constexpr uint64_t kMib = uint64_t{1} << 20;
constexpr int64_t kPeriod = reduction::MemoryTimeline::kShortestNs;

// Text as Linux 6.1 has it.
TEST(Resident, StatusSaysWhatThereIsAndWasAtMost) {
  const auto r = ParseStatus(
      "Name:\tVmRSS: 1\nVmPeak:\t  999 kB\nVmHWM:\t    3000 kB\n"
      "VmRSS:\t    2000 kB\nRssAnon:\t  500 kB\nRssFile:\t  1400 kB\n"
      "RssShmem:\t   100 kB\n");
  ASSERT_TRUE(r);
  EXPECT_EQ(r->all_bytes, 2000u * 1024);
  EXPECT_EQ(r->most_bytes, 3000u * 1024);
  EXPECT_EQ(r->file_bytes, 1400u * 1024);
  EXPECT_EQ(r->shared_bytes, 100u * 1024);
}

TEST(Resident, WhatTheSystemDoesNotSayIsUnknown) {
  EXPECT_FALSE(ParseStatus(""));
  EXPECT_FALSE(ParseStatus("VmRSS:\tmany kB\n"));
  EXPECT_FALSE(ParseStatus("VmRSS:\t99999999999999999999 kB\n"));
  EXPECT_FALSE(ParseStatm("", 4096));
  EXPECT_FALSE(ParseStatm("12", 4096));
  EXPECT_EQ(ParseStatm("12 3 1 1 0 2 0\n", 4096), 3u * 4096);
}

TEST(Resident, TouchedPagesAreSeenAndErrnoStays) {
  constexpr size_t kBytes = 64 * kMib;
  const auto before = ReadResidentBytes();
  void* block = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  std::memset(block, 1, kBytes);
  errno = 77;
  const auto after = ReadResidentBytes();
  EXPECT_EQ(errno, 77);
  munmap(block, kBytes);
  const auto end = ReadResident();
  ASSERT_TRUE(before && after && end);
  // Kernels count in steps of some pages.
  EXPECT_NEAR(double(*after - *before), double(kBytes), double(kMib));
  EXPECT_GE(end->most_bytes + kMib, *before + kBytes);
  EXPECT_LT(end->all_bytes, end->most_bytes);
}

TEST(MemoryWatch, WhatIsOursIsTakenOff) {
  MemoryWatch watch;
  watch.Start(10 * kMib, {kMib, kMib});
  const auto m = watch.Finish(Resident{30 * kMib, 40 * kMib, 5 * kMib, kMib},
                              {kMib, 3 * kMib});
  EXPECT_EQ(m.start.Mean(), double(8 * kMib));
  EXPECT_EQ(m.end.Mean(), double(26 * kMib));
  EXPECT_EQ(m.files.Mean(), double(4 * kMib));
  EXPECT_EQ(m.shared.Mean(), double(kMib));
  EXPECT_EQ(m.own.Mean(), double(4 * kMib));
  EXPECT_EQ(m.unknown, 0u);
}

// The recording that grew after the peak was not there then.
TEST(MemoryWatch, ThePeakLacksWhatWasOursThen) {
  MemoryWatch watch;
  watch.Start(10 * kMib, {0, kMib});
  watch.Sample(kPeriod, 90 * kMib, {0, 2 * kMib});
  watch.Sample(2 * kPeriod, 30 * kMib, {0, 20 * kMib});
  const auto m =
      watch.Finish(Resident{30 * kMib, 100 * kMib, 0, 0}, {0, 20 * kMib});
  EXPECT_EQ(m.peak.Mean(), double(98 * kMib));
  EXPECT_EQ(m.along.periods()[1].max_kib, 88 * 1024u);
}

TEST(MemoryWatch, ARankOfWhichNothingIsKnownIsCounted) {
  MemoryWatch watch;
  watch.Start(std::nullopt, {});
  watch.Sample(kPeriod, std::nullopt, {});
  const auto m = watch.Finish(std::nullopt, {});
  EXPECT_EQ(m.unknown, 1u);
  EXPECT_FALSE(m.IsKnown());
  EXPECT_TRUE(m.along.periods().empty());
}

TEST(MemoryWatch, SamplesBecomeRarerAsTheRunGoesOn) {
  MemoryWatch watch;
  int samples = 0;
  constexpr int64_t kHour = 3'600'000'000'000;
  for (int64_t now = 0; now < kHour; now = watch.next_ns()) {
    watch.Sample(now, kMib, {});
    ++samples;
  }
  EXPECT_LT(samples, 400);
  EXPECT_GT(samples, 16);
}

}  // namespace
}  // namespace ranksight::runtime
