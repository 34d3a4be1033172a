// Work on threads of the C++ library, and adding where others add.
#pragma once

#include <atomic>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

namespace ranksight::bgq_support {

struct AtomicAdd {
  void operator()(uint64_t* to, uint64_t value) const {
    std::atomic_ref<uint64_t>(*to).fetch_add(value, std::memory_order_relaxed);
  }
};

// Runs body(i) for all i < count, on as many threads where so many start; this
// one does the share of those that do not.
template <class Body>
void OnThreads(unsigned count, const Body& body) {
  std::vector<std::thread> others;
  others.reserve(count);
  unsigned started = 1;
  try {
    for (; started < count; ++started) others.emplace_back(body, started);
  } catch (const std::system_error&) {
  }
  body(0u);
  for (unsigned i = started; i < count; ++i) body(i);
  for (std::thread& t : others) t.join();
}

// How many threads so many pieces are worth: starting one costs about what 16
// pieces cost.
unsigned UsefulThreads(size_t pieces);

}  // namespace ranksight::bgq_support
