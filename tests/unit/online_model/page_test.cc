#include "online_model/api/page.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "online_model/api/server.h"
#include "tests/support/scratch_folder.h"
#include "tests/unit/online_model/wire_client.h"

namespace ranksight::online_model {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using reduction::StatusCode;
using testing::WireClient;

constexpr int kPatienceSeconds = testing::kPatienceMs / 1000;

class PageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.listen = "tcp://127.0.0.1:*";
    options_.store_directory = directory_ + "/store";
    options_.http = "127.0.0.1:0";
  }
  void Start() {
    auto server = Server::Start(options_);
    ASSERT_TRUE(server.ok()) << server.status().message();
    server_ = std::move(server).value();
    page_ = {server_->http_address(), server_->http_token()};
  }
  void SendRuns() {
    for (int64_t ranks : {4, 9, 16, 25}) {
      WireClient client(server_->endpoint());
      client.SendRun("j" + std::to_string(ranks), ranks);
    }
    ASSERT_TRUE(server_->WaitForRuns(4, testing::kPatienceMs));
  }
  json Get(const std::string& path) {
    const auto text = AskPage(page_, path, kPatienceSeconds);
    EXPECT_TRUE(text.ok()) << text.status().message();
    return text.ok() ? json::parse(*text, nullptr, false) : json();
  }
  int Code(const std::string& path, const httplib::Headers& headers,
           const std::string& method = "GET") {
    httplib::Client client(page_.address);
    client.set_read_timeout(kPatienceSeconds);
    httplib::Request request;
    request.method = method;
    request.path = path;
    request.headers = headers;
    const auto answer = client.send(request);
    return answer ? answer->status : -1;
  }

  // A connection to the page that nothing was said on.
  int Connect() const {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(uint16_t(
        std::stoi(page_.address.substr(page_.address.rfind(':') + 1))));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof(to)), 0);
    return fd;
  }
  // False when it was cut off.
  static bool SendText(int fd, const std::string& text) {
    return ::send(fd, text.data(), text.size(), MSG_NOSIGNAL) ==
           ssize_t(text.size());
  }

  const support::ScratchFolder folder_;
  const std::string& directory_ = folder_.path();
  ServerOptions options_;
  std::unique_ptr<Server> server_;
  PageAddress page_;
};

TEST_F(PageTest, TellsTheForecastOfWhatWasStored) {
  Start();
  SendRuns();
  const json state = Get("/api/state");
  ASSERT_EQ(state["groups"].size(), 1u);
  EXPECT_EQ(state["groups"][0]["program"], "app");
  EXPECT_EQ(state["counters"]["runs_stored"], 4);
  EXPECT_EQ(state["live"].size(), 4u);
  EXPECT_EQ(state["live"][0]["state"], "stored");
  EXPECT_EQ(state["live"][0]["user"], UserName(::geteuid()));
  const std::string id = state["groups"][0]["id"];
  const json forecast = Get("/api/forecast?ranks=100&group=" + id);
  EXPECT_NEAR(forecast["points"][0]["seconds"], 0.4 + 1, 0.05);
  EXPECT_EQ(forecast["sizes"].size(), 4u);
  EXPECT_EQ(forecast["sites"][0]["call"], "MPI_Barrier");
  EXPECT_GT(Get("/api/forecast?group=" + id)["points"].size(), 10u);
  EXPECT_EQ(Get("/api/runs")["runs"].size(), 4u);
}

TEST_F(PageTest, AnswersWhatTheCallerMakesOfARun) {
  const auto says = [](const std::string& what) {
    return [what](const reduction::Trace& trace) {
      return json{{what, trace.meta.ranks}}.dump();
    };
  };
  options_.extras.timeline = says("timeline");
  options_.extras.load = says("load");
  Start();
  SendRuns();
  EXPECT_EQ(Get("/api/timeline?job=j9")["timeline"], 9);
  EXPECT_EQ(Get("/api/load?job=j16")["load"], 16);
  const httplib::Headers token = {{"Authorization", "Bearer " + page_.token}};
  EXPECT_EQ(Code("/api/load?job=none", token), 404);
  EXPECT_EQ(Code("/api/load?job=j16", {}), 401);
  EXPECT_EQ(Code("/api/matrix?job=j16", token), 404);
}

TEST_F(PageTest, ListsEachProgramWithItsVerdictAndItsLastRun) {
  Start();
  SendRuns();
  testing::SyntheticRun other;
  other.job = "o1";
  other.program = "other";
  other.ranks = 2;
  other.events.push_back({reduction::Call::MPI_Barrier_, 16, 0.5, 0.25, 10});
  WireClient client(server_->endpoint());
  client.Hello(other.job, other.ranks);
  client.Segment(1, reduction::Encode(testing::MakeTrace(other),
                                      reduction::SketchForm::kQuantiles));
  ASSERT_EQ(client.End(1).kind, reduction::FrameKind::kAck);
  const json list = Get("/api/overview");
  ASSERT_EQ(list["programs"].size(), 2u);
  EXPECT_EQ(list["programs"][0]["program"], "other");
  EXPECT_EQ(list["programs"][0]["sizes"], json::parse("[[2,0.75]]"));
  EXPECT_EQ(list["programs"][0]["last_job"], "o1");
  EXPECT_EQ(list["programs"][0]["last_from"], UserName(::geteuid()));
  const json& app = list["programs"][1];
  EXPECT_EQ(app["runs"], 4);
  EXPECT_EQ(app["last_job"], "j25");
  EXPECT_EQ(app["last_ranks"], 25);
  EXPECT_EQ(app["sizes"].size(), 4u);
  EXPECT_GT(app["points"].size(), 4u);
  EXPECT_TRUE(app["by_laws"]);
  EXPECT_EQ(Get("/api/runs?group=" + std::string(app["id"]))["runs"].size(),
            4u);
}

TEST_F(PageTest, ListsWhatTheProgramsOwnPageSaysOnceThatIsWalked) {
  Start();
  SendRuns();
  const json before = Get("/api/overview");
  const std::string since =
      "/api/overview?since=" + std::string(before["stamp"]);
  EXPECT_EQ(AskPage(page_, since, kPatienceSeconds).value(), "");
  EXPECT_TRUE(server_->WaitForWalks(0)) << "the list alone makes no walks";
  const std::string id = before["programs"][0]["id"];
  Get("/api/forecast?group=" + id);
  ASSERT_TRUE(server_->WaitForWalks(testing::kPatienceMs));
  const json forecast = Get("/api/forecast?group=" + id);
  const json after = Get(since);
  EXPECT_EQ(after["programs"][0]["verdict"], forecast["verdict"]["text"]);
  std::vector<std::pair<int64_t, double>> points;
  for (const json& point : forecast["points"]) {
    if (!point["refused"])
      points.emplace_back(point["ranks"], point["seconds"]);
  }
  EXPECT_EQ(after["programs"][0]["points"], json(points));
}

TEST_F(PageTest, TellsEachRunThatWasStoredOrRefusedNewestFirst) {
  options_.quotas.program_bytes = 2000;
  Start();
  const auto send = [this](const std::string& job, int64_t ranks) {
    WireClient client(server_->endpoint());
    return client.SendRun(job, ranks).kind;
  };
  int64_t ranks = 4;
  while (send("j" + std::to_string(ranks), ranks) !=
         reduction::FrameKind::kRefuse) {
    ranks *= 2;
  }
  ASSERT_GT(ranks, 4);
  const json notices = Get("/api/state")["notices"];
  ASSERT_GE(notices.size(), 2u);
  EXPECT_EQ(notices[0]["ranks"], ranks);
  EXPECT_EQ(notices[0]["program"], "app");
  EXPECT_EQ(notices[0]["user"], UserName(::geteuid()));
  EXPECT_NE(notices[0]["refused"].get<std::string>().find("full"),
            std::string::npos);
  EXPECT_EQ(notices[1]["ranks"], ranks / 2);
  EXPECT_EQ(notices[1]["refused"], "");
  EXPECT_TRUE(notices[0]["text"].get<std::string>().starts_with(
      "refused app on " + std::to_string(ranks) + " ranks from " +
      UserName(::geteuid()) + ": "))
      << notices[0]["text"];
  EXPECT_EQ(notices[1]["text"], "stored app on " + std::to_string(ranks / 2) +
                                    " ranks from " + UserName(::geteuid()));
}

TEST_F(PageTest, SaysNothingWhenNothingIsNew) {
  Start();
  const json before = Get("/api/state");
  const std::string since =
      "/api/state?since=" + std::to_string(uint64_t(before["version"]));
  const auto nothing = AskPage(page_, since, kPatienceSeconds);
  ASSERT_TRUE(nothing.ok());
  EXPECT_EQ(*nothing, "");
  WireClient client(server_->endpoint());
  client.Hello("j", 4);
  client.Segment(1, {1, 2, 3});
  // The segment is acknowledged before the page is told of it.
  json after = Get(since);
  while (after.is_discarded()) after = Get(since);
  EXPECT_EQ(after["live"][0]["segments"], 1);
  EXPECT_EQ(after["live"][0]["bytes"], 3);
}

TEST_F(PageTest, ShowsWhatIsExpectedOfARunUnderWay) {
  Start();
  SendRuns();
  WireClient client(server_->endpoint());
  client.SendHalf("half", 64);
  const std::string id = Get("/api/state")["groups"][0]["id"];
  json run;
  while (run.is_null()) {
    const json forecast = Get("/api/forecast?ranks=100&group=" + id);
    if (!forecast["under_way"].empty()) run = forecast["under_way"][0];
  }
  EXPECT_EQ(run["job"], "half");
  EXPECT_NEAR(run["seconds"], 40.0 / 64 + 0.64, 0.02);
  EXPECT_NEAR(run["share_seen"], 0.5, 0.02);
  const auto metrics = AskPage(page_, "/metrics", kPatienceSeconds);
  ASSERT_TRUE(metrics.ok());
  EXPECT_NE(metrics->find("ranksight_under_way_seconds{program=\"app\""),
            std::string::npos);
  EXPECT_EQ(metrics->find("job="), std::string::npos) << *metrics;
  const json state = Get("/api/state");
  for (const json& live : state["live"]) {
    EXPECT_EQ(live["epochs"], live["job"] == "half" ? 1 : 0);
  }
}

TEST_F(PageTest, AsksForTheTokenAndALoopbackName) {
  Start();
  const httplib::Headers right = {{"Authorization", "Bearer " + page_.token}};
  const httplib::Headers wrong = {{"Authorization", "Bearer 0123"}};
  for (const char* path :
       {"/api/state", "/api/forecast", "/api/overview", "/api/runs",
        "/api/matrix?job=x", "/api/laws?group=x", "/api/none", "/metrics"}) {
    EXPECT_EQ(Code(path, {}), 401) << path;
    EXPECT_EQ(Code(path, wrong), 401) << path;
  }
  EXPECT_EQ(Code("/api/state", right), 200);
  EXPECT_EQ(Code("/", {}), 200);
  EXPECT_EQ(Code("/page.js", {}), 200);
  EXPECT_EQ(Code("/../http", right), 404);
  EXPECT_EQ(Code("/", {{"Host", "evil.example:80"}}), 403);
  EXPECT_EQ(Code("/api/state", right, "POST"), 405);
  EXPECT_EQ(Code("/api/state", right, "DELETE"), 405);
}

TEST_F(PageTest, AnswersWrongQuestionsWithTheReason) {
  Start();
  SendRuns();
  for (const char* path :
       {"/api/forecast?group=none&ranks=4", "/api/matrix?job=none",
        "/api/laws?group=none", "/api/runs?group=none",
        "/api/matrix?group=none&ranks=4", "/api/matrix?group=x&ranks=",
        "/api/matrix?group=x&ranks=4,9", "/api/forecast?group=x&ranks=4,,9",
        "/api/forecast?group=x&ranks=-1", "/api/none"}) {
    EXPECT_FALSE(AskPage(page_, path, kPatienceSeconds).ok()) << path;
  }
}

TEST_F(PageTest, FindsAMatrixByLawsOnceUntilThereIsAnotherRun) {
  std::vector<std::vector<int64_t>> searched;
  options_.extras.matrix = [](const reduction::Trace&) {
    return reduction::Result<std::string>(std::string("{}"));
  };
  options_.extras.matrix_at = [&](const auto& traces, int64_t ranks) {
    searched.push_back({ranks});
    for (const auto& trace : traces) {
      searched.back().push_back(trace.meta.ranks);
    }
    return reduction::Result<std::string>(std::string("{}"));
  };
  Start();
  SendRuns();
  const std::string group = Get("/api/state")["groups"][0]["id"];
  const auto ask = [&](int64_t ranks) {
    Get("/api/matrix?group=" + group + "&ranks=" + std::to_string(ranks));
  };
  for (const int64_t ranks : {64, 100, 64, 100}) ask(ranks);
  EXPECT_EQ(searched, (std::vector<std::vector<int64_t>>{{64, 4, 9, 16, 25},
                                                         {100, 4, 9, 16, 25}}));
  WireClient(server_->endpoint()).SendRun("j36", 36);
  ASSERT_TRUE(server_->WaitForRuns(5, testing::kPatienceMs));
  ask(64);
  EXPECT_EQ(searched.back(), (std::vector<int64_t>{64, 4, 9, 16, 25, 36}));
}

TEST_F(PageTest, SearchesNoMatrixThatWasMeasuredNorWaitsForASearch) {
  std::atomic<bool> is_searching = false, is_over = false;
  options_.extras.matrix = [](const reduction::Trace& trace) {
    return reduction::Result<std::string>(
        json{{"measured", trace.meta.ranks}}.dump());
  };
  options_.extras.matrix_at = [&](const auto&, int64_t) {
    is_searching = true;
    is_searching.notify_all();
    is_over.wait(false);
    return reduction::Result<std::string>(std::string("{\"made\": 64}"));
  };
  Start();
  SendRuns();
  const std::string group = Get("/api/state")["groups"][0]["id"];
  const std::string at = "/api/matrix?group=" + group + "&ranks=";
  json made;
  std::thread other([&] { made = Get(at + "64"); });
  is_searching.wait(false);
  EXPECT_EQ(Get(at + "16")["measured"], 16);
  is_over = true;
  is_over.notify_all();
  other.join();
  EXPECT_EQ(made["made"], 64);
}

TEST_F(PageTest, SaysWhyThereIsNoMatrixAtARankCount) {
  options_.extras.matrix = [](const reduction::Trace&) {
    return reduction::Result<std::string>(std::string("{}"));
  };
  options_.extras.matrix_at = [](const auto&, int64_t) {
    return reduction::Result<std::string>(reduction::Status::No("no law"));
  };
  Start();
  SendRuns();
  const std::string group = Get("/api/state")["groups"][0]["id"];
  EXPECT_EQ(Get("/api/matrix?group=" + group + "&ranks=64")["refused"],
            "no law");
}

TEST_F(PageTest, LeavesItsAddressForTheMonitorAndTakesItAway) {
  Start();
  const std::string note = options_.store_directory + "/http";
  const auto read = ReadPageAddress(options_.store_directory);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->address, page_.address);
  EXPECT_EQ(read->token, page_.token);
  struct stat info {};
  ASSERT_EQ(::stat(note.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  server_.reset();
  EXPECT_FALSE(fs::exists(note));
  EXPECT_EQ(ReadPageAddress(options_.store_directory).status().code(),
            StatusCode::kIo);
}

TEST_F(PageTest, MayEndBeforeItsThreadListens) {
  const std::string note = options_.store_directory + "/http";
  for (int i = 0; i < 200; ++i) {
    Start();
    ASSERT_TRUE(fs::exists(note)) << "start " << i;
    server_.reset();
    ASSERT_FALSE(fs::exists(note)) << "start " << i;
  }
}

TEST_F(PageTest, IsShownOnLoopbackOnly) {
  for (const char* where :
       {"0.0.0.0:0", "*:0", "example.org:80", "127.0.0.1", "127.0.0.1:x",
        "127.0.0.1:99999", "127.0.0.1:99999999999", ""}) {
    options_.http = where;
    if (*where == '\0') continue;  // no page at all
    EXPECT_EQ(Server::Start(options_).status().code(), StatusCode::kUsage)
        << where;
  }
}

// The server's end of a connection, which is of this process, too; -1: none.
int OtherEnd(int fd) {
  sockaddr_in own{};
  socklen_t size = sizeof(own);
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) != 0) {
    return -1;
  }
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    const int other = std::stoi(entry.path().filename());
    sockaddr_in peer{};
    size = sizeof(peer);
    if (::getpeername(other, reinterpret_cast<sockaddr*>(&peer), &size) == 0 &&
        peer.sin_family == AF_INET && peer.sin_port == own.sin_port) {
      return other;
    }
  }
  return -1;
}

// Held back, the second answer and those after it came 40 ms late each.
TEST_F(PageTest, HoldsNoAnswerBackUntilItsHeadIsAcknowledged) {
  Start();
  const int fd = Connect();
  ASSERT_TRUE(SendText(fd, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  char first = 0;
  ASSERT_EQ(::recv(fd, &first, 1, 0), 1);
  int is_sent_at_once = 0;
  socklen_t size = sizeof(is_sent_at_once);
  ASSERT_EQ(::getsockopt(OtherEnd(fd), IPPROTO_TCP, TCP_NODELAY,
                         &is_sent_at_once, &size),
            0);
  EXPECT_NE(is_sent_at_once, 0);
  ::close(fd);
}

TEST_F(PageTest, ReadersThatStallHoldUpNobody) {
  Start();
  std::vector<int> stalled;
  for (int i = 0; i < 500; ++i) {
    stalled.push_back(Connect());
    // Some say nothing at all.
    if (i % 2 == 0) SendText(stalled.back(), "GET /api");
  }
  SendRuns();
  EXPECT_EQ(server_->runs_stored(), 4u);
  EXPECT_EQ(Get("/api/runs")["runs"].size(), 4u);
  for (const int fd : stalled) ::close(fd);
}

// Each byte comes in time; the whole request never does.
TEST_F(PageTest, ReadersThatAskByteByByteHoldUpNobody) {
  Start();
  std::vector<int> slow;
  for (int i = 0; i < 64; ++i) {
    slow.push_back(Connect());
    SendText(slow.back(), "GET / HTTP/1.1\r\nX: ");
  }
  std::promise<void> answered;
  std::thread trickle([&slow, stop = answered.get_future()] {
    // A byte for each of them, and the next one a little later.
    const auto pace = std::chrono::milliseconds(20);
    do {
      for (const int fd : slow) SendText(fd, "x");
    } while (stop.wait_for(pace) == std::future_status::timeout);
  });
  EXPECT_EQ(Get("/api/state")["groups"].size(), 0u);
  answered.set_value();
  trickle.join();
  for (const int fd : slow) ::close(fd);
}

TEST_F(PageTest, ReadersThatAskWithoutEndAreCutOff) {
  Start();
  const int fd = Connect();
  SendText(fd, "GET / HTTP/1.1\r\n");
  const std::string line = "X: " + std::string(1000, 'x') + "\r\n";
  size_t sent = 0;
  while (sent < (size_t{64} << 20) && SendText(fd, line)) sent += line.size();
  EXPECT_LT(sent, size_t{64} << 20);
  ::close(fd);
  EXPECT_EQ(Code("/", {}), 200);
  EXPECT_EQ(Code("/", {{"X-Long", std::string(7000, 'x')}}), 200);
  EXPECT_NE(Code("/", {{"X-Long", std::string(9000, 'x')}}), 200);
}

TEST_F(PageTest, IsPackedByGzipWhereABrowserWouldTakeBrotliToo) {
  Start();
  httplib::Client client(page_.address);
  client.set_read_timeout(kPatienceSeconds);
  const auto answer =
      client.Get("/page.js", {{"Accept-Encoding", "gzip, deflate, br, zstd"}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->get_header_value("Content-Encoding"), "gzip");
  EXPECT_NE(answer->body.find("ranksightReport"), std::string::npos);
}

TEST_F(PageTest, MetricsAreLinesOfPrometheusText) {
  Start();
  SendRuns();
  WireClient client(server_->endpoint());
  testing::SyntheticRun odd;
  odd.job = "odd";
  odd.program = "a\"\\\n\xff";
  odd.events.emplace_back();
  client.Hello(odd.job, odd.ranks);
  client.Segment(1, reduction::Encode(testing::MakeTrace(odd),
                                      reduction::SketchForm::kQuantiles));
  ASSERT_EQ(client.End(1).kind, reduction::FrameKind::kAck);
  const auto text = AskPage(page_, "/metrics", kPatienceSeconds);
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("\nranksight_runs_stored_total 5\n"), std::string::npos);
  EXPECT_NE(text->find("\nranksight_store_runs 5\n"), std::string::npos);
  EXPECT_NE(text->find("\nranksight_store_quota_bytes 17179869184\n"),
            std::string::npos);
  EXPECT_NE(text->find("program=\"a\\\"\\\\??\""), std::string::npos) << *text;
  EXPECT_NO_THROW((void)json(*text).dump()) << "not UTF-8";
  EXPECT_NE(text->find("ranksight_forecast_seconds{program=\"app\""),
            std::string::npos);
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("# ", 0) == 0) continue;
    const size_t blank = line.rfind(' ');
    ASSERT_NE(blank, std::string::npos) << line;
    EXPECT_EQ(line.rfind("ranksight_", 0), 0u) << line;
    EXPECT_NO_THROW((void)std::stod(line.substr(blank))) << line;
  }
}

TEST_F(PageTest, MetricsStaySmallHoweverManyProgramsThereAre) {
  Start();
  const std::string name(300, 'x');
  for (int i = 0; i < 60; ++i) {
    testing::SyntheticRun run;
    run.job = "j" + std::to_string(i);
    run.program = name + std::to_string(i);
    run.events.push_back({reduction::Call::MPI_Barrier_, 16, 0.5, 0.25, 10});
    WireClient client(server_->endpoint());
    client.Hello(run.job, run.ranks);
    client.Segment(1, reduction::Encode(testing::MakeTrace(run),
                                        reduction::SketchForm::kQuantiles));
    ASSERT_EQ(client.End(1).kind, reduction::FrameKind::kAck);
  }
  const auto text = AskPage(page_, "/metrics", kPatienceSeconds);
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("\nranksight_groups 60\n"), std::string::npos);
  size_t measured = 0;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    measured += line.rfind("ranksight_measured_seconds{", 0) == 0;
    EXPECT_LT(line.size(), 300u) << line;
  }
  EXPECT_EQ(measured, 50u);
}

TEST_F(PageTest, TheTokenOutlivesTheServerAndOthersReadMetricsAlone) {
  Start();
  const std::string owner = page_.token;
  server_.reset();
  const std::string metrics(32, 'm'), second(32, 's');
  std::ofstream(options_.store_directory + "/tokens", std::ios::app)
      << "\n# of the group\nprometheus metrics " << metrics
      << "\ncolleague page " << second << '\n';
  Start();
  EXPECT_EQ(page_.token, owner);
  const auto code = [&](const std::string& path, const std::string& token) {
    return Code(path, {{"Authorization", "Bearer " + token}});
  };
  EXPECT_EQ(code("/metrics", metrics), 200);
  EXPECT_EQ(code("/api/state", metrics), 401);
  EXPECT_EQ(code("/api/state", second), 200);
  EXPECT_EQ(code("/metrics", second), 200);
  EXPECT_EQ(code("/metrics", std::string(32, 'x')), 401);
}

TEST_F(PageTest, RefusesTokensThatOthersMayReadAndLinesThatAreNone) {
  Start();
  server_.reset();
  const std::string file = options_.store_directory + "/tokens";
  ASSERT_EQ(::chmod(file.c_str(), 0640), 0);
  EXPECT_EQ(Server::Start(options_).status().code(), StatusCode::kIo);
  ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
  for (const std::string line :
       {"a page short", "a all 0123456789abcdef0123456789abcdef",
        "a metrics 0123456789abcdef0123456789abcdef"}) {
    std::ofstream(file) << line << '\n';
    EXPECT_EQ(Server::Start(options_).status().code(), StatusCode::kBadInput)
        << line;
  }
}

TEST(CurveRanks, GoOnWithThePatternOfTheSizesMeasured) {
  const auto all = [](const std::vector<int64_t>& measured, auto fits) {
    const std::vector<int64_t> ranks = CurveRanks(measured);
    EXPECT_GT(ranks.size(), 5u);
    EXPECT_TRUE(std::is_sorted(ranks.begin(), ranks.end()));
    EXPECT_LE(ranks.back(), 64 * measured.back());
    EXPECT_GE(ranks.back(), 32 * measured.back());
    for (const int64_t n : ranks) EXPECT_TRUE(fits(n)) << n;
    for (const int64_t n : measured) {
      EXPECT_TRUE(std::binary_search(ranks.begin(), ranks.end(), n)) << n;
    }
  };
  all({4, 8, 16}, [](int64_t n) { return (n & (n - 1)) == 0; });
  all({4, 9, 16, 25}, [](int64_t n) {
    const int64_t root = std::llround(std::sqrt(double(n)));
    return root * root == n;
  });
  all({8, 27, 64}, [](int64_t n) {
    const int64_t root = std::llround(std::cbrt(double(n)));
    return root * root * root == n;
  });
  all({12, 24, 36}, [](int64_t n) { return n % 12 == 0; });
  all({3, 5, 7}, [](int64_t n) { return n > 0; });
  EXPECT_TRUE(CurveRanks({}).empty());
}

TEST(Report, IsOneFileWithItsDataAndNoWayOut) {
  std::string html = ReportHtml(
      {"<!--<script>", R"({"program":"</script><b>","points":[]})", "", ""});
  // Names of XML, which nobody asks for.
  const std::string names = "http://www.w3.org/";
  for (size_t at; (at = html.find(names)) != std::string::npos;) {
    html.erase(at, names.size());
  }
  EXPECT_NE(html.find("window.ranksightReport"), std::string::npos);
  EXPECT_EQ(html.find("</script><b>"), std::string::npos);
  EXPECT_EQ(html.find("<!--<script>"), std::string::npos);
  for (const char* outside : {"src=\"", "href=\"", "http://", "https://"}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
}

}  // namespace
}  // namespace ranksight::online_model
