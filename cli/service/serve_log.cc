#include "cli/service/serve_log.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <ctime>

#include "cli/base/format.h"
#include "cli/base/json.h"
#include "cli/base/print.h"
#include "reduction/api/shown_text.h"
#include "reduction/api/write_all.h"

namespace ranksight::cli {
namespace {

using online_model::LogEvent;
using online_model::LogLevel;
using online_model::RunRecord;

int64_t NowUnixNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// RFC 3339, to the millisecond.
std::string TimeText(int64_t unix_ns) {
  const time_t seconds = unix_ns / 1'000'000'000;
  std::tm parts{};
  (void)gmtime_r(&seconds, &parts);
  char text[64];
  const size_t size =
      std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  char fraction[8];
  std::snprintf(fraction, sizeof fraction, ".%03dZ",
                int(unix_ns / 1'000'000 % 1000));
  return std::string(text, size) + fraction;
}

const char* NameOf(LogLevel level) {
  switch (level) {
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
  }
  return "error";
}

// All that lines have in common.
void Begin(const LogEvent& event, const char* kind, int64_t unix_ns,
           JsonWriter* json) {
  const auto shown = [](const std::string& text) {
    return reduction::ShownName(text);
  };
  json->BeginObject()
      .Member("time", TimeText(unix_ns))
      .Member("level", NameOf(event.level))
      .Member("user", shown(event.sender.user))
      .Member("key", shown(event.sender.key))
      .Member("event", kind)
      .Member("message", shown(event.text));
}

// Without the newline that ends a document.
std::string OneLine(const JsonWriter& json) {
  std::string line = json.text();
  while (!line.empty() && line.back() == '\n') line.pop_back();
  return line;
}

void Write(const std::string& line) {
  (void)reduction::WriteAll(STDERR_FILENO, line + "\n");
}

}  // namespace

std::string JsonLine(const LogEvent& event, int64_t unix_ns) {
  JsonWriter json;
  Begin(event, "note", unix_ns, &json);
  json.EndObject();
  return OneLine(json);
}

std::string JsonLine(const RunRecord& stored, int64_t unix_ns) {
  JsonWriter json;
  Begin({LogLevel::kInfo, StoredText(stored), stored.sender}, "stored", unix_ns,
        &json);
  json.Member("job", reduction::ShownName(stored.job))
      .Member("program", reduction::ShownName(stored.program))
      .Member("ranks", stored.ranks)
      .Member("seconds", stored.seconds)
      .Member("bytes", stored.bytes)
      .Member("complete", stored.complete)
      .EndObject();
  return OneLine(json);
}

std::string StoredText(const RunRecord& run) {
  return "stored " + run.program + " on " + Counted(run.ranks, "rank") + ", " +
         Duration(run.seconds * 1e9) + (run.complete ? "" : ", partial") +
         ": " + run.path;
}

void ServeLog::Say(const LogEvent& event) const {
  is_json_ ? Write(JsonLine(event, NowUnixNs())) : Note(event.text);
}

void ServeLog::SayStored(const RunRecord& run) const {
  is_json_ ? Write(JsonLine(run, NowUnixNs())) : Note(StoredText(run));
}

}  // namespace ranksight::cli
