// Pieces of work that do not depend on one another, on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace ranksight::reduction {

// Calls f(i) for each i below n, once, from several threads at a time; what f
// gives must not depend on their order. Returns when all are done.
template <class F>
void InParallel(size_t n, const F& f) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < n; i = next++) f(i);
  };
  const size_t threads =
      std::min<size_t>(n, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> others;
  // Where no more threads start, those that did do the rest.
  try {
    for (size_t i = 1; i < threads; ++i) others.emplace_back(work);
  } catch (const std::system_error&) {
  }
  work();
  for (std::thread& thread : others) thread.join();
}

}  // namespace ranksight::reduction
