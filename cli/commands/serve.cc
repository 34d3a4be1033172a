// ranksight serve: the side-car as a process of its own.
#include <CLI/CLI.hpp>
#include <csignal>
#include <memory>

#include "cli/base/format.h"
#include "cli/base/print.h"
#include "cli/commands/register.h"
#include "online_model/api/server.h"

namespace ranksight::cli {
namespace {

struct ServeOptions {
  std::string listen = online_model::ServerOptions().listen;
  std::string store = "ranksight-store";
};

void LogRun(const online_model::RunRecord& run) {
  Note("stored " + run.program + " on " + std::to_string(run.ranks) +
       " ranks, " + Duration(run.seconds * 1e9) +
       (run.complete ? "" : ", partial") + ": " + run.path);
}

int Serve(const ServeOptions& options) {
  // Blocked before the server's thread exists, so that only this one sees
  // them.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  online_model::ServerOptions server_options;
  server_options.listen = options.listen;
  server_options.store_directory = options.store;
  server_options.on_run = LogRun;
  server_options.log = [](const std::string& line) { Note(line); };
  const auto server = online_model::Server::Start(server_options);
  if (!server.ok()) return Fail(server.status());
  Note("listening at " + (*server)->endpoint() + ", storing in " +
       options.store);
  int signal = 0;
  sigwait(&ends, &signal);
  (*server)->Stop();
  Note("stopped; " + std::to_string((*server)->runs_stored()) + " runs stored");
  return 0;
}

}  // namespace

void RegisterServe(Commands& commands) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* app =
      commands.Add("serve", "Receive runs as they happen and keep them",
                   [options] { return Serve(*options); });
  app->add_option("--listen", options->listen,
                  "Where programs connect: tcp on a loopback address (port *\n"
                  "picks a free one) or ipc://PATH")
      ->type_name("ENDPOINT")
      ->capture_default_str();
  app->add_option("--store", options->store,
                  "Folder for the runs; made when it is not there")
      ->type_name("DIR")
      ->capture_default_str();
  app->footer(
      "Runs until SIGINT or SIGTERM. Logs to stderr.\n\n"
      "Example: ranksight serve --store runs &\n"
      "         ranksight record --to tcp://127.0.0.1:5570 -- mpiexec -n 4 "
      "./app\n"
      "         ranksight forecast --store runs --program app --ranks 64");
}

}  // namespace ranksight::cli
