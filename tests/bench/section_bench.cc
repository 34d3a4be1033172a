// Sections: one iteration is one appended value.
#include <benchmark/benchmark.h>

#include <random>

#include "reduction/api/section.h"

namespace ranksight::bench {
namespace {

using reduction::Section;

void AppendPeriodic(benchmark::State& state) {
  const int64_t period = state.range(0);
  Section section;
  int64_t i = 0;
  for (auto _ : state) {
    section.Append(i * i % 1009);
    i = i + 1 == period ? 0 : i + 1;
  }
  state.counters["terms"] = double(section.terms().size());
}
BENCHMARK(AppendPeriodic)->Arg(1)->Arg(4)->Arg(64);

void AppendRandom(benchmark::State& state) {
  std::mt19937_64 rng(1);
  Section section;
  for (auto _ : state) {
    section.Append(int64_t(rng() % 1000));
    if (section.size() == 20000) section = Section();
  }
}
BENCHMARK(AppendRandom);

}  // namespace
}  // namespace ranksight::bench
