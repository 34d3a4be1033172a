// Time by RANKSIGHT_CLOCK: the time-stamp counter (default where it is
// invariant), CLOCK_MONOTONIC, or MPI_Wtime for simulators.
// Thread-safety: Choose before any thread calls the others.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ranksight::runtime {

class Clock {
 public:
  // name: "tsc", "monotonic", "wtime"; anything else is the default.
  static void Choose(const std::string& name);
  // The counter's rate is measured between Choose and Calibrate; the longer
  // that is, the better.
  static void Calibrate();
  // Ticks since an arbitrary start.
  static uint64_t Now() {
#if defined(__x86_64__)
    if (source_ == Source::kTsc) return __rdtsc();
#endif
    return NowSlowly();
  }
  // The same, read after all that came before has been seen to happen.
  static uint64_t NowInOrder() {
#if defined(__x86_64__)
    unsigned processor = 0;
    if (source_ == Source::kTsc) return __rdtscp(&processor);
#endif
    return NowSlowly();
  }
  static bool IsWtime() { return source_ == Source::kWtime; }
  // What a wrapper reads first: the time as of Now, where it is got without a
  // call, so that the wrapper need not keep its arguments. Where IsCounter is
  // false it means nothing.
  static uint64_t Counter() {
#if defined(__x86_64__)
    return __rdtsc();
#else
    return Now();
#endif
  }
  static bool IsCounter() {
#if defined(__x86_64__)
    return source_ == Source::kTsc;
#else
    return true;
#endif
  }
  // The time at a counter just read.
  static uint64_t AtCounter(uint64_t counter) {
    return IsCounter() ? counter : NowSlowly();
  }
  // Nanoseconds in a difference of ticks. A difference below zero (another
  // socket's counter, a suspended machine) is no time at all.
  static uint64_t ToNs(int64_t ticks) {
    // No branch: what was taken off leaves about nothing, above or below.
    const auto some = uint64_t(ticks & ~(ticks >> 63));
    const auto scaled = static_cast<unsigned __int128>(some) *
                        ns_scaled_.load(std::memory_order_relaxed);
    return static_cast<uint64_t>(scaled >> kScale);
  }
  // Nanoseconds in a tick.
  static double TickNs() { return tick_ns_.load(std::memory_order_relaxed); }
  // What reading the clock takes, in ticks, at least.
  static int64_t ReadingTicks() { return reading_ticks_; }

 private:
  enum class Source { kTsc, kMonotonic, kWtime };
  static constexpr int kScale = 32;
  static uint64_t NowSlowly();
  static inline Source source_ = Source::kMonotonic;
  // Nanoseconds in 2^kScale ticks.
  static inline std::atomic<uint64_t> ns_scaled_ = uint64_t{1} << kScale;
  static inline std::atomic<double> tick_ns_ = 1;
  static inline int64_t reading_ticks_ = 0;
};

}  // namespace ranksight::runtime
