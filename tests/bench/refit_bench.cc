// What a new run costs the side-car's models: taking it in, and the refit and
// forecast that follow, in thread CPU time, when few and when many runs came
// before.   refit_bench [EVENTS SIZES FEW MANY]
// An event has three series: computation, time in the call, occurrences.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "online_model/api/forecast.h"
#include "tests/bench/cpu_time.h"
#include "tests/unit/online_model/synthetic_run.h"

namespace {

using ranksight::bench::CpuSeconds;
using ranksight::online_model::Forecaster;

constexpr int kRounds = 9;

// Runs of every size, with 2 % noise, to be added in turn.
std::vector<ranksight::reduction::Trace> MakeRuns(int events, int sizes,
                                                  uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(1, 0.02);
  std::vector<ranksight::reduction::Trace> runs;
  for (int i = 0; i < sizes; ++i) {
    ranksight::testing::SyntheticRun run;
    run.ranks = int64_t{2} << i;
    for (int e = 0; e < events; ++e) {
      run.events.push_back(
          {ranksight::reduction::Call::MPI_Barrier_, uint64_t(e),
           noise(random) * 1e-3 * double(e % 7 + 1) / double(run.ranks),
           noise(random) * 1e-5 * double(e % 5 + 1), 2});
    }
    runs.push_back(MakeTrace(run));
  }
  return runs;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const int events = argc > 1 ? std::atoi(argv[1]) : 3334;
  const int sizes = argc > 2 ? std::atoi(argv[2]) : 8;
  const int before[] = {argc > 3 ? std::atoi(argv[3]) : 10,
                        argc > 4 ? std::atoi(argv[4]) : 10000};
  const auto runs = MakeRuns(events, sizes, 1);
  const auto others = MakeRuns(events, sizes, 2);
  Forecaster forecaster;
  int added = 0;
  for (const int many : before) {
    for (; added < many; ++added) {
      const auto& from = added % 2 == 0 ? runs : others;
      if (!forecaster.AddRun(from[size_t(added % sizes)]).ok()) return 1;
    }
    std::vector<double> adding, refitting;
    const std::vector<int64_t> asked = {int64_t{8} << sizes};
    for (int i = 0; i < kRounds; ++i, ++added) {
      const double start = CpuSeconds();
      if (!forecaster.AddRun(runs[size_t(added % sizes)]).ok()) return 1;
      const double between = CpuSeconds();
      if (forecaster.At(asked).points[0].refused) return 1;
      adding.push_back(between - start);
      refitting.push_back(CpuSeconds() - between);
    }
    std::printf(
        "%d series at %d sizes, %d runs before: a run taken in %.1f ms, "
        "refitted and forecast in %.1f ms\n",
        3 * events, sizes, many, 1e3 * Median(adding), 1e3 * Median(refitting));
  }
  return 0;
}
