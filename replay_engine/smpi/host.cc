// Where the ranks of a simulated replay run: in SimGrid's SMPI, whose clock
// is the simulation's. Takes the place of tool/host.cc and tool/watchdog.cc.
#include "replay_engine/tool/host.h"

#include <mpi.h>
#include <smpi/smpi.h>

#include <cmath>
#include <ctime>

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

std::unique_ptr<Clock> MakeHostClock(bool) {
  return std::make_unique<SimulatedClock>();
}

// SimGrid sees by itself that all ranks wait, names them and ends.
void WatchForStall(const RankReport&, int, unsigned) {}
void StopWatching() {}

}  // namespace ranksight::replay_engine
