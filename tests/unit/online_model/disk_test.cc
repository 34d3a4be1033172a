// A disk that fails under a side-car: this program is linked with
// tests/support/fault_preload.c, which lets the n-th write fail.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "online_model/api/server.h"
#include "tests/support/scratch_folder.h"
#include "tests/unit/online_model/wire_client.h"

namespace ranksight::online_model {
namespace {

namespace fs = std::filesystem;
using reduction::FrameKind;
using testing::WireClient;

// Writes below `under` fail from here to the end of its life.
class Fault {
 public:
  Fault(const char* kind, int at, const std::string& under,
        const std::string& note)
      : note_(note) {
    ::setenv("FAULT_UNDER", under.c_str(), 1);
    ::setenv("FAULT_HIT", note.c_str(), 1);
    ::setenv("FAULT_AT", std::to_string(at).c_str(), 1);
    ::setenv("FAULT", kind, 1);
  }
  ~Fault() {
    for (const char* name : {"FAULT", "FAULT_AT", "FAULT_HIT", "FAULT_UNDER"}) {
      ::unsetenv(name);
    }
  }
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;
  bool WasHit() const { return fs::exists(note_); }

 private:
  std::string note_;
};

// Runs of one program, each on a disk of its own.
class Disk {
 public:
  Disk() {
    options_.listen = "tcp://127.0.0.1:*";
    options_.store_directory = folder_.path() + "/disk/store";
    options_.spool_directory = folder_.path() + "/disk/spool";
    options_.log = [](const LogEvent&) {};
  }
  std::string under() const { return folder_.path() + "/disk"; }
  std::string note() const { return folder_.path() + "/hit"; }

  reduction::Result<std::unique_ptr<Server>> Start() const {
    return Server::Start(options_);
  }
  // Whether a side-car on this disk says that it has the run.
  bool Gives() const {
    auto server = Start();
    if (!server.ok()) {
      EXPECT_EQ(server.status().code(), reduction::StatusCode::kIo);
      EXPECT_NE(server.status().message(), "");
      return false;
    }
    WireClient client((*server)->endpoint());
    return client.TrySendRun("job", 4);
  }
  void ExpectTheRunOnce() const {
    auto server = Start();
    ASSERT_TRUE(server.ok()) << server.status().message();
    const auto runs = (*server)->Runs();
    ASSERT_TRUE(runs.ok()) << runs.status().message();
    ASSERT_EQ(runs->size(), 1u);
    EXPECT_EQ(runs->front().job, "job");
    const auto bytes = reduction::ReadWholeFile(runs->front().path);
    ASSERT_TRUE(bytes.ok());
    EXPECT_EQ(*bytes, testing::EncodedRun("job", 4));
    const auto forecast = (*server)->ForecastFor("app", {});
    ASSERT_TRUE(forecast.ok()) << forecast.status().message();
    size_t files = 0;
    for (const auto& entry :
         fs::directory_iterator(options_.store_directory + "/runs")) {
      EXPECT_EQ(entry.path().extension(), ".trace") << entry.path();
      ++files;
    }
    EXPECT_EQ(files, 1u);
  }

 private:
  support::ScratchFolder folder_;
  ServerOptions options_;
};

// The number of writes there are. step: every so many is tried.
int LoseOneAfterAnother(const char* kind, int step) {
  for (int at = 1;; at += step) {
    SCOPED_TRACE(std::string(kind) + " at " + std::to_string(at));
    const Disk disk;
    bool given = false, hit = false;
    {
      const Fault fault(kind, at, disk.under(), disk.note());
      given = disk.Gives();
      hit = fault.WasHit();
    }
    if (given) {
      disk.ExpectTheRunOnce();
    } else {
      EXPECT_TRUE(hit);
      // There is room again, and the run comes again.
      EXPECT_TRUE(disk.Gives());
      disk.ExpectTheRunOnce();
    }
    if (!hit || ::testing::Test::HasFailure()) return at - 1;
  }
}

TEST(SideCarsDisk, FullAtAnyWriteLosesNoRunThatWasAcknowledged) {
  EXPECT_GT(LoseOneAfterAnother("ENOSPC", 1), 20);
}

TEST(SideCarsDisk, FailingAtSomeWriteLosesNoRunThatWasAcknowledged) {
  EXPECT_GT(LoseOneAfterAnother("EIO", 5), 20);
}

TEST(SideCarsDisk, WritesOneByteAtATime) {
  const Disk disk;
  {
    const Fault fault("short", 0, disk.under(), disk.note());
    EXPECT_TRUE(disk.Gives());
    EXPECT_TRUE(fault.WasHit());
  }
  disk.ExpectTheRunOnce();
}

}  // namespace
}  // namespace ranksight::online_model
