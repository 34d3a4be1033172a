// Folding of streams that never repeat, or that repeat just enough to mislead:
// one item is one event. What an event costs must not grow with how many came
// before, so each stream runs at 10^4 to 10^7 events; `worst_ns` is the dearest
// stretch of 10,000 events of the last pass. As in the recorder, amounts become
// distributions where a rank has no more memory.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "reduction/api/folder.h"

namespace ranksight::bench {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Folder;
using reduction::Param;

uint64_t Mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

struct Choice {
  size_t site;
  int64_t count, peer, tag;
};

constexpr size_t kSites = 8;
constexpr int64_t kMany = 1000;

Choice OneRandomSize(uint64_t i) { return {0, int64_t(Mix(i) % kMany), 1, 0}; }
Choice OneRandomBit(uint64_t i) { return {0, int64_t(Mix(i) % 2), 1, 0}; }
Choice RandomSizesInOrder(uint64_t i) {
  return {i % kSites, int64_t(Mix(i) % kMany), 1, 0};
}
Choice RandomOrder(uint64_t i) { return {Mix(i) % kSites, 8, 1, 0}; }
Choice RandomAll(uint64_t i) {
  const uint64_t m = Mix(i);
  return {m % kSites, int64_t(m >> 8) % kMany, int64_t(m >> 24) % 4,
          int64_t(m >> 32) % 5};
}
// 1, 1 2, 1 2 3, ...: repetitions that end before they have a form.
Choice Staircase(uint64_t i) {
  const auto stair = uint64_t((std::sqrt(8.0 * double(i) + 1) - 1) / 2);
  return {0, int64_t(i - stair * (stair + 1) / 2), 1, 0};
}
// No block stands twice in a row for long, blocks that nearly do everywhere.
Choice Ruler(uint64_t i) { return {0, std::countr_zero(i + 1), 1, 0}; }
Choice ThueMorse(uint64_t i) { return {0, std::popcount(i) % 2, 1, 0}; }
Choice Fibonacci(uint64_t i) {
  constexpr double kGolden = 1.6180339887498949;
  const auto below = [](uint64_t n) { return uint64_t(double(n) / kGolden); };
  return {0, int64_t(below(i + 2) - below(i + 1)), 1, 0};
}
// A block of 500 that is broken off at a place of its own each time.
Choice BrokenBlocks(uint64_t i) {
  constexpr uint64_t kBlock = 500;
  const uint64_t at = i % kBlock;
  const bool breaks = at == Mix(i / kBlock) % kBlock;
  return {0, breaks ? -1 : int64_t(at * at % 97), 1, 0};
}
Choice LoopsOfRandomLength(uint64_t i) {
  return {Mix(i) % 5 == 0 ? size_t{1} : size_t{0}, 8, 1, 0};
}

double Now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e9 + double(t.tv_nsec);
}

void Fold(benchmark::State& state, Choice (*stream)(uint64_t)) {
  constexpr uint64_t kStretch = 10'000;
  constexpr uint64_t kBudget = uint64_t{32} << 20;
  const auto events = uint64_t(state.range(0));
  double worst = 0;
  uint64_t bytes = 0, pushed = 0;
  for (auto _ : state) {
    Folder folder;
    const uint32_t module = folder.AddModule({"00", "streams"});
    std::vector<Event> calls;
    for (size_t k = 0; k < kSites; ++k) {
      calls.emplace_back(Call::MPI_Send_);
      for (const int64_t v : {1, 1, 8, 0, 1, 0, 0}) calls.back().Add(v);
      calls.back().site = folder.AddSite({{{module, k}}});
    }
    worst = 0;
    for (uint64_t i = 0; i < events;) {
      const double before = Now();
      for (const uint64_t end = std::min(events, i + kStretch); i < end; ++i) {
        const Choice choice = stream(i);
        Event& event = calls[choice.site];
        event.MutableValues()[0] = choice.count;
        event.MutableValues()[4] = choice.peer;
        event.MutableValues()[5] = choice.tag;
        folder.Push(event, Mix(i) % 1000, Mix(i + 1) % 1000);
      }
      worst = std::max(worst, (Now() - before) / double(kStretch));
      pushed = i;
      bytes = folder.memory_bytes();
      if (bytes > kBudget && folder.SpareMemory() == 0) break;
    }
    folder.CatchUp();
  }
  state.SetItemsProcessed(int64_t(pushed) * state.iterations());
  state.counters["worst_ns"] = worst;
  state.counters["events"] = double(pushed);
  state.counters["bytes"] = double(bytes);
  state.counters["ns"] = benchmark::Counter(
      double(pushed) * double(state.iterations()),
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

#define RANKSIGHT_STREAM(name)        \
  BENCHMARK_CAPTURE(Fold, name, name) \
      ->RangeMultiplier(10)           \
      ->Range(10'000, 10'000'000)     \
      ->Unit(benchmark::kMillisecond)
RANKSIGHT_STREAM(OneRandomSize);
RANKSIGHT_STREAM(OneRandomBit);
RANKSIGHT_STREAM(RandomSizesInOrder);
RANKSIGHT_STREAM(RandomOrder);
RANKSIGHT_STREAM(RandomAll);
RANKSIGHT_STREAM(Staircase);
RANKSIGHT_STREAM(Ruler);
RANKSIGHT_STREAM(ThueMorse);
RANKSIGHT_STREAM(Fibonacci);
RANKSIGHT_STREAM(BrokenBlocks);
RANKSIGHT_STREAM(LoopsOfRandomLength);

}  // namespace
}  // namespace ranksight::bench
