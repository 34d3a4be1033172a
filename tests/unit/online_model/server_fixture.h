// A side-car on a store of its own, for tests.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "online_model/api/server.h"
#include "tests/support/scratch_folder.h"

namespace ranksight::online_model {

class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.listen = "tcp://127.0.0.1:*";
    options_.store_directory = directory_ + "/store";
    options_.log = [this](const LogEvent&) { ++lines_; };
  }
  // Of its log, of which a second has 20 lines.
  int MostLines() const {
    const auto went_by = std::chrono::steady_clock::now() - began_;
    return 20 * int(1 + went_by / std::chrono::seconds(1));
  }
  std::unique_ptr<Server> Start() {
    auto server = Server::Start(options_);
    EXPECT_TRUE(server.ok()) << server.status().message();
    return server.ok() ? std::move(server).value() : nullptr;
  }

  const support::ScratchFolder folder_;
  const std::string& directory_ = folder_.path();
  ServerOptions options_;
  std::atomic<int> lines_{0};
  const std::chrono::steady_clock::time_point began_ =
      std::chrono::steady_clock::now();
};

}  // namespace ranksight::online_model
