// ranksight-replay: one rank of a trace in each process. What the tool does
// for itself goes through PMPI, so that recording a replay sees the trace's
// own calls and nothing else.
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "reduction/api/losses.h"
#include "reduction/api/partitions.h"
#include "reduction/api/shown_text.h"
#include "reduction/api/site.h"
#include "replay_engine/api/mpi_backend.h"
#include "replay_engine/api/replay.h"
#include "replay_engine/tool/alignment.h"
#include "replay_engine/tool/host.h"
#include "replay_engine/tool/load.h"
#include "replay_engine/tool/options.h"
#include "replay_engine/tool/placement.h"
#include "replay_engine/tool/report.h"
#include "replay_engine/tool/watchdog.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Result;
using reduction::Status;

void Say(const std::string& text) {
  std::fprintf(stderr, "ranksight-replay: %s\n",
               reduction::ShownName(text).c_str());
}

Status CheckReplayable(const reduction::Trace& trace, int ranks, bool partial) {
  if (trace.meta.ranks != ranks) {
    const std::string wanted = std::to_string(trace.meta.ranks);
    return Status::Usage("the trace has " + wanted + " ranks, started with " +
                         std::to_string(ranks) + ": use mpiexec -n " + wanted);
  }
  if (!trace.meta.complete && !partial) {
    return Status::No(
        "the trace is partial, so calls may wait for others that are "
        "missing; --partial replays it nevertheless");
  }
  // A receive that failed had its message, which another would get.
  const auto left = trace.meta.losses.find(reduction::kLossCallsLeft);
  if (left != trace.meta.losses.end() && !partial) {
    return Status::No(
        "the program left " + std::to_string(left->second) +
        " calls by a jump or an exception; what these did is not known, so "
        "calls may fail or wait; --partial replays the others nevertheless");
  }
  return Status::Ok();
}

// The same on all ranks: one that went on alone would wait for the others.
Status CheckCommunicators(const reduction::Trace& trace, int rank) {
  long long number = UnmadeCommunicator(trace, rank).value_or(-1);
  PMPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_LONG_LONG, MPI_MAX,
                 MPI_COMM_WORLD);
  if (number < 0) return Status::Ok();
  return Status::BadInput("communicator " + std::to_string(number) +
                          " was made by no call of the trace");
}

// What is known of a replay before it starts that makes it another run.
void SayWhatDiffers(const reduction::Trace& trace) {
  const std::string gaps = DescribeGaps(trace);
  if (!gaps.empty()) Say("cannot be replayed: " + gaps);
}

// Some launchers drop what a rank wrote just before it aborted (MPICH 4's in
// one of ten runs), so they get time to fetch it.
constexpr auto kTimeToFetch = std::chrono::milliseconds(300);

// On one rank's failure the others wait for its messages: all end.
void EndAll(const Status& status) {
  Say(status.message());
  std::this_thread::sleep_for(kTimeToFetch);
  PMPI_Abort(MPI_COMM_WORLD, ExitCode(status));
}

Status Run(const ToolOptions& options, int rank, int ranks) {
  Result<reduction::Trace> trace = LoadEverywhere(options.file);
  if (!trace.ok()) return trace.status();
  if (Status s = CheckReplayable(*trace, ranks, options.partial); !s.ok()) {
    return s;
  }
  if (Status s = CheckCommunicators(*trace, rank); !s.ok()) return s;
  ReplayOptions replay = options.replay;
  auto factors = reduction::FactorsOf(options.site_scales, trace->sites);
  if (!factors.ok()) return factors.status();
  replay.site_scale = std::move(*factors);
  const auto placement = LoadPlacement(options, ranks);
  if (!placement.ok()) return placement.status();
  replay.placement = placement->get();
  if (rank == 0) SayWhatDiffers(*trace);

  const ReplayHost host =
      PrepareHost(options.sleep, options.pin && options.replay.compute);
  replay.each_event = host.each_event;
  const auto alignment = AlignEverywhere(options, *trace);
  if (!alignment.ok()) return alignment.status();
  if (options.align) replay.alignment = &*alignment;

  const std::unique_ptr<Backend> backend = MakeMpiBackend(
      {options.bytes_scale, options.replay.seed, options.exchanges,
       options.scratch, reduction::PartitionCounts(*trace)});
  RankReport report;
  PMPI_Barrier(MPI_COMM_WORLD);
  WatchForStall(report, rank,
                options.stall_s >= 0 ? static_cast<unsigned>(options.stall_s)
                                     : StallLimit_s(*trace, replay));
  const Status status =
      Replay(*trace, rank, replay, *backend, *host.clock, &report);
  if (!status.ok()) EndAll(status);
  PrintReport(*trace, report, host.pinned, options.json);
  StopWatching();
  return backend->Finish();
}

int Main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Result<ToolOptions> options = ParseOptions(argc, argv);
  Status status = options.status();
  if (options.ok() && !options->help.empty()) {
    if (rank == 0) std::fputs(options->help.c_str(), stdout);
  } else if (options.ok()) {
    status = Run(*options, rank, ranks);
  }
  if (!status.ok() && rank == 0) Say(status.message());
  MPI_Finalize();
  return ExitCode(status);
}

}  // namespace
}  // namespace ranksight::replay_engine

int main(int argc, char** argv) {
  return ranksight::replay_engine::Main(argc, argv);
}
