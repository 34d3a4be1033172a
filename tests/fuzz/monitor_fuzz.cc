// Any lines as a side-car's answers to the monitor, the first to its first
// question and so on, over and over: it shows them or says that it does not
// understand.
#include <sstream>

#include "cli/monitor/watch.h"
#include "tests/fuzz/target.h"

namespace ranksight::fuzz {
namespace {

using cli::Watch;

// Enough for each answer to be the first, and the forecast.
constexpr int kTurns = 4;

std::vector<std::string> LinesIn(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void RequireShown(const Watch& watch) {
  const auto lines =
      cli::MonitorLines(watch.data(), 60, 20, cli::PlotForm::kBraille);
  if (!lines.ok()) return RequireReason(lines.status().message());
  for (const std::string& line : *lines) {
    Require(line.size() <= 60 && line.find('\x1b') == line.npos);
  }
}

}  // namespace

std::vector<Bytes> Seeds() {
  const std::string state =
      R"({"version":3,"endpoint":"tcp://127.0.0.1:1","counters":{)"
      R"("runs_stored":3,"segments":7,"frames_refused":0},"live":[{"job":"j",)"
      R"("heard_unix_ms":1,"state":"receiving","program":"a","ranks":4,)"
      R"("segments":1,"bytes":9}],"groups":[{"id":"1","program":"a",)"
      R"("params":"","runs":3},{"id":"2","program":"b","params":"n=3",)"
      R"("runs":1}]})";
  const std::string forecast =
      R"({"sizes":[{"ranks":4,"seconds":8.0},{"ranks":16,"seconds":2.0}],)"
      R"("points":[{"ranks":64,"refused":false,"seconds":0.5,"low":0.4,)"
      R"("high":0.6,"call_share":0.25,"strong_efficiency":0.5,"basis":"s"},)"
      R"({"ranks":256,"refused":true,"reason":"too wide"}],"growing":[{)"
      R"("share_now":0.1,"share_then":0.4,"model":{"text":"1 + N"},)"
      R"("call":"MPI_Send","site":"main"}],"dominant":[{"from_ranks":64,)"
      R"("part":"in the call","call":"MPI_Send","share":0.5,"site":"main"}],)"
      R"("under_way":[{"job":"j","used":true,"ranks":8,"share_seen":0.5,)"
      R"("seconds":3.0}],"drift":{"since_job":"j","factor":1.5},)"
      R"("next_run":{"ranks":32,"reason":"it helps"}})";
  return {ToBytes(state + '\n' + forecast + '\n'),
          ToBytes(state + "\n{}\n" + state + '\n' + forecast + "\n\n")};
}

void Try(std::string_view text) {
  const std::vector<std::string> answers = LinesIn(text);
  if (answers.empty()) return;
  size_t asked = 0;
  Watch watch(
      [&](const std::string&) { return answers[asked++ % answers.size()]; }, "",
      {});
  for (int turn = 0; turn < kTurns; ++turn) {
    const auto updated = watch.Update();
    if (!updated.ok()) RequireReason(updated.status().message());
    if (watch.data().state.is_object()) RequireShown(watch);
    (void)watch.ToJsonLine();
    watch.Turn(turn % 2 == 0 ? 1 : -1);
  }
}

}  // namespace ranksight::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ranksight::fuzz::Try(ranksight::fuzz::AsText(data, size));
  return 0;
}
