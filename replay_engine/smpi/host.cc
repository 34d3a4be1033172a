// Where the ranks of a simulated replay run: in SimGrid's SMPI, whose clock
// is the simulation's. Takes the place of tool/host.cc and tool/watchdog.cc.
#include "replay_engine/tool/host.h"

#include <mpi.h>
#include <smpi/smpi.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>

#include "replay_engine/tool/watchdog.h"

namespace ranksight::replay_engine {
namespace {

class SimulatedClock : public Clock {
 public:
  int64_t NowNs() final {
    return static_cast<int64_t>(std::llround(PMPI_Wtime() * 1e9));
  }
  void WaitUntil(int64_t deadline_ns) final {
    constexpr int64_t kNsPerSecond = 1'000'000'000;
    const int64_t left = deadline_ns - NowNs();
    if (left <= 0) return;
    timespec duration{};
    duration.tv_sec = left / kNsPerSecond;
    duration.tv_nsec = left % kNsPerSecond;
    smpi_nanosleep(&duration, nullptr);
  }
};

}  // namespace

ReplayHost PrepareHost(bool, bool) {
  return {std::make_unique<SimulatedClock>(), false};
}

// SimGrid sees by itself that all ranks wait, and ends as if nothing were
// wrong.
void WatchForStall(const RankReport&, int, unsigned) {}
void StopWatching() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* mark = std::getenv(kReplayEnded);
  if (rank == 0 && mark != nullptr) std::ofstream(mark).put('\n');
}

}  // namespace ranksight::replay_engine
