// ranksight serve: the side-car as a process of its own.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>

#include "cli/base/files.h"
#include "cli/base/link_options.h"
#include "cli/base/network_option.h"
#include "cli/base/number_checks.h"
#include "cli/base/plugin_option.h"
#include "cli/base/print.h"
#include "cli/commands/register.h"
#include "cli/look/page_extras.h"
#include "cli/service/serve_log.h"
#include "cli/symbols/site_names.h"
#include "online_model/api/server.h"

namespace ranksight::cli {
namespace {

using reduction::Status;

constexpr char kConfigOption[] = "config";
constexpr char kTextLog[] = "text", kJsonLog[] = "json";

struct ServeOptions {
  std::string listen = online_model::ServerOptions().listen;
  std::string store = "ranksight-store";
  std::string http, keys;
  std::string spool, network, config;
  PlaceOptions places;  // where the ranks of all runs sit
  std::vector<std::string> plugins;
  CLI::App* app = nullptr;  // that they are options of
  online_model::Quotas quotas = online_model::ServerOptions().quotas;
  std::vector<std::string> keep;
  std::string log = kTextLog;
};

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

Status TakeRules(const std::vector<std::string>& texts,
                 std::vector<online_model::RetentionRule>* rules) {
  for (const std::string& text : texts) {
    const auto rule = online_model::ParseRetention(text);
    if (!rule.ok()) return rule.status();
    rules->push_back(*rule);
  }
  return Status::Ok();
}

void SayWhere(const online_model::Server& server, const ServeOptions& options,
              const ServeLog& log) {
  const auto say = [&log](const std::string& text) {
    log.Say({online_model::LogLevel::kInfo, text, {}});
  };
  say("listening at " + server.endpoint() + ", storing in " + options.store);
  if (options.http.empty()) return;
  // Whoever may read collected lines may not see the page for that.
  const std::string token = log.is_json()
                                ? "; the token stands in http in the store"
                                : "/#token=" + server.http_token();
  say("page at " + server.http_address() + token);
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
  server_options.quotas = options.quotas;
  const Status rules = TakeRules(options.keep, &server_options.retention);
  if (!rules.ok()) return Fail(rules);
  server_options.spool_directory = options.spool;
  server_options.http = options.http;
  auto network = online_model::FindNetwork(options.network);
  if (!network.ok()) return Fail(network.status());
  server_options.network = std::move(*network);
  auto links = MakeAllLinks(options.places);
  if (!links.ok()) return Fail(links.status());
  server_options.links = std::move(*links);
  const auto loaded =
      online_model::LoadOwnLaws(options.plugins, &server_options.own_laws);
  if (!loaded.ok()) return Fail(loaded);
  online_model::ExtrapolationRequest how;
  how.own_laws = server_options.own_laws;
  how.searches = server_options.searches;
  server_options.find_names = [](const auto& sites, const auto& places) {
    return SiteNames(sites, places).All();
  };
  server_options.extras = {
      .matrix = MatrixJson,
      .timeline = TimelinePageJson,
      .load =
          [&options](const auto& trace) {
            return LoadPageJson(trace, LayoutOn(options.places, trace));
          },
      .laws = [how](const auto& traces) { return LawsJson(traces, how); },
      .matrix_at =
          [how](const auto& traces, int64_t ranks) {
            return MatrixJsonAt(traces, ranks, how);
          }};
  const ServeLog log(options.log == kJsonLog);
  server_options.on_run = [&log](const auto& run) { log.SayStored(run); };
  server_options.log = [&log](const auto& event) { log.Say(event); };
  const auto server = online_model::Server::Start(server_options);
  if (!server.ok()) return Fail(server.status());
  SayWhere(**server, options, log);
  int signal = 0;
  sigwait(&ends, &signal);
  (*server)->Stop();
  log.Say(
      {online_model::LogLevel::kInfo,
       "stopped; " + std::to_string((*server)->runs_stored()) + " runs stored",
       {}});
  return 0;
}

CLI::Option* AddQuota(CLI::App* app, const std::string& name, uint64_t* bytes,
                      const std::string& help) {
  return app->add_option(name, *bytes, help)
      ->type_name("BYTES")
      ->transform(CLI::AsSizeValue(false))
      ->transform(NotNegative());  // which is looked at first
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
  AddLinkOptions(app, &options->places);
  AddPluginOption(app, &options->plugins);
  AddQuota(app, "--quota", &options->quotas.all_bytes,
           "Bytes of traces the store may hold; runs beyond it are\n"
           "refused; 0: no limit. K, M, G, T may follow the number")
      ->default_str("16G");
  AddQuota(app, "--quota-user", &options->quotas.sender_bytes,
           "The same of those that one user sent, or one key where\n"
           "keys are asked for (default: no limit)");
  AddQuota(app, "--quota-program", &options->quotas.program_bytes,
           "The same of one program's (default: no limit)");
  app->add_option("--keep", options->keep,
                  "Remove runs that were stored more than so many days ago:\n"
                  "all, or those of a program or of a user or key; again for\n"
                  "more (default: all are kept)")
      ->type_name("DAYS|program=NAME:DAYS|user=NAME:DAYS");
  app->add_option("--log", options->log,
                  "How it says on stderr what happens: text, or json, an\n"
                  "object a line")
      ->type_name("FORM")
      ->check(CLI::IsMember({kTextLog, kJsonLog}).description(""))
      ->capture_default_str();
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
