// epoch_cost FILE...: what merging costs the root rank of a recorded run, in
// thread CPU time. Every rank's events are folded again, with made-up times,
// and merged over the tree of radix 2; then
//   finalize  what the root does at the end: its own queue to a trace, every
//             child's bytes decoded and merged, brought to canonical form,
//             condensed, encoded for a file;
//   freeze    the copy of the queue at a cut (median);
//   slice     the longest slice of 100 us of what follows a cut.

#include <algorithm>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/condense.h"
#include "reduction/api/cursor.h"
#include "reduction/api/epoch.h"
#include "reduction/api/folder.h"
#include "reduction/api/merge.h"
#include "reduction/api/pause.h"
#include "reduction/tree/shape.h"
#include "runtime/capture/clock.h"
#include "runtime/epoch/fiber.h"
#include "tests/bench/cpu_time.h"

namespace ranksight::bench {
namespace {

using namespace reduction;
using runtime::Clock;
using runtime::Fiber;

constexpr int kRadix = 2;
constexpr uint64_t kSliceNs = 100000;
constexpr int kRounds = 21;

double CpuUs() { return CpuSeconds() * 1e6; }

void Refold(const Trace& trace, int64_t rank, Folder* folder) {
  for (const Module& m : trace.sites.modules) folder->AddModule(m);
  for (const CallSite& s : trace.sites.sites) folder->AddSite(s);
  std::mt19937 rng(uint32_t(rank) + 1);
  auto cursor = Cursor::Open(trace, rank);
  while (cursor.ok() && cursor->Next()) {
    folder->Push(cursor->event(), 500 + rng() % 5000, 200 + rng() % 1000);
  }
}

Trace MergeBelow(const Trace& whole, int64_t rank) {
  Folder folder;
  Refold(whole, rank, &folder);
  Trace mine = folder.Snapshot(rank, whole.meta.ranks);
  for (const TreeChild& c : ChildrenOf(rank, whole.meta.ranks, kRadix)) {
    (void)MergeInto(&mine, MergeBelow(whole, c.rank));
  }
  return mine;
}

using Messages = std::vector<std::vector<uint8_t>>;

Trace Unite(Trace mine, const Messages& children) {
  for (const auto& bytes : children) {
    auto theirs = Decode(bytes);
    if (theirs.ok()) (void)MergeInto(&mine, std::move(*theirs));
  }
  return mine;
}

double Median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + long(v.size() / 2), v.end());
  return v[v.size() / 2];
}

double LongestSliceUs(const Folder& root, const Trace& whole,
                      const Messages& children) {
  const auto frozen = root.Freeze();
  const auto fiber = Fiber::Make([&] {
    Trace all = Unite(frozen->ToTrace(0, whole.meta.ranks), children);
    (void)Encode(all, SketchForm::kQuantiles, Packing::kNone);
    Discard(std::move(all));
  });
  const uint64_t many = uint64_t{1} << 30;
  const uint64_t ticks =
      uint64_t(double(kSliceNs) * double(many) / double(Clock::ToNs(many)));
  double longest = 0;
  for (bool ended = false; !ended;) {
    const double start = CpuUs();
    ended = fiber->Run(Clock::Now() + ticks);
    longest = std::max(longest, CpuUs() - start);
  }
  return longest;
}

void Measure(const char* path) {
  const auto whole = ReadTraceFile(path);
  if (!whole.ok()) {
    std::fprintf(stderr, "%s\n", whole.status().message().c_str());
    return;
  }
  Folder root;
  Refold(*whole, 0, &root);
  Messages children;
  for (const TreeChild& c : ChildrenOf(0, whole->meta.ranks, kRadix)) {
    children.push_back(Encode(MergeBelow(*whole, c.rank), SketchForm::kFull));
  }
  std::vector<double> finalize, canonical, freeze, slice;
  size_t bytes = 0;
  for (int i = 0; i < kRounds; ++i) {
    double start = CpuUs();
    Trace all = Unite(root.Snapshot(0, whole->meta.ranks), children);
    const double merged = CpuUs();
    Canonicalize(&all);
    canonical.push_back(CpuUs() - merged);
    Condense(&all);
    bytes = Encode(all, SketchForm::kQuantiles).size();
    finalize.push_back(CpuUs() - start);
    start = CpuUs();
    const auto frozen = root.Freeze();
    freeze.push_back(CpuUs() - start);
    slice.push_back(LongestSliceUs(root, *whole, children));
  }
  std::printf(
      "%-28s %8zu bytes  finalize %7.2f ms, of it canonical form %.2f  "
      "freeze %6.1f us  slice %6.1f us\n",
      path, bytes, Median(finalize) / 1e3, Median(canonical) / 1e3,
      Median(freeze), Median(slice));
}

}  // namespace
}  // namespace ranksight::bench

int main(int argc, char** argv) {
  using ranksight::runtime::Clock;
  Clock::Choose("tsc");
  const timespec moment{0, 20000000};
  nanosleep(&moment, nullptr);
  Clock::Calibrate();
  for (int i = 1; i < argc; ++i) ranksight::bench::Measure(argv[i]);
  return 0;
}
