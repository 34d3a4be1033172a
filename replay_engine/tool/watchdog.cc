#include "replay_engine/tool/watchdog.h"

#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "reduction/api/canonical.h"

namespace ranksight::replay_engine {
namespace {

constexpr int kExitCode = 1;  // the answer is no

const RankReport* watched = nullptr;
uint64_t events_at_last_look = 0;
int own_rank = 0;
unsigned limit = 0;

// Long enough for all ranks to say where they stand: their clocks were
// started together.
constexpr unsigned kGrace_s = 1;

void EndNow(int) { _exit(kExitCode); }

void Abort(int) {
  signal(SIGALRM, &EndNow);
  alarm(2);
  PMPI_Abort(MPI_COMM_WORLD, kExitCode);
}

uint64_t EventsDone() {
  return *static_cast<const volatile uint64_t*>(&watched->events);
}

// What is called here is not safe in every signal handler, but this rank is
// lost anyway, and a second alarm ends it if the calls do not return.
void Look(int) {
  const uint64_t done = EventsDone();
  if (done != events_at_last_look) {
    events_at_last_look = done;
    alarm(limit);
    return;
  }
  signal(SIGALRM, &Abort);
  alarm(kGrace_s);
  const reduction::Event* const at = watched->current;
  const std::string text =
      at == nullptr ? "the end" : reduction::CanonicalText(*at);
  std::fprintf(stderr,
               "ranksight-replay: rank %d does not get past event %llu (%s): "
               "no end in sight after %u s\n",
               own_rank, static_cast<unsigned long long>(done), text.c_str(),
               limit);
}

}  // namespace

void WatchForStall(const RankReport& report, int rank, unsigned limit_s) {
  watched = &report;
  own_rank = rank;
  limit = limit_s;
  signal(SIGALRM, &Look);
  alarm(limit_s);
}

void StopWatching() { alarm(0); }

}  // namespace ranksight::replay_engine
