// How many segments a second a side-car takes, checks and stores:
//   ingest_bench [CONNECTIONS] [RUNS_PER_CONNECTION] [SEGMENTS_PER_RUN]
// Every connection sends its runs one after the other, as a program does: a
// segment, its acknowledgement, the next; the end is acknowledged when the run
// is on disk. Traces are of NAS size (tens of KiB). Ends with 1 when a run was
// lost or stored twice.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "online_model/api/server.h"
#include "tests/support/scratch_folder.h"
#include "tests/unit/online_model/wire_client.h"

namespace {

using namespace ranksight;
using Clock = std::chrono::steady_clock;

constexpr int kSites = 1500;  // about 28 KiB encoded

std::vector<uint8_t> MakeRun(const std::string& job) {
  ranksight::testing::SyntheticRun run;
  run.job = job;
  run.ranks = 4;
  for (uint64_t i = 0; i < kSites; ++i) {
    run.events.push_back({reduction::Call::MPI_Barrier_, 4096 * i + i * i,
                          1e-3 * double(i % 17 + 1), 1e-4 * double(i % 5 + 1),
                          10 + i % 90});
  }
  return reduction::Encode(ranksight::testing::MakeTrace(run),
                           reduction::SketchForm::kQuantiles);
}

struct Load {
  int runs, segments;
  std::atomic<uint64_t> sent{0}, acknowledged{0};
};

void SendRuns(const std::string& endpoint, int number, Load* load) {
  ranksight::testing::WireClient client(endpoint);
  for (int r = 0; r < load->runs; ++r) {
    const std::string job = std::to_string(number) + "-" + std::to_string(r);
    const auto bytes = MakeRun(job);
    const size_t part = bytes.size() / size_t(load->segments) + 1;
    const auto last = client.SendRun(job, 4, part);
    load->sent += (bytes.size() + part - 1) / part;
    load->acknowledged += last.kind == reduction::FrameKind::kAck;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int connections = argc > 1 ? std::atoi(argv[1]) : 32;
  Load load;
  load.runs = argc > 2 ? std::atoi(argv[2]) : 10;
  load.segments = argc > 3 ? std::atoi(argv[3]) : 8;
  const support::ScratchFolder folder;
  online_model::ServerOptions options;
  options.listen = "tcp://127.0.0.1:*";
  options.store_directory = folder.path();
  auto server = online_model::Server::Start(options);
  if (!server.ok()) return 4;
  const auto start = Clock::now();
  std::vector<std::thread> clients;
  for (int i = 0; i < connections; ++i) {
    clients.emplace_back(SendRuns, (*server)->endpoint(), i, &load);
  }
  for (std::thread& client : clients) client.join();
  const std::chrono::duration<double> took = Clock::now() - start;
  const uint64_t stored = (*server)->runs_stored();
  std::printf(
      "%d connections, %llu runs of %zu bytes: %.0f segments/s, "
      "%.0f runs/s, %llu stored\n",
      connections, (unsigned long long)load.acknowledged, MakeRun("x").size(),
      double(load.sent) / took.count(), double(stored) / took.count(),
      (unsigned long long)stored);
  (*server)->Stop();
  return stored == uint64_t(connections) * uint64_t(load.runs) ? 0 : 1;
}
