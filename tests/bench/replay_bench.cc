// The replay engine's own cost: one iteration walks rank 0's part of a
// stencil's trace with a backend that does nothing. ns/event is the figure.
#include <benchmark/benchmark.h>

#include "replay_engine/api/replay.h"
#include "tests/bench/stencil_ranks.h"

namespace ranksight::bench {
namespace {

class NoBackend : public replay_engine::Backend {
 public:
  reduction::Status Perform(const replay_engine::Operation& o) override {
    benchmark::DoNotOptimize(o.requests.data());
    return reduction::Status::Ok();
  }
  reduction::Status Finish() override { return reduction::Status::Ok(); }
};

void WalkAndResolve(benchmark::State& state) {
  const reduction::Trace trace = FoldRank(0, 8, 1000);
  replay_engine::ReplayOptions options;
  options.compute = state.range(0) != 0;
  options.compute_scale = 0;  // drawn, but never waited for
  const auto clock = replay_engine::MakeClock(replay_engine::Waiting::kSpin);
  NoBackend backend;
  uint64_t events = 0;
  for (auto _ : state) {
    replay_engine::RankReport report;
    const reduction::Status status =
        replay_engine::Replay(trace, 0, options, backend, *clock, &report);
    if (!status.ok()) state.SkipWithError(status.message().c_str());
    events += report.events;
  }
  state.counters["ns/event"] = benchmark::Counter(
      static_cast<double>(events) * 1e-9,
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(WalkAndResolve)->Arg(0)->Arg(1);

}  // namespace
}  // namespace ranksight::bench
