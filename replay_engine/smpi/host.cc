// Where the ranks of a simulated replay run: in SimGrid's SMPI, whose clock
// is the simulation's. Takes the place of tool/host.cc and tool/watchdog.cc.
#include "replay_engine/tool/host.h"

#include <fcntl.h>
#include <mpi.h>
#include <smpi/smpi.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>

#include "replay_engine/api/meter.h"
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

// Each rank has its own copy of our variables, the environment is of all. That
// of the first rank is where all find the meter: a mapping for each rank would
// be more than the system gives.
constexpr char kMeterPlace[] = "RANKSIGHT_REPLAY_METER_AT";

ReplayMeter* MapMeter(const char* path) {
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return nullptr;
  void* place = mmap(nullptr, sizeof(ReplayMeter), PROT_READ | PROT_WRITE,
                     MAP_SHARED, fd, 0);
  (void)close(fd);
  if (place == MAP_FAILED) return nullptr;
  setenv(kMeterPlace,
         std::to_string(reinterpret_cast<uintptr_t>(place)).c_str(), 1);
  return static_cast<ReplayMeter*>(place);
}

// nullptr where nobody asked for it.
ReplayMeter* FindMeter() {
  const char* path = std::getenv(kReplayMeter);
  if (path == nullptr) return nullptr;
  const char* place = std::getenv(kMeterPlace);
  if (place == nullptr) return MapMeter(path);
  uintptr_t number = 0;
  std::from_chars(place, place + std::strlen(place), number);
  return reinterpret_cast<ReplayMeter*>(number);
}

void Read(ReplayMeter* meter) {
  constexpr double kBytesPerUnit = 1024;
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  SetSpent(
      static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9,
      meter);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  meter->memory_bytes = kBytesPerUnit * static_cast<double>(usage.ru_maxrss);
}

// Ends the process where it is to stop: without output, also of a recording,
// and with a status that lets smpirun clean up.
void Count(ReplayMeter* meter) {
  constexpr uint64_t kBetween = 64;
  meter->events += 1;
  const bool first = meter->events == 1;
  if (!first && static_cast<uint64_t>(meter->events) % kBetween != 0) return;
  Read(meter);
  meter->stop = StopOf(*meter);
  if (meter->stop != MeterStop::kNone) _exit(0);
}

}  // namespace

ReplayHost PrepareHost(bool, bool) {
  ReplayHost host{std::make_unique<SimulatedClock>(), false};
  if (ReplayMeter* meter = FindMeter(); meter != nullptr) {
    host.each_event = [meter] { Count(meter); };
  }
  return host;
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
