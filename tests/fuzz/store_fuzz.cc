// Any files in the folders of a side-car's store and spool: the store opens or
// says why not, no file of a run is lost or changed, and whole runs are known
// by their jobs, at the latest when the damaged index is taken away. What lies
// in the spool is taken in when it is whole, else set aside.
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <set>

#include "online_model/api/store.h"
#include "online_model/daemon/spool.h"
#include "tests/fuzz/packed.h"
#include "tests/fuzz/seeds.h"

namespace ranksight::fuzz {
namespace {

namespace fs = std::filesystem;
using online_model::Store;
using reduction::Status;

constexpr const char* kNames[] = {
    "store/index.sqlite", "store/index.sqlite-wal", "store/runs/a.trace",
    "store/runs/b.trace", "store/runs/c.trace",     "store/runs/d.partial",
    "spool/1.trace",      "spool/2.trace",          "spool/3.trace.damaged"};
constexpr size_t kSeeds = 4;

using Files = std::map<std::string, Bytes>;

// The files below the folder whose names start so, by name.
Files FilesOf(const std::string& folder, std::string_view start) {
  Files files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    if (!entry.is_regular_file() || !name.starts_with(start)) continue;
    auto bytes = reduction::ReadWholeFile(entry.path().string());
    Require(bytes.ok());
    files[name] = std::move(bytes).value();
  }
  return files;
}

void Execute(const std::string& path, const char* sql) {
  sqlite3* index = nullptr;
  Require(sqlite3_open(path.c_str(), &index) == SQLITE_OK);
  Require(sqlite3_exec(index, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  Require(sqlite3_close(index) == SQLITE_OK);
}

// A store with some runs, its index small.
Bytes StoreSeed(size_t number, const std::vector<Bytes>& runs) {
  const ScratchFolder folder;
  const std::string store = folder.path() + "/store";
  const std::string spool = folder.path() + "/spool";
  fs::create_directory(spool);
  for (size_t i = 0; i < 3; ++i) {
    auto opened = Store::Open(store);
    Require(opened.ok());
    const auto added = opened->AddRun(runs[(number + i) % runs.size()]);
    Require(added.ok());
    fs::rename(added->path, store + "/runs/" + char('a' + i) + ".trace");
  }
  // Known by their new names.
  Require(Store::Open(store).ok());
  Execute(store + "/index.sqlite",
          "PRAGMA journal_mode=DELETE; PRAGMA page_size=512; VACUUM");
  folder.Put("store/runs/d.partial", "half of a run");
  const Bytes& waiting = runs[(number + 3) % runs.size()];
  folder.Put("spool/1.trace", AsText(waiting.data(), waiting.size()));
  folder.Put("spool/2.trace", "no run");
  folder.Put("spool/3.trace.damaged", "no run");
  return PackFolder(folder.path(), kNames);
}

// The job of a whole run, none for anything else.
std::string JobIn(const Bytes& bytes) {
  const auto trace = reduction::Decode(bytes);
  return trace.ok() ? online_model::JobOf(*trace, bytes) : "";
}

bool IsRunFile(const std::string& name) { return name.ends_with(".trace"); }

// Files of runs and what somebody else put there stay, whole ones under their
// names.
void RequireKept(const std::string& folder, const Files& before) {
  const Files after = FilesOf(folder, "store/runs/");
  for (const auto& [name, bytes] : before) {
    if (name.ends_with(".partial")) continue;
    const bool whole = !IsRunFile(name) || !JobIn(bytes).empty();
    auto kept = after.find(name);
    if (!whole && kept == after.end()) kept = after.find(name + ".damaged");
    Require(kept != after.end() && kept->second == bytes);
  }
}

void RequireKnown(const Store& store, const Files& files) {
  const auto runs = store.List();
  if (!runs.ok()) return RequireReason(runs.status().message());
  std::set<std::string> paths, jobs;
  for (const auto& run : *runs) {
    jobs.insert(run.job);
    paths.insert(fs::path(run.path).filename().string());
  }
  for (const auto& [name, bytes] : files) {
    if (!IsRunFile(name) || JobIn(bytes).empty()) continue;
    // A copy under another name is one run.
    Require(paths.contains(fs::path(name).filename().string()) ||
            jobs.contains(JobIn(bytes)));
  }
}

void ReadAll(const Store& store) {
  const auto runs = store.List();
  if (!runs.ok()) return;
  for (const auto& run : *runs) {
    const auto trace = store.Load(run);
    if (!trace.ok()) RequireReason(trace.status().message());
  }
  const auto statistics = store.LoadStatistics();
  if (!statistics.ok()) RequireReason(statistics.status().message());
}

// The last of the spool's files: when it comes, those before it were taken.
constexpr char kLast[] = "zz.trace";

void TrySpool(const std::string& folder, const Bytes& last, Store* store) {
  const Files before = FilesOf(folder, "spool/");
  fs::create_directories(folder + "/spool");
  ScratchFolder outside;
  outside.Put("last", AsText(last.data(), last.size()));
  fs::copy(outside.path() + "/last", folder + "/spool/" + kLast);
  std::promise<void> done;
  Status failed;
  bool told = false;
  const auto accept = [&](const Bytes& bytes,
                          const online_model::Sender& sender) {
    const auto run = store->AddRun(bytes, sender);
    const bool taken =
        run.ok() || run.status().code() == reduction::StatusCode::kBadInput;
    if (!taken) failed = run.status();
    if (!told && (!taken || bytes == last)) {
      told = true;
      done.set_value();
    }
    return run.status();
  };
  {
    const online_model::Spool spool(
        folder + "/spool", accept,
        [](const online_model::LogEvent& event) { RequireReason(event.text); });
    done.get_future().wait();
  }
  if (!failed.ok()) return RequireReason(failed.message());
  const Files after = FilesOf(folder, "spool/");
  for (const auto& [name, bytes] : before) {
    if (!IsRunFile(name)) {
      Require(after.contains(name) && after.at(name) == bytes);
      continue;
    }
    const std::string job = JobIn(bytes);
    Require(!after.contains(name));
    if (job.empty()) {
      Require(after.at(name + ".damaged") == bytes);
    } else {
      Require(store->Find(job).ok());
    }
  }
}

}  // namespace

std::vector<Bytes> Seeds() {
  std::vector<Bytes> runs = RecordedSeeds();
  std::ranges::sort(runs, {}, &Bytes::size);
  runs.resize(8);
  std::vector<Bytes> seeds;
  for (size_t i = 0; i < kSeeds; ++i) seeds.push_back(StoreSeed(i, runs));
  return seeds;
}

void Try(const Files& files) {
  static const Bytes last = RecordedSeeds().front();
  const ScratchFolder scratch;
  const std::string& folder = scratch.path();
  fs::create_directories(folder + "/store/runs");
  fs::create_directories(folder + "/spool");
  for (const auto& [name, bytes] : files) {
    scratch.Put(name, AsText(bytes.data(), bytes.size()));
  }
  const Files runs = FilesOf(folder, "store/runs/");
  {
    auto store = Store::Open(folder + "/store");
    RequireKept(folder, runs);
    if (!store.ok()) {
      RequireReason(store.status().message());
    } else {
      RequireKnown(*store, runs);
      ReadAll(*store);
      TrySpool(folder, last, &*store);
      RequireKept(folder, runs);
    }
  }
  // The index can be made again from the runs, those that came since included.
  for (const char* end : {"", "-wal", "-shm"}) {
    fs::remove(folder + "/store/index.sqlite" + end);
  }
  const Files now = FilesOf(folder, "store/runs/");
  const auto store = Store::Open(folder + "/store");
  Require(store.ok());
  RequireKept(folder, now);
  RequireKnown(*store, now);
}

}  // namespace ranksight::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ranksight;
  fuzz::Try(fuzz::UnpackFiles(data, size, fuzz::kNames));
  return 0;
}
