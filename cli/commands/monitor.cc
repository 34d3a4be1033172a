// ranksight monitor: live forecasts of a running side-car, in the terminal.
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/base/lists.h"
#include "cli/base/plot.h"
#include "cli/base/print.h"
#include "cli/commands/register.h"
#include "cli/monitor/screen.h"
#include "cli/monitor/watch.h"
#include "online_model/api/page.h"

namespace ranksight::cli {
namespace {

using nlohmann::json;
using online_model::PageAddress;
using reduction::Result;
using reduction::Status;

constexpr int kAskMs = 500;
constexpr int kWalkMs = 100, kMostWalkMs = 10'000;
constexpr size_t kWidth = 100;  // without a terminal
constexpr size_t kLeastWidth = 40, kHeight = 40;
constexpr char kTokenMark[] = "/#token=";

struct MonitorOptions {
  std::string connect, store = "ranksight-store", program, ranks;
  bool once = false, jsonl = false;
};

Result<PageAddress> Find(const MonitorOptions& options) {
  if (options.connect.empty()) {
    return online_model::ReadPageAddress(options.store);
  }
  const size_t mark = options.connect.find(kTokenMark);
  if (mark == std::string::npos) {
    return Status::Usage(options.connect +
                         ": needs the address that `ranksight serve --http` "
                         "printed, with its token");
  }
  return PageAddress{options.connect.substr(0, mark),
                     options.connect.substr(mark + sizeof(kTokenMark) - 1)};
}

Status PrintView(const Watch& watch) {
  const size_t width =
      std::max(TerminalWidth(STDOUT_FILENO, kWidth), kLeastWidth);
  const auto lines =
      MonitorLines(watch.data(), width, kHeight, PlotFormOf(STDOUT_FILENO));
  if (!lines.ok()) return lines.status();
  for (const std::string& line : *lines) Print(line + "\n");
  return Status::Ok();
}

// Asks until no point of the forecast is being walked any more, or for as long
// as that may take.
Status UpdateUntilWalked(Watch* watch) {
  for (int ms = 0;; ms += kWalkMs) {
    const auto updated = watch->Update();
    if (!updated.ok()) return updated.status();
    const auto& forecast = watch->data().forecast;
    const bool walking =
        forecast.is_object() && forecast.value("walking", json()) == true;
    if (!walking || ms >= kMostWalkMs) return Status::Ok();
    (void)::poll(nullptr, 0, kWalkMs);
  }
}

// A line at every change, until nobody reads them or the side-car is gone.
int Stream(Watch* watch) {
  for (;;) {
    const auto changed = watch->Update();
    if (!changed.ok()) return Fail(changed.status());
    if (*changed) {
      Print(watch->ToJsonLine());
      if (const int code = FinishOutput(0); code != 0) return code;
    }
    // A pipe that nobody reads any more is in error.
    pollfd out = {STDOUT_FILENO, 0, 0};
    if (::poll(&out, 1, kAskMs) > 0) return 0;
  }
}

int Monitor(const MonitorOptions& options) {
  std::vector<int64_t> ranks;
  if (!options.ranks.empty()) {
    auto parsed = ParseRankList(options.ranks);
    if (!parsed.ok()) return Fail(parsed.status());
    ranks = std::move(parsed).value();
  }
  auto page = Find(options);
  if (!page.ok()) return Fail(page.status());
  Watch watch(
      [&page](const std::string& path) {
        return online_model::AskPage(*page, path);
      },
      options.program, std::move(ranks));
  if (options.once) {
    Status done = UpdateUntilWalked(&watch);
    if (done.ok() && options.jsonl) {
      Print(watch.ToJsonLine());
    } else if (done.ok()) {
      done = PrintView(watch);
    }
    return done.ok() ? 0 : Fail(done);
  }
  if (options.jsonl) return Stream(&watch);
  const Status shown = ShowScreen(&watch);
  return shown.ok() ? 0 : Fail(shown);
}

}  // namespace

void RegisterMonitor(Commands& commands) {
  auto options = std::make_shared<MonitorOptions>();
  CLI::App* app = commands.Add("monitor", "Watch a side-car's live forecasts",
                               [options] { return Monitor(*options); });
  auto* connect = app->add_option(
      "--connect", options->connect,
      "Address that `ranksight serve --http` printed, with its token");
  connect->type_name("ENDPOINT");
  app->add_option("--store", options->store,
                  "Find the address in the side-car's store")
      ->type_name("DIR")
      ->capture_default_str()
      ->excludes(connect);
  app->add_option("--program", options->program, "Show this program first")
      ->type_name("NAME");
  app->add_option("--ranks", options->ranks,
                  "Rank counts to forecast; else up to 64 times the largest\n"
                  "measured")
      ->type_name("N1,N2,...");
  app->add_flag("--once", options->once,
                "Print what there is now and end; waits up to 10 s for\n"
                "forecasts that are still being walked");
  app->add_flag("--jsonl", options->jsonl,
                "One line of JSON whenever something changes");
  app->footer(
      "Keys: q leaves; tab, left and right change the program; up, down and\n"
      "the page keys scroll.\n\n"
      "Example: ranksight serve --store runs --http 127.0.0.1:8080 &\n"
      "         ranksight monitor --store runs");
}

}  // namespace ranksight::cli
