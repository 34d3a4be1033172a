// A store with many programs and runs, to look at and to measure the page with:
//   many_programs STORE PROGRAMS RUNS
// RUNS in all, of each program in turn; on 4, 8, 16 and 32 ranks, with 2 %
// noise. Every fifth program becomes slower halfway, every other one has a call
// whose time grows with the ranks.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "online_model/api/store.h"
#include "reduction/api/codec.h"
#include "tests/unit/online_model/synthetic_run.h"

namespace {

using ranksight::reduction::Call;
using ranksight::reduction::Trace;

constexpr int64_t kRanks[] = {4, 8, 16, 32};
constexpr int kSites = 12;

Trace MakeRun(int program, int number, bool is_slower, std::mt19937* random) {
  std::normal_distribution<double> noise(1, 0.02);
  ranksight::testing::SyntheticRun run;
  run.program = "program_" + std::to_string(program);
  run.build_id = "b" + std::to_string(program);
  run.job = run.program + "-" + std::to_string(number);
  run.ranks = kRanks[size_t(number) % std::size(kRanks)];
  const double n = double(run.ranks);
  const double slower = is_slower ? 1.3 : 1;
  for (int site = 0; site < kSites; ++site) {
    const double work = 0.1 * (1 + site % 3) * (1 + program % 7);
    const double call = 1e-3 * (site == 0 && program % 2 == 0 ? n : 1);
    run.events.push_back({Call::MPI_Barrier_, uint64_t(site + 1) * 16,
                          slower * noise(*random) * work / n,
                          slower * noise(*random) * call, 50});
  }
  Trace trace = MakeTrace(run);
  trace.meta.launch.by = "slurm";
  trace.meta.launch.job_id = std::to_string(4000 + number);
  return trace;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int programs = std::atoi(argv[2]), runs = std::atoi(argv[3]);
  auto store = ranksight::online_model::Store::Open(argv[1]);
  if (!store.ok() || programs < 1) return 2;
  std::mt19937 random(1);
  for (int i = 0; i < runs; ++i) {
    const int program = i % programs, number = i / programs;
    const bool is_slower = program % 5 == 1 && i > runs / 2;
    const auto added = store->AddRun(ranksight::reduction::Encode(
        MakeRun(program, number, is_slower, &random),
        ranksight::reduction::SketchForm::kQuantiles));
    if (!added.ok()) {
      std::fprintf(stderr, "%s\n", added.status().message().c_str());
      return 1;
    }
  }
  return 0;
}
