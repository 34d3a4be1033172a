#include "replay_engine/tool/watchdog.h"

#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

namespace ranksight::replay_engine {
namespace {

constexpr int kExitCode = 1;  // the answer is no

const volatile uint64_t* events_done = nullptr;
uint64_t events_at_last_look = 0;
int own_rank = 0;
unsigned limit = 0;

void EndNow(int) { _exit(kExitCode); }

// What is called here is not safe in every signal handler, but this rank is
// lost anyway, and a second alarm ends it if the calls do not return.
void Look(int) {
  const uint64_t done = *events_done;
  if (done != events_at_last_look) {
    events_at_last_look = done;
    alarm(limit);
    return;
  }
  signal(SIGALRM, &EndNow);
  alarm(2);
  std::fprintf(stderr,
               "ranksight-replay: rank %d does not get past event %llu: no "
               "end in sight after %u s\n",
               own_rank, static_cast<unsigned long long>(done), limit);
  PMPI_Abort(MPI_COMM_WORLD, kExitCode);
}

}  // namespace

void WatchForStall(const RankReport& report, int rank, unsigned limit_s) {
  events_done = &report.events;
  own_rank = rank;
  limit = limit_s;
  signal(SIGALRM, &Look);
  alarm(limit_s);
}

void StopWatching() { alarm(0); }

}  // namespace ranksight::replay_engine
