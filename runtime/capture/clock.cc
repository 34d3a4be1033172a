#include "runtime/capture/clock.h"

#include <mpi.h>
#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <cmath>

namespace ranksight::runtime {
namespace {

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
#else
bool CounterIsInvariant() { return false; }
#endif

}  // namespace

void Clock::Choose(const std::string& name) {
  source_ = name == "wtime"        ? Source::kWtime
            : name == "monotonic"  ? Source::kMonotonic
            : CounterIsInvariant() ? Source::kTsc
                                   : Source::kMonotonic;
  tick_ns_ = 1;
  ns_scaled_ = uint64_t{1} << kScale;
  // A simulator's clock may cost simulated time.
  if (source_ == Source::kWtime) return;
  if (source_ == Source::kTsc) {
    // A short first estimate; Calibrate has the length of the run to do
    // better.
    start_ns = Monotonic();
    start_ticks = Now();
    while (Monotonic() - start_ns < 200000) {
    }
    Calibrate();
  }
  reading_ticks_ = INT64_MAX;
  for (int i = 0; i < 100; ++i) {
    const uint64_t before = Now();
    reading_ticks_ = std::min(reading_ticks_, int64_t(Now() - before));
  }
}

void Clock::Calibrate() {
  if (source_ != Source::kTsc) return;
  const uint64_t ticks = Now() - start_ticks;
  const uint64_t ns = Monotonic() - start_ns;
  if (ticks == 0 || ns == 0) return;
  tick_ns_ = double(ns) / double(ticks);
  ns_scaled_ = uint64_t(std::ldexp(tick_ns_, kScale));
}

uint64_t Clock::NowSlowly() {
  return source_ == Source::kWtime ? uint64_t(PMPI_Wtime() * 1e9) : Monotonic();
}

}  // namespace ranksight::runtime
