// Who may see the page, and where.
#include <gtest/gtest.h>
#include <httplib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "online_model/api/server.h"
#include "tests/unit/online_model/page_fixture.h"

namespace ranksight::online_model {
namespace {

namespace fs = std::filesystem;
using reduction::StatusCode;
using testing::PageTest;

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

}  // namespace
}  // namespace ranksight::online_model
