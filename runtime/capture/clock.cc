#include "runtime/capture/clock.h"

#include <mpi.h>
#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace ranksight::runtime {
namespace {

enum class Source { kTsc, kMonotonic, kWtime };
Source source = Source::kMonotonic;
double ns_per_tick = 1;
uint64_t start_ticks = 0;
uint64_t start_ns = 0;

uint64_t Monotonic() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return uint64_t(t.tv_sec) * 1000000000u + uint64_t(t.tv_nsec);
}

#if defined(__x86_64__)
bool CounterIsInvariant() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007u, &a, &b, &c, &d) != 0 && (d & 256u) != 0;
}
uint64_t Counter() { return __rdtsc(); }
#else
bool CounterIsInvariant() { return false; }
uint64_t Counter() { return Monotonic(); }
#endif

}  // namespace

void Clock::Choose(const std::string& name) {
  source = name == "wtime"        ? Source::kWtime
           : name == "monotonic"  ? Source::kMonotonic
           : CounterIsInvariant() ? Source::kTsc
                                  : Source::kMonotonic;
  if (source != Source::kTsc) return;
  // A short first estimate; Calibrate has the length of the run to do better.
  start_ns = Monotonic();
  start_ticks = Counter();
  while (Monotonic() - start_ns < 200000) {
  }
  Calibrate();
}

void Clock::Calibrate() {
  if (source != Source::kTsc) return;
  const uint64_t ticks = Counter() - start_ticks;
  const uint64_t ns = Monotonic() - start_ns;
  if (ticks > 0 && ns > 0) ns_per_tick = double(ns) / double(ticks);
}

uint64_t Clock::Now() {
  switch (source) {
    case Source::kTsc:
      return Counter();
    case Source::kWtime:
      return uint64_t(PMPI_Wtime() * 1e9);
    default:
      return Monotonic();
  }
}

uint64_t Clock::ToNs(uint64_t ticks) {
  // A counter that went back (another socket, a suspended machine) is no
  // time at all.
  if (int64_t(ticks) < 0) return 0;
  return source == Source::kTsc ? uint64_t(double(ticks) * ns_per_tick) : ticks;
}

}  // namespace ranksight::runtime
