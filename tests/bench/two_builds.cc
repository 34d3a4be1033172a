// A store with two builds of one program, to decide something from:
//   two_builds STORE [STEPS]
// On 16, 32, 64 and 128 ranks, 8 on each node, twice each. Ranks share the work
// of a step, exchange with their neighbours in a ring and reduce; the
// reduction's time grows with the logarithm of the ranks. Rank 0 sends most, to
// the rank half way round. The second build computes 1.2 times as long.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "online_model/api/store.h"
#include "reduction/api/codec.h"
#include "reduction/api/folder.h"
#include "reduction/api/merge.h"

namespace {

using namespace ranksight::reduction;

constexpr int64_t kRanks[] = {16, 32, 64, 128};
constexpr int64_t kRanksPerNode = 8;
constexpr int kRepeats = 2;

using Values = std::vector<std::pair<Param, int64_t>>;

class Rank {
 public:
  Rank(int64_t rank, const std::string& build) : rank_(rank) {
    module_ = folder_.AddModule({build, "solver"});
  }
  void Call(Call call, uint64_t line, const Values& values, double compute_ns,
            double call_ns) {
    Event event(call);
    for (const Param param : Info(call).params) {
      int64_t value = 0;
      for (const auto& [name, given] : values) {
        if (name == param) value = given;
      }
      if (ranksight::reduction::IsArray(param)) {
        event.AddArray({});
      } else {
        event.Add(value);
      }
    }
    event.site = folder_.AddSite({{{module_, 16 * line}}});
    folder_.Push(event, uint64_t(compute_ns), uint64_t(call_ns));
    elapsed_ns_ += compute_ns + call_ns;
  }
  Trace Done(int64_t ranks) {
    Trace trace = folder_.Snapshot(rank_, ranks);
    trace.meta.elapsed.Add(elapsed_ns_);
    return trace;
  }

 private:
  Folder folder_;
  int64_t rank_;
  uint32_t module_ = 0;
  double elapsed_ns_ = 0;
};

Values Message(int64_t to, int64_t bytes) {
  return {{Param::kPeer, to}, {Param::kCount, bytes}, {Param::kTypeSize, 1}};
}

struct Build {
  std::string id;
  double slower;
  int steps;
};

Trace RunRank(int64_t rank, int64_t ranks, const Build& build,
              std::mt19937* random) {
  std::normal_distribution<double> noise(1, 0.01);
  const double n = double(ranks);
  Rank run(rank, build.id);
  for (int step = 0; step < build.steps; ++step) {
    Values exchange = Message((rank + 1) % ranks, 8192);
    exchange.push_back({Param::kRecvPeer, (rank + ranks - 1) % ranks});
    exchange.push_back({Param::kRecvCount, 8192});
    exchange.push_back({Param::kRecvTypeSize, 1});
    run.Call(Call::MPI_Sendrecv_, 1, exchange,
             build.slower * 2e8 / n * noise(*random), 2e4 * noise(*random));
    if (rank == 0) {
      run.Call(Call::MPI_Send_, 2, Message(ranks / 2, 65536), 100, 2e4);
    }
    if (rank == ranks / 2) {
      run.Call(Call::MPI_Recv_, 3, Message(0, 65536), 100, 2e4);
    }
    run.Call(Call::MPI_Allreduce_, 4, {{Param::kCount, 1}}, 1e3,
             3e4 * std::log2(n) * noise(*random));
  }
  return run.Done(ranks);
}

Trace MakeRun(int64_t ranks, const Build& build, std::mt19937* random) {
  Trace all = RunRank(0, ranks, build, random);
  for (int64_t rank = 1; rank < ranks; ++rank) {
    if (!MergeInto(&all, RunRank(rank, ranks, build, random)).ok()) {
      return {};
    }
  }
  all.meta.program = "solver";
  all.meta.build_id = build.id;
  all.meta.ranks = ranks;
  all.meta.complete_until_ns = int64_t(all.meta.elapsed.max);
  all.meta.launch.by = "slurm";
  all.meta.launch.nodes = ranks / kRanksPerNode;
  all.meta.launch.tasks_per_node = std::to_string(kRanksPerNode) + "(x" +
                                   std::to_string(ranks / kRanksPerNode) + ")";
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) return 2;
  const int steps = argc == 3 ? std::atoi(argv[2]) : 40;
  auto store = ranksight::online_model::Store::Open(argv[1]);
  if (!store.ok()) return 2;
  std::mt19937 random(1);
  for (const bool is_second : {false, true}) {
    const Build build =
        is_second ? Build{"b2222222", 1.2, steps} : Build{"a1111111", 1, steps};
    for (int i = 0; i < kRepeats; ++i) {
      for (const int64_t ranks : kRanks) {
        Trace run = MakeRun(ranks, build, &random);
        run.meta.job =
            build.id + "-" + std::to_string(ranks) + "-" + std::to_string(i);
        const auto added = store->AddRun(Encode(run, SketchForm::kQuantiles));
        if (!added.ok()) {
          std::fprintf(stderr, "%s\n", added.status().message().c_str());
          return 1;
        }
      }
    }
  }
  return 0;
}
