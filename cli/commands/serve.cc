// ranksight serve: the side-car as a process of its own.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>

#include "cli/base/files.h"
#include "cli/base/format.h"
#include "cli/base/network_option.h"
#include "cli/base/number_checks.h"
#include "cli/base/plugin_option.h"
#include "cli/base/print.h"
#include "cli/commands/register.h"
#include "cli/look/page_extras.h"
#include "cli/symbols/site_names.h"
#include "online_model/api/server.h"

namespace ranksight::cli {
namespace {

using reduction::Status;

constexpr char kConfigOption[] = "config";

struct ServeOptions {
  std::string listen = online_model::ServerOptions().listen;
  std::string store = "ranksight-store";
  std::string http, keys;
  std::string spool, network, config;
  std::vector<std::string> plugins;
  CLI::App* app = nullptr;  // that they are options of
  uint64_t quota = online_model::ServerOptions().quota_bytes;
};

void LogRun(const online_model::RunRecord& run) {
  Note("stored " + run.program + " on " + Counted(run.ranks, "rank") + ", " +
       Duration(run.seconds * 1e9) + (run.complete ? "" : ", partial") + ": " +
       run.path);
}

// Connections take descriptors; shells allow few for the sake of old programs.
void AllowManyFiles() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &files);
}

// The signals that end it. nohup's wish is kept: sigwait sees what is ignored,
// too.
sigset_t Ends() {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  struct sigaction hangup {};
  (void)sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaddset(&ends, SIGHUP);
  return ends;
}

// Options that the command line leaves open, from a file of NAME = VALUE lines
// (TOML).
Status TakeOptionsOf(const std::string& file, CLI::App* app) {
  std::ifstream in(file);
  if (!in) return Status::Io(file + ": " + std::strerror(errno));
  try {
    for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(in)) {
      CLI::Option* option = app->get_option_no_throw("--" + item.name);
      if (option == nullptr || !item.parents.empty() ||
          item.name == kConfigOption) {
        return Status::Usage(file + ": serve has no option " + item.fullname());
      }
      if (!option->empty()) continue;
      option->add_result(item.inputs);
      option->run_callback();
    }
  } catch (const CLI::Error& error) {
    return Status::Usage(file + ": " + error.what());
  }
  return Status::Ok();
}

int Serve(const ServeOptions& options) {
  if (!options.spool.empty()) {
    const auto there = CheckFolder(options.spool);
    if (!there.ok()) return Fail(there);
  }
  AllowManyFiles();
  OutliveReaders();
  // Blocked before the server's thread exists, so that only this one sees
  // them.
  const sigset_t ends = Ends();
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  online_model::ServerOptions server_options;
  server_options.listen = options.listen;
  server_options.store_directory = options.store;
  server_options.keys_directory = options.keys;
  server_options.quota_bytes = options.quota;
  server_options.spool_directory = options.spool;
  server_options.http = options.http;
  auto network = online_model::FindNetwork(options.network);
  if (!network.ok()) return Fail(network.status());
  server_options.network = std::move(*network);
  const auto loaded =
      online_model::LoadOwnLaws(options.plugins, &server_options.own_laws);
  if (!loaded.ok()) return Fail(loaded);
  const online_model::OwnLaws& own_laws = server_options.own_laws;
  server_options.find_names = [](const auto& sites, const auto& places) {
    return SiteNames(sites, places).All();
  };
  server_options.extras = {MatrixJson, [&own_laws](const auto& traces) {
                             return LawsJson(traces, own_laws);
                           }};
  server_options.on_run = LogRun;
  server_options.log = [](const std::string& line) { Note(line); };
  const auto server = online_model::Server::Start(server_options);
  if (!server.ok()) return Fail(server.status());
  Note("listening at " + (*server)->endpoint() + ", storing in " +
       options.store);
  if (!options.http.empty()) {
    Note("page at " + (*server)->http_address() +
         "/#token=" + (*server)->http_token());
  }
  int signal = 0;
  sigwait(&ends, &signal);
  (*server)->Stop();
  Note("stopped; " + std::to_string((*server)->runs_stored()) + " runs stored");
  return 0;
}

}  // namespace

void RegisterServe(Commands& commands) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* app = commands.Add(
      "serve", "Receive runs as they happen and keep them", [options] {
        if (options->config.empty()) return Serve(*options);
        const Status taken = TakeOptionsOf(options->config, options->app);
        return taken.ok() ? Serve(*options) : Fail(taken);
      });
  options->app = app;
  app->add_option("--listen", options->listen,
                  "Where programs connect: tcp on a loopback address (port *\n"
                  "picks a free one) or ipc://PATH")
      ->type_name("ENDPOINT")
      ->capture_default_str();
  app->add_option("--store", options->store,
                  "Folder for the runs; made when it is not there")
      ->type_name("DIR")
      ->capture_default_str();
  app->add_option("--http", options->http,
                  "Show a page with live forecasts here (loopback only, port\n"
                  "0 picks a free one); its address is printed with a token")
      ->type_name("HOST:PORT");
  app->add_option("--keys", options->keys,
                  "Let only known keys in (`ranksight keys`); other addresses\n"
                  "than loopback need this")
      ->type_name("DIR");
  app->add_option("--spool", options->spool,
                  "Take in the traces that runs without a side-car left here\n"
                  "(RANKSIGHT_SPOOL), and remove them")
      ->type_name("DIR");
  AddNetworkOption(app, "for runs whose ranks shared cores", &options->network);
  AddPluginOption(app, &options->plugins);
  app->add_option("--quota", options->quota,
                  "Bytes of traces the store may hold; runs beyond it are\n"
                  "refused; 0: no limit. K, M, G, T may follow the number")
      ->type_name("BYTES")
      ->transform(CLI::AsSizeValue(false))
      ->transform(NotNegative())  // which is looked at first
      ->default_str("16G");
  app->add_option(std::string("--") + kConfigOption, options->config,
                  "File of these options, a line NAME = VALUE each (TOML);\n"
                  "those given here count first")
      ->type_name("FILE");
  app->footer(
      "Runs until SIGINT, SIGTERM or SIGHUP. Logs to stderr.\n\n"
      "Example: ranksight serve --store runs &\n"
      "         ranksight record --to tcp://127.0.0.1:5570 -- mpiexec -n 4 "
      "./app\n"
      "         ranksight forecast --store runs --program app --ranks 64");
}

}  // namespace ranksight::cli
