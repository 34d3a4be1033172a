// Pieces of work that do not depend on one another, on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace ranksight::online_model {

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
  for (size_t i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
}

}  // namespace ranksight::online_model
