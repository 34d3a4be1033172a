// merge_scale [SIDE]: what merging costs without MPI, in thread CPU time.
//   equal      two traces of 1,000 sends on 32 ranks each that differ in
//              nothing but the ranks, united (median of 101)
//   ranks      SIDE x SIDE (256 x 256) ranks' queues of a periodic stencil,
//              merged over a binary tree, and the peak of memory
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/folder.h"
#include "reduction/api/merge.h"
#include "tests/bench/cpu_time.h"
#include "tests/bench/stencil_ranks.h"

namespace ranksight::bench {
namespace {

using namespace reduction;

constexpr int kEvents = 1000;
constexpr int kSteps = 20;

double CpuMs() { return CpuSeconds() * 1e3; }

Trace Sends(int64_t rank) {
  Folder folder;
  const uint32_t module = folder.AddModule({"ab", "app"});
  Event event;
  for (int i = 0; i < kEvents; ++i) {
    const CallSite site{{{module, uint64_t(64 * i)}}};
    event.Reset(Call::MPI_Send_);
    for (const Param p : Info(event.call()).params) {
      event.Add(p == Param::kPeer ? rank + 1 : p == Param::kCount ? 8 : 1);
    }
    event.site = folder.AddSite(site);
    folder.Push(event, 700, 300);
  }
  return folder.Snapshot(rank, 64);
}

template <class Make>
Trace MergeRange(int64_t low, int64_t high, const Make& make, double* cpu) {
  if (high - low == 1) return make(low);
  const int64_t middle = low + (high - low) / 2;
  Trace a = MergeRange(low, middle, make, cpu);
  Trace b = MergeRange(middle, high, make, cpu);
  const double start = CpuMs();
  (void)MergeInto(&a, std::move(b));
  *cpu += CpuMs() - start;
  return a;
}

void Equal() {
  double ignored = 0;
  const Trace low = MergeRange(0, 32, Sends, &ignored);
  const Trace high = MergeRange(32, 64, Sends, &ignored);
  std::vector<double> ms;
  for (int i = 0; i < 101; ++i) {
    Trace a = low, b = high;
    const double start = CpuMs();
    (void)MergeInto(&a, std::move(b));
    ms.push_back(CpuMs() - start);
  }
  std::nth_element(ms.begin(), ms.begin() + 50, ms.end());
  std::printf("equal  %d events  %.3f ms\n", kEvents, ms[50]);
}

void Ranks(int64_t side) {
  const double start = CpuMs();
  double merging = 0;
  const Trace all = MergeRange(
      0, side * side,
      [side](int64_t rank) { return FoldRank(rank, side, kSteps); }, &merging);
  const double total = CpuMs() - start;
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  std::printf(
      "ranks  %lld  merging %.2f s  with folding %.2f s  %ld MiB  %zu "
      "bytes\n",
      static_cast<long long>(side * side), merging / 1e3, total / 1e3,
      usage.ru_maxrss / 1024, Encode(all, SketchForm::kQuantiles).size());
}

}  // namespace
}  // namespace ranksight::bench

int main(int argc, char** argv) {
  ranksight::bench::Equal();
  ranksight::bench::Ranks(argc > 1 ? std::atoll(argv[1]) : 256);
  return 0;
}
