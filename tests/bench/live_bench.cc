// How long after it was sent a segment is seen in the page's JSON:
//   live_bench [TIMES]
// A side-car with its page; a client sends a segment, and another asks
// /api/state?since=VERSION, again and again, until the answer has it. Then the
// same for an epoch and the forecast of the run under way. Page and monitor ask
// twice a second, so what they show is up to half a second older. Ends with 1
// when something is never seen.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "online_model/api/page.h"
#include "online_model/api/server.h"
#include "tests/support/scratch_folder.h"
#include "tests/unit/online_model/wire_client.h"

namespace {

using namespace ranksight;
using nlohmann::json;
using Clock = std::chrono::steady_clock;
using online_model::AskPage;

constexpr double kPatienceSeconds = 600;
constexpr std::chrono::milliseconds kBetween{2};

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Asks until the answer has it; the seconds since `start`, or less than 0.
double Until(Clock::time_point start, const online_model::PageAddress& page,
             const std::function<std::string()>& path,
             const std::function<bool(const json&)>& has) {
  while (SecondsSince(start) < kPatienceSeconds) {
    const auto text = AskPage(page, path());
    if (text.ok() && !text->empty() && has(json::parse(*text))) {
      return SecondsSince(start);
    }
    std::this_thread::sleep_for(kBetween);
  }
  return -1;
}

bool Report(const char* what, std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  std::printf("%-24s %zu times, median %.1f ms, worst %.1f ms\n", what,
              seconds.size(), 1e3 * seconds[seconds.size() / 2],
              1e3 * seconds.back());
  return seconds.front() >= 0;
}

bool HasSegments(const json& state, const std::string& job, int segments) {
  return std::ranges::any_of(state["live"], [&](const json& run) {
    return run["job"] == job && run["segments"] >= segments;
  });
}

int Run(int times) {
  const support::ScratchFolder folder;
  online_model::ServerOptions options;
  options.listen = "tcp://127.0.0.1:*";
  options.store_directory = folder.path() + "/store";
  options.http = "127.0.0.1:0";
  auto server = online_model::Server::Start(options);
  if (!server.ok()) return 1;
  const online_model::PageAddress page = {(*server)->http_address(),
                                          (*server)->http_token()};
  for (const int64_t ranks : {4, 9, 16, 25}) {
    ranksight::testing::WireClient client((*server)->endpoint());
    client.SendRun("j" + std::to_string(ranks), ranks);
  }
  const auto first = AskPage(page, "/api/state");
  if (!first.ok()) return 1;
  json state = json::parse(*first);
  const std::string id = state["groups"][0]["id"];

  std::vector<double> segments, epochs;
  ranksight::testing::WireClient sender((*server)->endpoint());
  sender.Hello("streaming", 36);
  for (int i = 1; i <= times; ++i) {
    const uint64_t since = state["version"];
    const auto start = Clock::now();
    sender.Segment(uint64_t(i), {1, 2, 3});
    segments.push_back(Until(
        start, page,
        [&] { return "/api/state?since=" + std::to_string(since); },
        [&](const json& now) {
          state = now;
          return HasSegments(now, "streaming", i);
        }));
  }
  for (int i = 0; i < times; ++i) {
    const std::string job = "half" + std::to_string(i);
    ranksight::testing::WireClient client((*server)->endpoint());
    const auto start = Clock::now();
    client.SendHalf(job, 64);
    epochs.push_back(Until(
        start, page, [&] { return "/api/forecast?ranks=100&group=" + id; },
        [&](const json& forecast) {
          return std::ranges::any_of(
              forecast["under_way"],
              [&](const json& run) { return run["job"] == job; });
        }));
  }
  const bool seen = Report("segment in /api/state", segments);
  return Report("epoch in /api/forecast", epochs) && seen ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return Run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 100);
}
