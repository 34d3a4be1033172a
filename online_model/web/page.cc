#include "online_model/web/page.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "online_model/api/page.h"
#include "online_model/store/files.h"
#include "online_model/web/answers.h"
#include "online_model/web/assets.h"
#include "online_model/web/bounded_server.h"
#include "online_model/web/kept_answers.h"
#include "online_model/web/tokens.h"

namespace ranksight::online_model {
namespace {

using httplib::Request;
using httplib::Response;
using reduction::Result;
using reduction::Status;

// Connections served at a time; a page that is open holds one.
constexpr size_t kConnections = 32;
// Traces read for the laws of a group: one a size, the smallest.
constexpr size_t kMostLawSizes = 6;

// In the store: where the page is, and the token that opens it.
constexpr char kNote[] = "http";

constexpr char kJson[] = "application/json";

bool IsLoopbackName(const std::string& host) {
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]" ||
         host == "::1";
}

// "HOST:PORT" or "HOST".
std::string HostOf(const std::string& where) {
  const size_t colon = where.rfind(':');
  const size_t bracket = where.rfind(']');
  if (colon == std::string::npos ||
      (bracket != std::string::npos && bracket > colon)) {
    return where;
  }
  return where.substr(0, colon);
}

int HttpCode(const Status& status) {
  switch (status.code()) {
    case reduction::StatusCode::kNo:
      return 404;
    case reduction::StatusCode::kUsage:
      return 400;
    default:
      return 500;
  }
}

void Answer(const Result<std::string>& text, const char* type, Response* out) {
  if (text.ok()) {
    out->set_content(*text, type);
    return;
  }
  out->status = HttpCode(text.status());
  out->set_content(text.status().message() + "\n", "text/plain");
}

// The first of a group on so many ranks; nullptr: there is none.
const RunRecord* CompleteRun(const std::vector<RunRecord>& runs,
                             const RunGroup& group, int64_t ranks) {
  const auto run = std::ranges::find_if(runs, [&](const RunRecord& r) {
    return r.ranks == ranks && group.Has(r) && r.complete;
  });
  return run == runs.end() ? nullptr : &*run;
}

// That laws say nothing is an answer like any other, and as slow to find.
Result<std::string> OrWhyNot(Result<std::string> found) {
  if (found.ok() || found.status().code() != reduction::StatusCode::kNo) {
    return found;
  }
  return RefusedJson(found.status().message());
}

}  // namespace

struct WebPage::Http {
  PageExtras extras;
  Server* server = nullptr;
  Tokens tokens;
  BoundedServer http{kConnections};
  std::thread thread;
  std::atomic<bool> ended = false;  // the thread has left listening
  KeptAnswers kept;                 // laws, and matrices at rank counts

  void Decorate();
  void Guard();
  void Route();
  Result<std::string> Forecast(const Request& request) const;
  Result<std::string> Runs(const Request& request) const;
  // of: one of extras.
  Result<std::string> OfRun(const PageExtras::OfRun& of,
                            const Request& request) const;
  Result<RunGroup> GroupOf(const Request& request) const;
  Result<std::string> LawsOf(const Request& request);
  // Complete runs of the group, one of each size, the smallest sizes.
  Result<std::vector<reduction::Trace>> RunsOf(const RunGroup& group) const;
  Result<std::string> FindMatrix(const RunGroup& group, int64_t ranks) const;
  Result<std::string> MatrixOf(const Request& request);
};

void WebPage::Http::Decorate() {
  http.set_default_headers(
      {{"Cache-Control", "no-store"},
       {"X-Content-Type-Options", "nosniff"},
       {"Referrer-Policy", "no-referrer"},
       {"Content-Security-Policy",
        "default-src 'self'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' blob:; "
        "frame-ancestors 'none'"}});
  http.set_exception_handler(
      [](const Request&, Response& out, std::exception_ptr) {
        out.status = 500;
        out.set_content("the answer could not be made\n", "text/plain");
      });
}

void WebPage::Http::Guard() {
  using Next = httplib::Server::HandlerResponse;
  http.set_pre_routing_handler([this](const Request& in, Response& out) {
    const bool looks = in.method == "GET" || in.method == "HEAD";
    const bool open = in.path.rfind("/api/", 0) != 0 && in.path != "/metrics";
    if (!IsLoopbackName(HostOf(in.get_header_value("Host")))) {
      out.status = 403;
    } else if (!looks) {
      out.status = 405;
    } else if (!open &&
               !tokens.Allow(in.get_header_value("Authorization"), in.path)) {
      out.status = 401;
      out.set_header("WWW-Authenticate", "Bearer");
    } else {
      return Next::Unhandled;
    }
    out.set_content("refused\n", "text/plain");
    return Next::Handled;
  });
}

Result<std::string> WebPage::Http::Forecast(const Request& request) const {
  const std::string id = request.get_param_value("group");
  std::vector<int64_t> ranks;
  if (request.has_param("ranks")) {
    auto parsed = ParseRanks(request.get_param_value("ranks"));
    if (!parsed.ok()) return parsed.status();
    ranks = std::move(parsed).value();
  } else {
    for (const RunGroup& group : server->Groups()) {
      if (group.id == id) ranks = CurveRanks(group.measured);
    }
  }
  const auto forecast = server->ForecastOf(id, ranks);
  if (!forecast.ok()) return forecast.status();
  return ToJson(*forecast);
}

Result<std::string> WebPage::Http::Runs(const Request& request) const {
  auto runs = server->Runs();
  if (!runs.ok()) return runs.status();
  if (!request.has_param("group")) return RunsJson(*runs);
  const auto group = GroupOf(request);
  if (!group.ok()) return group.status();
  std::erase_if(*runs, [&](const RunRecord& run) { return !group->Has(run); });
  return RunsJson(*runs);
}

Result<std::string> WebPage::Http::OfRun(const PageExtras::OfRun& of,
                                         const Request& request) const {
  if (!of) return Status::No("this side-car does not look into runs");
  const auto trace = server->LoadRun(request.get_param_value("job"));
  if (!trace.ok()) return trace.status();
  return of(*trace);
}

Result<std::vector<reduction::Trace>> WebPage::Http::RunsOf(
    const RunGroup& group) const {
  const auto runs = server->Runs();
  if (!runs.ok()) return runs.status();
  std::vector<reduction::Trace> traces;
  for (const int64_t ranks : group.measured) {
    if (traces.size() >= kMostLawSizes) break;
    const RunRecord* run = CompleteRun(*runs, group, ranks);
    if (run == nullptr) continue;
    auto trace = server->LoadRun(run->job);
    if (!trace.ok()) return trace.status();
    traces.push_back(std::move(trace).value());
  }
  return traces;
}

Result<RunGroup> WebPage::Http::GroupOf(const Request& request) const {
  const std::string id = request.get_param_value("group");
  const std::vector<RunGroup> groups = server->Groups();
  const auto group = std::ranges::find(groups, id, &RunGroup::id);
  if (group == groups.end()) return Status::No("there is no group " + id);
  return *group;
}

Result<std::string> WebPage::Http::FindMatrix(const RunGroup& group,
                                              int64_t ranks) const {
  const auto traces = RunsOf(group);
  if (!traces.ok()) return traces.status();
  return OrWhyNot(extras.matrix_at(*traces, ranks));
}

Result<std::string> WebPage::Http::MatrixOf(const Request& request) {
  if (!request.has_param("ranks")) return OfRun(extras.matrix, request);
  if (!extras.matrix_at || !extras.matrix) {
    return Status::No("this side-car looks for no laws");
  }
  const auto asked = ParseRanks(request.get_param_value("ranks"));
  if (!asked.ok()) return asked.status();
  if (asked->size() != 1) return Status::Usage("ranks: one number");
  const int64_t ranks = asked->front();
  const auto group = GroupOf(request);
  if (!group.ok()) return group.status();
  const std::string what = "matrix at " + std::to_string(ranks);
  const auto runs = server->Runs();
  if (!runs.ok()) return runs.status();
  if (const RunRecord* run = CompleteRun(*runs, *group, ranks)) {
    // Nothing is searched where it was measured.
    return kept.Of(*group, what, [&]() -> Result<std::string> {
      const auto trace = server->LoadRun(run->job);
      if (!trace.ok()) return trace.status();
      return OrWhyNot(extras.matrix(*trace));
    });
  }
  return kept.OfSearch(*group, what, [&] { return FindMatrix(*group, ranks); });
}

Result<std::string> WebPage::Http::LawsOf(const Request& request) {
  if (!extras.laws) return Status::No("this side-car looks for no laws");
  const auto group = GroupOf(request);
  if (!group.ok()) return group.status();
  return kept.OfSearch(*group, "laws", [&]() -> Result<std::string> {
    const auto traces = RunsOf(*group);
    if (!traces.ok()) return traces.status();
    return OrWhyNot(extras.laws(*traces));
  });
}

void WebPage::Http::Route() {
  for (const Asset& asset : Assets()) {
    http.Get(std::string(asset.path), [&asset](const Request&, Response& out) {
      out.set_content(asset.content.data(), asset.content.size(),
                      std::string(asset.type));
    });
  }
  http.Get("/api/state", [this](const Request& in, Response& out) {
    if (in.get_param_value("since") == std::to_string(server->version())) {
      out.status = 204;  // nothing new
      return;
    }
    Answer(StateJson(server), kJson, &out);
  });
  http.Get("/api/forecast", [this](const Request& in, Response& out) {
    Answer(Forecast(in), kJson, &out);
  });
  http.Get("/api/overview", [this](const Request& in, Response& out) {
    const StampedText overview = OverviewJson(server->Overview());
    if (in.get_param_value("since") == overview.stamp) {
      out.status = 204;
      return;
    }
    Answer(overview.text, kJson, &out);
  });
  http.Get("/api/runs", [this](const Request& in, Response& out) {
    Answer(Runs(in), kJson, &out);
  });
  http.Get("/api/matrix", [this](const Request& in, Response& out) {
    Answer(MatrixOf(in), kJson, &out);
  });
  for (const auto& [path, of] : {std::pair{"/api/timeline", &extras.timeline},
                                 std::pair{"/api/load", &extras.load}}) {
    http.Get(path, [this, of = of](const Request& in, Response& out) {
      Answer(OfRun(*of, in), kJson, &out);
    });
  }
  http.Get("/api/laws", [this](const Request& in, Response& out) {
    Answer(LawsOf(in), kJson, &out);
  });
  http.Get("/metrics", [this](const Request&, Response& out) {
    Answer(MetricsText(server), "text/plain; version=0.0.4", &out);
  });
}

WebPage::WebPage() : http_(std::make_unique<Http>()) {}

WebPage::~WebPage() {
  if (!http_->thread.joinable()) return;
  // stop() does nothing to a thread that does not listen yet.
  while (!http_->http.is_running() && !http_->ended) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  http_->http.stop();
  http_->thread.join();
  const auto noted = ReadPageAddress(store_directory_);
  if (noted.ok() && noted->address == address_) {
    ::unlink((store_directory_ + "/" + kNote).c_str());
  }
}

Result<std::unique_ptr<WebPage>> WebPage::Open(
    const std::string& where, const std::string& store_directory,
    PageExtras extras, Server* server) {
  const std::string host = HostOf(where);
  int port = 0;
  const char* const digits = where.data() + host.size() + 1;
  const char* const end = where.data() + where.size();
  const auto read = host.size() + 1 < where.size()
                        ? std::from_chars(digits, end, port)
                        : std::from_chars_result{digits, std::errc()};
  if (read.ptr == digits || read.ptr != end || read.ec != std::errc() ||
      port < 0 || port > 65535) {
    return Status::Usage(where + ": not HOST:PORT");
  }
  if (!IsLoopbackName(host)) {
    return Status::Usage(where +
                         ": the page is shown on loopback only; use "
                         "ssh -L to see it from elsewhere");
  }
  auto tokens = Tokens::Read(store_directory);
  if (!tokens.ok()) return tokens.status();
  std::unique_ptr<WebPage> page(new WebPage);
  Http& http = *page->http_;
  http.extras = std::move(extras);
  http.server = server;
  http.Decorate();
  http.tokens = std::move(*tokens);
  http.Guard();
  http.Route();
  const std::string bind_host = host == "localhost" ? "127.0.0.1"
                                : host == "[::1]"   ? "::1"
                                                    : host;
  const int bound = port == 0 ? http.http.bind_to_any_port(bind_host)
                    : http.http.bind_to_port(bind_host, port) ? port
                                                              : -1;
  if (bound <= 0) {
    return Status::Io("cannot show the page at " + where + ": " +
                      std::strerror(errno));
  }
  http.http.AwaitMany();
  page->token_ = http.tokens.owner();
  page->address_ = "http://" + (bind_host == "::1" ? "[::1]" : bind_host) +
                   ":" + std::to_string(bound);
  page->store_directory_ = store_directory;
  const Status noted = WriteDurably(
      store_directory, kNote, page->address_ + "\n" + page->token_ + "\n");
  if (!noted.ok()) return noted;
  http.thread = std::thread([raw = &http] {
    raw->http.listen_after_bind();
    raw->ended = true;
  });
  return page;
}

}  // namespace ranksight::online_model
