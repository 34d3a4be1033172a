// A side-car with its page, and who asks it.
// Thread-safety: one test at a time.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <sys/socket.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "online_model/api/page.h"
#include "online_model/api/server.h"
#include "tests/support/scratch_folder.h"
#include "tests/unit/online_model/wire_client.h"

namespace ranksight::testing {

inline constexpr int kPageSeconds = kPatienceMs / 1000;

class PageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.listen = "tcp://127.0.0.1:*";
    options_.store_directory = directory_ + "/store";
    options_.http = "127.0.0.1:0";
  }
  void Start() {
    auto server = online_model::Server::Start(options_);
    ASSERT_TRUE(server.ok()) << server.status().message();
    server_ = std::move(server).value();
    page_ = {server_->http_address(), server_->http_token()};
  }
  void SendRuns() {
    for (int64_t ranks : {4, 9, 16, 25}) {
      WireClient client(server_->endpoint());
      client.SendRun("j" + std::to_string(ranks), ranks);
    }
    ASSERT_TRUE(server_->WaitForRuns(4, kPatienceMs));
  }
  nlohmann::json Get(const std::string& path) {
    const auto text = online_model::AskPage(page_, path, kPageSeconds);
    EXPECT_TRUE(text.ok()) << text.status().message();
    return text.ok() ? nlohmann::json::parse(*text, nullptr, false)
                     : nlohmann::json();
  }
  int Code(const std::string& path, const httplib::Headers& headers,
           const std::string& method = "GET") {
    httplib::Client client(page_.address);
    client.set_read_timeout(kPageSeconds);
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
  online_model::ServerOptions options_;
  std::unique_ptr<online_model::Server> server_;
  online_model::PageAddress page_;
};

}  // namespace ranksight::testing
