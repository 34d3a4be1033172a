#include "online_model/api/store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "online_model/store/database.h"
#include "online_model/store/serving_lock.h"
#include "reduction/api/codec.h"
#include "tests/support/scratch_folder.h"
#include "tests/unit/online_model/synthetic_run.h"

namespace ranksight::online_model {
namespace {

namespace fs = std::filesystem;
using reduction::StatusCode;

std::vector<uint8_t> Encoded(const std::string& job, int64_t ranks = 4,
                             const std::string& program = "app") {
  testing::SyntheticRun run;
  run.job = job;
  run.ranks = ranks;
  run.program = program;
  run.elapsed_seconds = 1.5;
  run.events.push_back({reduction::Call::MPI_Barrier_, 16, 1, 0.5, 10});
  return reduction::Encode(testing::MakeTrace(run),
                           reduction::SketchForm::kQuantiles);
}

class StoreTest : public ::testing::Test {
 protected:
  Store Open() {
    auto store = Store::Open(directory_);
    EXPECT_TRUE(store.ok()) << store.status().message();
    return std::move(store).value();
  }
  std::vector<RunRecord> ListAll(const Store& store) {
    auto runs = store.List();
    EXPECT_TRUE(runs.ok()) << runs.status().message();
    return std::move(runs).value();
  }

  const support::ScratchFolder folder_;
  const std::string& parent_ = folder_.path();
  const std::string directory_ = parent_ + "/store";
};

TEST_F(StoreTest, ARunKeepsTheJobOfItsLauncher) {
  reduction::Trace trace = *reduction::Decode(Encoded("j1"));
  trace.meta.launch = {"slurm", "4711", "0", 2, "2(x2)"};
  const auto bytes =
      reduction::Encode(trace, reduction::SketchForm::kQuantiles);
  Store store = Open();
  ASSERT_TRUE(store.AddRun(bytes).ok());
  ASSERT_TRUE(store.AddRun(Encoded("j2")).ok());
  const auto runs = ListAll(store);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].launch, "slurm 4711.0");
  EXPECT_EQ(runs[1].launch, "");
}

TEST_F(StoreTest, GivesBackWhatWasAddedAlsoAfterReopening) {
  const auto bytes = Encoded("j1", 9);
  {
    Store store = Open();
    auto run = store.AddRun(bytes);
    ASSERT_TRUE(run.ok()) << run.status().message();
    EXPECT_EQ(run->job, "j1");
    EXPECT_EQ(run->ranks, 9);
    EXPECT_DOUBLE_EQ(run->seconds, 1.5);
  }
  Store store = Open();
  const auto runs = ListAll(store);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].program, "app");
  EXPECT_EQ(runs[0].bytes, bytes.size());
  EXPECT_EQ(runs[0].path, directory_ + "/runs/j1.trace");
  auto trace = store.Load(runs[0]);
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(reduction::Encode(*trace, reduction::SketchForm::kQuantiles),
            bytes);
}

TEST_F(StoreTest, AddingAJobTwiceChangesNothing) {
  Store store = Open();
  const auto first = store.AddRun(Encoded("j1", 4));
  const auto again = store.AddRun(Encoded("j1", 9));
  ASSERT_TRUE(first.ok() && again.ok());
  EXPECT_EQ(again->ranks, 4);
  EXPECT_EQ(again->stored_unix_ns, first->stored_unix_ns);
  EXPECT_EQ(ListAll(store).size(), 1u);
}

// Chunks of equal lengths that end in their CRC have one CRC together.
TEST_F(StoreTest, RunsWithoutANameAreAsManyAsDiffer) {
  Store store = Open();
  const auto four = Encoded("", 4), five = Encoded("", 5);
  ASSERT_EQ(four.size(), five.size());
  for (const auto& bytes : {four, five, four}) {
    const auto run = store.AddRun(bytes);
    ASSERT_TRUE(run.ok()) << run.status().message();
    EXPECT_EQ(run->ranks, bytes == four ? 4 : 5);
  }
  EXPECT_EQ(ListAll(store).size(), 2u);
}

TEST_F(StoreTest, ListsOneProgramOldestFirst) {
  Store store = Open();
  ASSERT_TRUE(store.AddRun(Encoded("z", 4, "app")).ok());
  ASSERT_TRUE(store.AddRun(Encoded("m", 4, "other")).ok());
  ASSERT_TRUE(store.AddRun(Encoded("a", 9, "app")).ok());
  const auto runs = store.List("app");
  ASSERT_TRUE(runs.ok());
  ASSERT_EQ(runs->size(), 2u);
  EXPECT_EQ((*runs)[0].job, "z");
  EXPECT_EQ((*runs)[1].job, "a");
}

TEST_F(StoreTest, RefusesDamagedBytesAndKeepsNothingOfThem) {
  Store store = Open();
  auto bytes = Encoded("j1");
  bytes[bytes.size() / 2] ^= 0x40;
  EXPECT_EQ(store.AddRun(bytes).status().code(), StatusCode::kBadInput);
  bytes = Encoded("j1");
  bytes.resize(bytes.size() / 2);
  EXPECT_EQ(store.AddRun(bytes).status().code(), StatusCode::kBadInput);
  EXPECT_TRUE(ListAll(store).empty());
  EXPECT_TRUE(fs::is_empty(directory_ + "/runs"));
}

TEST_F(StoreTest, HostileJobNamesStayInsideTheDirectory) {
  Store store = Open();
  const std::vector<std::string> jobs = {"../../etc/passwd",
                                         "/abs",
                                         "..",
                                         ".",
                                         "a/b",
                                         "a b",
                                         std::string(4000, 'x'),
                                         "nul\0inside",
                                         ".hidden",
                                         "semi;colon'quote",
                                         "a\nb",
                                         "a_b",
                                         "..%2f"};
  for (const std::string& job : jobs) {
    auto run = store.AddRun(Encoded(job));
    ASSERT_TRUE(run.ok()) << run.status().message();
    EXPECT_EQ(fs::path(run->path).parent_path(), directory_ + "/runs");
    EXPECT_TRUE(fs::is_regular_file(run->path)) << run->path;
  }
  EXPECT_EQ(ListAll(store).size(), jobs.size());
  size_t entries = 0;
  for (const auto& e : fs::directory_iterator(parent_)) entries += e.exists();
  EXPECT_EQ(entries, 1u);
}

TEST_F(StoreTest, OnlyTheOwnerCanReadIt) {
  Store store = Open();
  auto run = store.AddRun(Encoded("j1"));
  ASSERT_TRUE(run.ok());
  const auto mode = [](const std::string& path) {
    struct stat info {};
    EXPECT_EQ(::stat(path.c_str(), &info), 0);
    return info.st_mode & 0777;
  };
  EXPECT_EQ(mode(directory_), 0700u);
  EXPECT_EQ(mode(directory_ + "/runs"), 0700u);
  EXPECT_EQ(mode(directory_ + "/index.sqlite"), 0600u);
  EXPECT_EQ(mode(run->path), 0600u);
}

TEST_F(StoreTest, WhereEverybodyMayWriteThereIsNone) {
  (void)Open();
  fs::permissions(directory_, fs::perms::others_write, fs::perm_options::add);
  const auto refused = Store::Open(directory_);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code(), StatusCode::kIo);
  EXPECT_NE(refused.status().message().find("chmod o-w"), std::string::npos);
  fs::permissions(directory_, fs::perms::others_write,
                  fs::perm_options::remove);
  EXPECT_TRUE(Store::Open(directory_).ok());
}

TEST_F(StoreTest, RunsElsewhereAreRefusedAndLeftAlone) {
  (void)Open();
  const std::string elsewhere = parent_ + "/elsewhere";
  fs::rename(directory_ + "/runs", elsewhere);
  fs::permissions(elsewhere, fs::perms(0755));
  fs::create_directory_symlink(elsewhere, directory_ + "/runs");
  const auto refused = Store::Open(directory_);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code(), StatusCode::kIo);
  EXPECT_EQ(fs::status(elsewhere).permissions(), fs::perms(0755));
}

TEST_F(StoreTest, ALinkOfOursIsAStore) {
  (void)Open();
  const std::string link = parent_ + "/link";
  fs::create_directory_symlink(directory_, link);
  EXPECT_TRUE(Store::Open(link).ok());
}

TEST_F(StoreTest, ALinkOfAnotherUserIsNone) {
  (void)Open();
  const std::string link = parent_ + "/link";
  fs::create_directory_symlink(directory_, link);
  constexpr uid_t kNobody = 65534;
  if (::lchown(link.c_str(), kNobody, kNobody) != 0) {
    GTEST_SKIP() << "only root gives a link away";
  }
  for (const char* end : {"", "/"}) {
    const auto refused = Store::Open(link + end);
    ASSERT_FALSE(refused.ok()) << end;
    EXPECT_EQ(refused.status().code(), StatusCode::kIo);
    EXPECT_NE(refused.status().message().find("another user"),
              std::string::npos);
  }
}

// A service has a user of its own, and who imports runs there is root.
TEST_F(StoreTest, WhatRootMakesThereIsItsOwners) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  constexpr uid_t kOwner = 64001;
  const std::string store = parent_ + "/of a service";
  fs::create_directory(store);
  ASSERT_EQ(::chown(store.c_str(), kOwner, kOwner), 0);
  {
    auto opened = Store::Open(store);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    ASSERT_TRUE(opened->AddRun(Encoded("j1")).ok());
    reduction::Names names;
    names.modules["b1"][0x10].push_back({"main", "app.c", 7});
    ASSERT_TRUE(opened->AddNames(names).ok());
    ASSERT_TRUE(ServingLock::Take(store).ok());
  }
  size_t made = 0;
  for (const auto& entry : fs::recursive_directory_iterator(store)) {
    struct stat info {};
    ASSERT_EQ(::stat(entry.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_uid, kOwner) << entry.path();
    EXPECT_EQ(info.st_gid, kOwner) << entry.path();
    ++made;
  }
  // Two folders, a file in each, the index and the lock.
  EXPECT_GE(made, 6u);
}

TEST_F(StoreTest, RebuildsALostIndexFromTheFiles) {
  {
    Store store = Open();
    ASSERT_TRUE(store.AddRun(Encoded("j1", 4)).ok());
    ASSERT_TRUE(store.AddRun(Encoded("j/2", 9)).ok());
  }
  for (const char* end : {"", "-wal", "-shm"}) {
    fs::remove(directory_ + "/index.sqlite" + end);
  }
  Store store = Open();
  EXPECT_EQ(ListAll(store).size(), 2u);
  auto again = store.AddRun(Encoded("j/2", 16));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->ranks, 9);
}

TEST_F(StoreTest, AnIndexOfAnotherVersionIsMadeAgain) {
  ASSERT_TRUE(Open().AddRun(Encoded("j1", 9)).ok());
  for (const char* version : {"0", "77"}) {
    {
      auto index = Database::Open(directory_ + "/index.sqlite");
      ASSERT_TRUE(index.ok());
      ASSERT_TRUE(index->Run("ALTER TABLE runs RENAME COLUMN job TO run").ok());
      ASSERT_TRUE(
          index->Run(std::string("PRAGMA user_version = ") + version).ok());
    }
    const auto runs = ListAll(Open());
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].job, "j1");
    EXPECT_EQ(runs[0].ranks, 9);
  }
}

TEST_F(StoreTest, ADamagedIndexIsNamedAndCanBeTakenAway) {
  ASSERT_TRUE(Open().AddRun(Encoded("j1")).ok());
  const std::string index = directory_ + "/index.sqlite";
  std::ofstream(index) << std::string(9000, 'x');
  const auto refused = Store::Open(directory_);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code(), StatusCode::kIo);
  EXPECT_NE(refused.status().message().find(index), std::string::npos);
  EXPECT_NE(refused.status().message().find("without index.sqlite*"),
            std::string::npos);
  EXPECT_TRUE(fs::exists(directory_ + "/runs/j1.trace"));
  fs::remove(index);
  EXPECT_EQ(ListAll(Open()).size(), 1u);
}

// A name of a file in the table that is another one in its index.
TEST_F(StoreTest, AnIndexThatContradictsItselfIsNamed) {
  ASSERT_TRUE(Open().AddRun(Encoded("j1")).ok());
  const std::string index = directory_ + "/index.sqlite";
  std::ifstream in(index, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const size_t at = bytes.find("j1.trace");
  ASSERT_NE(at, bytes.npos);
  bytes[at] = 'k';
  std::ofstream(index, std::ios::binary) << bytes;
  const auto refused = Store::Open(directory_);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.status().message().find("without index.sqlite*"),
            std::string::npos)
      << refused.status().message();
  fs::remove(index);
  EXPECT_EQ(ListAll(Open()).size(), 1u);
}

// What SQLite says of it names what stands in the file.
TEST_F(StoreTest, ADamagedNameInTheIndexMakesOneLine) {
  ASSERT_TRUE(Open().AddRun(Encoded("j1")).ok());
  const std::string index = directory_ + "/index.sqlite";
  std::ifstream in(index, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const size_t at = bytes.find("sqlite_autoindex");
  ASSERT_NE(at, bytes.npos);
  bytes[at + 10] = '\n';
  std::ofstream(index, std::ios::binary) << bytes;
  const auto refused = Store::Open(directory_);
  ASSERT_FALSE(refused.ok());
  const std::string& reason = refused.status().message();
  EXPECT_NE(reason.find("sqlite_aut"), reason.npos) << reason;
  EXPECT_EQ(reason.find('\n'), reason.npos) << reason;
}

TEST_F(StoreTest, DropsRowsWithoutFileAndClearsLeftovers) {
  {
    Store store = Open();
    ASSERT_TRUE(store.AddRun(Encoded("gone")).ok());
    ASSERT_TRUE(store.AddRun(Encoded("kept")).ok());
  }
  fs::remove(directory_ + "/runs/gone.trace");
  std::ofstream(directory_ + "/runs/half.trace.partial") << "abc";
  std::ofstream(directory_ + "/runs/bad.trace") << "not a trace";
  Store store = Open();
  const auto runs = ListAll(store);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].job, "kept");
  EXPECT_FALSE(fs::exists(directory_ + "/runs/half.trace.partial"));
  EXPECT_FALSE(fs::exists(directory_ + "/runs/bad.trace"));
}

TEST_F(StoreTest, RemovedRunsStayRemoved) {
  {
    Store store = Open();
    ASSERT_TRUE(store.AddRun(Encoded("j1")).ok());
    EXPECT_TRUE(store.Remove("j1").ok());
    EXPECT_EQ(store.Remove("j1").code(), StatusCode::kNo);
  }
  EXPECT_TRUE(ListAll(Open()).empty());
}

TEST_F(StoreTest, TwoProcessesMayShareADirectory) {
  Store a = Open(), b = Open();
  ASSERT_TRUE(a.AddRun(Encoded("j1")).ok());
  ASSERT_TRUE(b.AddRun(Encoded("j2")).ok());
  EXPECT_EQ(ListAll(a).size(), 2u);
  EXPECT_EQ(ListAll(b).size(), 2u);
}

// Adds runs until it is killed, naming each on the pipe once it is accepted.
[[noreturn]] void AddForever(const std::string& directory, int round,
                             int pipe) {
  auto store = Store::Open(directory);
  if (!store.ok()) ::_exit(1);
  for (int i = 0;; ++i) {
    const std::string job =
        "r" + std::to_string(round) + "-" + std::to_string(i);
    if (!store->AddRun(Encoded(job)).ok()) ::_exit(2);
    const std::string line = job + "\n";
    if (::write(pipe, line.data(), line.size()) < 0) ::_exit(3);
  }
}

// A process that adds runs, stopped before and after each of its system calls:
// its files change by these, but for the map of SQLite's log, which is made
// anew where a process was killed.
class SteppedAdder {
 public:
  SteppedAdder(const std::string& directory, int round) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    child_ = ::fork();
    if (child_ == 0) {
      if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(4);
      ::raise(SIGSTOP);
      AddForever(directory, round, ends[1]);
    }
    ::close(ends[1]);
    pipe_ = ends[0];
    ::waitpid(child_, &status_, 0);
    // Nor does it go on where the test does not.
    if (IsStopped())
      ::ptrace(PTRACE_SETOPTIONS, child_, nullptr, PTRACE_O_EXITKILL);
  }
  ~SteppedAdder() {
    if (IsStopped()) Kill();
    ::close(pipe_);
  }
  SteppedAdder(const SteppedAdder&) = delete;
  SteppedAdder& operator=(const SteppedAdder&) = delete;

  // Whether it waits to be taken on. It does not where nobody may trace.
  bool IsStopped() const { return WIFSTOPPED(status_); }
  // To the next stop. REQUIRES: IsStopped().
  void Step() {
    // A signal of its own it gets, so that a fault ends it.
    const int stop = WSTOPSIG(status_);
    const int signal = stop == SIGTRAP || stop == SIGSTOP ? 0 : stop;
    ASSERT_EQ(::ptrace(PTRACE_SYSCALL, child_, nullptr, signal), 0);
    ASSERT_EQ(::waitpid(child_, &status_, 0), child_);
    ASSERT_TRUE(IsStopped()) << "ended: " << WEXITSTATUS(status_);
  }
  void Kill() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, &status_, 0);
    EXPECT_TRUE(WIFSIGNALED(status_)) << WEXITSTATUS(status_);
  }
  // The runs that it has named since this was asked last.
  std::vector<std::string> TakeAccepted() {
    std::vector<std::string> jobs;
    for (pollfd named{pipe_, POLLIN, 0};
         ::poll(&named, 1, 0) == 1 && (named.revents & POLLIN) != 0;) {
      std::string job;
      for (char c; ::read(pipe_, &c, 1) == 1 && c != '\n';) job += c;
      jobs.push_back(job);
    }
    return jobs;
  }

 private:
  pid_t child_ = 0;
  int pipe_ = -1, status_ = 0;
};

// What the adder named by then is there, and nothing else is broken.
void ExpectRuns(const Store& store, const std::set<std::string>& accepted) {
  std::set<std::string> found;
  const auto runs = store.List("");
  ASSERT_TRUE(runs.ok()) << runs.status().message();
  for (const RunRecord& run : *runs) {
    EXPECT_TRUE(store.Load(run).ok()) << run.path;
    found.insert(run.job);
  }
  EXPECT_TRUE(std::ranges::includes(found, accepted));
}

TEST_F(StoreTest, EveryAcceptedRunSurvivesAKillAtAnySystemCallOfTheNext) {
  std::set<std::string> accepted;
  size_t added = 0;
  // One stop later in each round, up to where it has added a second run.
  for (int round = 0; added < 2; ++round) {
    SteppedAdder adder(directory_, round);
    if (!adder.IsStopped()) GTEST_SKIP() << "no process may be traced here";
    std::vector<std::string> jobs;
    while (jobs.empty()) {
      ASSERT_NO_FATAL_FAILURE(adder.Step());
      jobs = adder.TakeAccepted();
    }
    for (int stop = 0; stop < round; ++stop)
      ASSERT_NO_FATAL_FAILURE(adder.Step());
    adder.Kill();
    for (std::string& job : adder.TakeAccepted()) jobs.push_back(job);
    added = jobs.size();
    accepted.insert(jobs.begin(), jobs.end());
    ExpectRuns(Open(), accepted);
  }
}

TEST_F(StoreTest, AKillWhileItIsOpenedLosesNoRun) {
  ASSERT_TRUE(Open().AddRun(Encoded("j1")).ok());
  // Ten stops later in each round, up to where it has added one.
  for (int round = 0, added = 0; added == 0; ++round) {
    SteppedAdder adder(directory_, round);
    if (!adder.IsStopped()) GTEST_SKIP() << "no process may be traced here";
    for (int stop = 0; stop < 10 * round; ++stop)
      ASSERT_NO_FATAL_FAILURE(adder.Step());
    adder.Kill();
    added = int(adder.TakeAccepted().size());
    ExpectRuns(Open(), {"j1"});
  }
}

TEST_F(StoreTest, TakesNoMoreThanItsQuota) {
  Store store = Open();
  const auto bytes = Encoded("j1");
  store.SetQuotas({.all_bytes = 2 * bytes.size() + 10});
  EXPECT_TRUE(store.AddRun(bytes).ok());
  EXPECT_TRUE(store.AddRun(Encoded("j2")).ok());
  const auto third = store.AddRun(Encoded("j3"));
  EXPECT_EQ(third.status().code(), StatusCode::kNo);
  EXPECT_NE(third.status().message().find("full"), std::string::npos);
  EXPECT_TRUE(store.AddRun(bytes).ok());  // there already
  EXPECT_EQ(ListAll(store).size(), 2u);
  ASSERT_TRUE(store.Remove("j1").ok());
  EXPECT_TRUE(store.AddRun(Encoded("j3")).ok());
}

TEST_F(StoreTest, UsersAndProgramsHaveQuotasOfTheirOwn) {
  Store store = Open();
  const auto bytes = Encoded("j1");
  const Sender anna{"", "anna"}, keyed{"anna", "service"}, ben{"", "ben"};
  store.SetQuotas({.sender_bytes = 2 * bytes.size() + 10});
  EXPECT_TRUE(store.AddRun(bytes, anna).ok());
  // A key stands before whose process has it.
  EXPECT_TRUE(store.AddRun(Encoded("j2"), keyed).ok());
  const auto third = store.AddRun(Encoded("j3"), anna);
  EXPECT_EQ(third.status().code(), StatusCode::kNo);
  EXPECT_NE(third.status().message().find("anna"), std::string::npos);
  EXPECT_TRUE(store.AddRun(Encoded("j3"), ben).ok());
  EXPECT_TRUE(store.AddRun(Encoded("j4")).ok());  // of nobody known
  store.SetQuotas({.program_bytes = 4 * bytes.size() + 10});
  EXPECT_EQ(store.AddRun(Encoded("j5"), ben).status().code(), StatusCode::kNo);
  ASSERT_TRUE(store.Remove("j1").ok());
  EXPECT_TRUE(store.AddRun(Encoded("j5"), ben).ok());
}

TEST_F(StoreTest, WhoSentARunIsKeptWithIt) {
  {
    Store store = Open();
    const auto added = store.AddRun(Encoded("j1"), Sender{"laptop", "anna"});
    ASSERT_TRUE(added.ok());
    EXPECT_EQ(added->sender, (Sender{"laptop", "anna"}));
    ASSERT_TRUE(store.AddRun(Encoded("j2")).ok());
  }
  // Also where a newer version makes the table of the runs again.
  {
    auto database = Database::Open(directory_ + "/index.sqlite");
    ASSERT_TRUE(database.ok());
    ASSERT_TRUE(database->Run("PRAGMA user_version = 1").ok());
  }
  Store store = Open();
  EXPECT_EQ(store.Find("j1")->sender, (Sender{"laptop", "anna"}));
  EXPECT_EQ(store.Find("j2")->sender, Sender());
  ASSERT_TRUE(store.Remove("j1").ok());
  ASSERT_TRUE(store.AddRun(Encoded("j1")).ok());
  EXPECT_EQ(store.Find("j1")->sender, Sender());
}

TEST_F(StoreTest, SaysHowMuchItHolds) {
  Store store = Open();
  EXPECT_EQ(store.Use()->runs, 0u);
  EXPECT_EQ(store.Use()->last_unix_ns, 0);
  const auto bytes = Encoded("j1");
  const auto run = store.AddRun(bytes);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(store.Use()->runs, 1u);
  EXPECT_EQ(store.Use()->bytes, bytes.size());
  EXPECT_EQ(store.Use()->last_unix_ns, run->stored_unix_ns);
}

TEST_F(StoreTest, SeveralRunsAreRemovedAtOnce) {
  Store store = Open();
  for (const char* job : {"j1", "j2", "j3"}) {
    ASSERT_TRUE(store.AddRun(Encoded(job)).ok());
  }
  const std::vector<std::string> jobs = {"j1", "none", "j3"};
  EXPECT_EQ(*store.RemoveAll(jobs), 2u);
  ASSERT_EQ(ListAll(store).size(), 1u);
  EXPECT_EQ(ListAll(store)[0].job, "j2");
  EXPECT_EQ(ListAll(Open()).size(), 1u);
  EXPECT_EQ(*store.RemoveAll(jobs), 0u);
}

}  // namespace
}  // namespace ranksight::online_model
