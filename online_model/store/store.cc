#include "online_model/api/store.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <set>

#include "online_model/store/database.h"
#include "online_model/store/files.h"
#include "online_model/store/kept_names.h"
#include "online_model/store/quota.h"
#include "online_model/store/run_record.h"
#include "reduction/api/codec.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

// The index can always be made again from the trace files; a change of this
// table is a new version, and an index of another version is made anew.
constexpr int64_t kIndexVersion = 2;
constexpr char kCreate[] =
    "CREATE TABLE IF NOT EXISTS runs ("
    "job TEXT PRIMARY KEY, program TEXT NOT NULL, build_id TEXT NOT NULL,"
    "params TEXT NOT NULL, ranks INTEGER NOT NULL, seconds REAL NOT NULL,"
    "complete INTEGER NOT NULL, stored_unix_ns INTEGER NOT NULL,"
    "file TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL,"
    "launch TEXT NOT NULL)";
// Derived from the runs, too: lost statistics only cost time.
constexpr char kCreateStatistics[] =
    "CREATE TABLE IF NOT EXISTS statistics ("
    "program TEXT NOT NULL, build_id TEXT NOT NULL, params TEXT NOT NULL,"
    "last INTEGER NOT NULL, learned BLOB NOT NULL,"
    "PRIMARY KEY (program, build_id, params))";
constexpr char kCreateRemovals[] =
    "CREATE TABLE IF NOT EXISTS removals (count INTEGER NOT NULL)";
// Derived from nothing: kept whatever the version of the index.
constexpr char kCreateSenders[] =
    "CREATE TABLE IF NOT EXISTS senders ("
    "job TEXT PRIMARY KEY, key TEXT NOT NULL, user TEXT NOT NULL)";
constexpr char kColumns[] =
    "SELECT job, program, build_id, params, ranks, seconds, complete,"
    " stored_unix_ns, file, bytes, launch, rowid,"
    " (SELECT key FROM senders WHERE senders.job = runs.job),"
    " (SELECT user FROM senders WHERE senders.job = runs.job) FROM runs ";
constexpr char kInsert[] =
    "INSERT INTO runs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

int64_t NowUnixNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

bool EndsWith(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

}  // namespace

struct Store::Impl {
  std::string directory, runs;
  Database database;
  Quotas quotas{};
  int64_t seen_version = 0;  // of the index as others change it

  RunRecord FromRow(const Row& row) const;
  Result<std::vector<RunRecord>> Select(const std::string& where,
                                        const std::vector<Value>& values) const;
  Status Insert(const RunRecord& run, const std::string& file);
  // Makes index and files agree.
  Status Recover();
  Status DropRowsWithoutFile(const std::set<std::string>& files);
  // Of the run that the condition on runs names.
  Status ForgetStatistics(const std::string& where, const std::string& value);
  Status TakeInFile(const FileEntry& file);
  // Its row, who sent it, and the statistics that it is part of.
  Status ForgetRun(const std::string& job);
};

RunRecord Store::Impl::FromRow(const Row& row) const {
  RunRecord run;
  run.job = row.Text(0);
  run.program = row.Text(1);
  run.build_id = row.Text(2);
  run.params = row.Text(3);
  run.ranks = row.Int(4);
  run.seconds = row.Real(5);
  run.complete = row.Int(6) != 0;
  run.stored_unix_ns = row.Int(7);
  run.path = runs + "/" + row.Text(8);
  run.bytes = uint64_t(row.Int(9));
  run.launch = row.Text(10);
  run.number = row.Int(11);
  run.sender = {row.Text(12), row.Text(13)};
  return run;
}

Result<std::vector<RunRecord>> Store::Impl::Select(
    const std::string& where, const std::vector<Value>& values) const {
  std::vector<RunRecord> out;
  Status s = database.Run(kColumns + where, values,
                          [&](const Row& row) { out.push_back(FromRow(row)); });
  if (!s.ok()) return s;
  return out;
}

Status Store::Impl::Insert(const RunRecord& run, const std::string& file) {
  if (run.sender != Sender()) {
    const Status s =
        database.Run("INSERT OR REPLACE INTO senders VALUES (?1, ?2, ?3)",
                     {run.job, run.sender.key, run.sender.user});
    if (!s.ok()) return s;
  }
  return database.Run(
      kInsert, {run.job, run.program, run.build_id, run.params, run.ranks,
                run.seconds, int64_t(run.complete), run.stored_unix_ns, file,
                int64_t(run.bytes), run.launch});
}

Status Store::Impl::DropRowsWithoutFile(const std::set<std::string>& files) {
  std::vector<std::string> lost;
  Status s = database.Run("SELECT file FROM runs", {}, [&](const Row& row) {
    if (!files.contains(row.Text(0))) lost.push_back(row.Text(0));
  });
  for (const std::string& file : lost) {
    if (s.ok()) s = ForgetStatistics("file = ?1", file);
    if (s.ok()) s = database.Run("DELETE FROM runs WHERE file = ?1", {file});
  }
  return s;
}

Status Store::Impl::ForgetStatistics(const std::string& where,
                                     const std::string& value) {
  Status s = database.Run(
      "DELETE FROM statistics WHERE EXISTS (SELECT 1 FROM runs WHERE " + where +
          " AND runs.program = statistics.program AND runs.build_id ="
          " statistics.build_id AND runs.params = statistics.params)",
      {value});
  if (s.ok()) s = database.Run("INSERT INTO removals VALUES (1)");
  return s;
}

Status Store::Impl::ForgetRun(const std::string& job) {
  Status s = ForgetStatistics("job = ?1", job);
  for (const char* table : {"runs", "senders"}) {
    if (!s.ok()) break;
    s = database.Run("DELETE FROM " + std::string(table) + " WHERE job = ?1",
                     {job});
  }
  return s;
}

Status Store::Impl::TakeInFile(const FileEntry& file) {
  const std::string path = runs + "/" + file.name;
  if (EndsWith(file.name, kPartialEnding)) {
    ::unlink(path.c_str());
    return Status::Ok();
  }
  if (!EndsWith(file.name, kTraceEnding)) return Status::Ok();
  const Result<std::vector<uint8_t>> bytes = reduction::ReadWholeFile(path);
  if (!bytes.ok()) return Status::Ok();  // not ours to judge, never a run
  const Result<reduction::Trace> trace = reduction::Decode(*bytes);
  if (!trace.ok()) {  // kept for whoever wants to look, but no longer a run
    ::rename(path.c_str(), (path + ".damaged").c_str());
    return Status::Ok();
  }
  RunRecord run = RecordOf(*trace, *bytes);
  run.stored_unix_ns = file.modified_unix_ns;
  const Result<std::vector<RunRecord>> known =
      Select("WHERE job = ?1", {run.job});
  if (!known.ok()) return known.status();
  if (!known->empty()) return Status::Ok();  // a copy under another name
  return Insert(run, file.name);
}

Status Store::Impl::Recover() {
  Transaction transaction(database);
  Status s = transaction.Begin();
  // A row and what leads to it may differ, and a run be lost from sight.
  if (s.ok()) s = database.Check();
  int64_t version = 0;
  if (s.ok()) {
    s = database.Run("PRAGMA user_version", {},
                     [&](const Row& row) { version = row.Int(0); });
  }
  if (s.ok() && version != kIndexVersion) {
    for (const char* table : {"runs", "statistics", "removals"}) {
      if (s.ok())
        s = database.Run("DROP TABLE IF EXISTS " + std::string(table));
    }
  }
  for (const char* create :
       {kCreate, kCreateStatistics, kCreateRemovals, kCreateSenders}) {
    if (s.ok()) s = database.Run(create);
  }
  if (s.ok()) {
    s = database.Run("PRAGMA user_version = " + std::to_string(kIndexVersion));
  }
  if (!s.ok()) return s;
  Result<std::vector<FileEntry>> files = ListFiles(runs);
  if (!files.ok()) return files.status();
  // Runs are numbered in the order they came in, as far as that is known.
  std::ranges::stable_sort(*files, {}, &FileEntry::modified_unix_ns);
  std::set<std::string> names;
  for (const FileEntry& file : *files) names.insert(file.name);
  s = DropRowsWithoutFile(names);
  std::set<std::string> indexed;
  if (s.ok()) {
    s = database.Run("SELECT file FROM runs", {},
                     [&](const Row& row) { indexed.insert(row.Text(0)); });
  }
  for (const FileEntry& file : *files) {
    if (s.ok() && !indexed.contains(file.name)) s = TakeInFile(file);
  }
  return s.ok() ? transaction.Commit() : s;
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

Result<Store> Store::Open(const std::string& directory) {
  const std::string runs = directory + "/runs";
  // Each step before the next relies on it: a link or a folder of somebody else
  // must not lead our files elsewhere.
  Status s = CheckNoLinkOfOthers(directory);
  if (s.ok()) s = MakePrivateDirectory(directory);
  if (s.ok()) s = CheckNotOpenToAll(directory);
  if (s.ok()) s = MakePrivateDirectoryIn(directory, "runs");
  if (s.ok()) s = CheckNoLink(runs);
  if (!s.ok()) return s;
  if (::chmod(runs.c_str(), 0700) != 0) {
    return Status::Io(runs + ": belongs to somebody else");
  }
  Result<Database> database = Database::Open(directory + "/index.sqlite");
  if (!database.ok()) return database.status();
  auto impl = std::make_unique<Impl>(
      Impl{directory, runs, std::move(database).value()});
  s = impl->Recover();
  if (!s.ok()) return Status(s.code(), directory + ": " + s.message());
  return Store(std::move(impl));
}

Result<RunRecord> Store::AddRun(const std::vector<uint8_t>& encoded,
                                const Sender& sender) {
  const Result<reduction::Trace> trace = reduction::Decode(encoded);
  if (!trace.ok()) return trace.status();
  const auto names = reduction::NamesOf(encoded);
  if (!names.ok()) return names.status();
  const auto plain = reduction::ReplaceNames(encoded, {});
  if (!plain.ok()) return plain.status();
  auto run = AddRun(*plain, *trace, sender);
  if (!run.ok()) return run;
  const Status kept = AddNames(*names);
  if (!kept.ok()) return kept;
  return run;
}

Status Store::AddNames(const reduction::Names& names) {
  return KeepNames(impl_->directory, names);
}

reduction::Names Store::NamesOf(const reduction::Sites& sites) const {
  return KeptNames(impl_->directory, sites);
}

void Store::SetQuotas(const Quotas& quotas) { impl_->quotas = quotas; }

Result<StoreUse> Store::Use() const {
  StoreUse use;
  const Status s = impl_->database.Run(
      "SELECT COUNT(*), COALESCE(SUM(bytes), 0),"
      " COALESCE(MAX(stored_unix_ns), 0) FROM runs",
      {}, [&](const Row& row) {
        use = {uint64_t(row.Int(0)), uint64_t(row.Int(1)), row.Int(2)};
      });
  if (!s.ok()) return s;
  return use;
}

Result<RunRecord> Store::AddRun(const std::vector<uint8_t>& encoded,
                                const reduction::Trace& trace,
                                const Sender& sender) {
  RunRecord run = RecordOf(trace, encoded);
  run.sender = sender;
  const std::string file = SafeName(run.job) + kTraceEnding;
  run.path = impl_->runs + "/" + file;

  Transaction transaction(impl_->database);
  Status s = transaction.Begin();
  if (!s.ok()) return s;
  // Two names of jobs may come out as one name of a file.
  const Result<std::vector<RunRecord>> same =
      impl_->Select("WHERE job = ?1 OR file = ?2", {run.job, file});
  if (!same.ok()) return same.status();
  if (!same->empty()) {
    if (same->front().job == run.job) return same->front();
    return Status::BadInput("0: the job name " + run.job +
                            " collides with another run's");
  }
  s = CheckQuotas(impl_->database, impl_->quotas, run);
  if (!s.ok()) return s;
  run.stored_unix_ns = NowUnixNs();
  // The file before its row: a crash between the two leaves a file that nobody
  // knows, never a row without one.
  s = WriteDurably(impl_->runs, file, encoded);
  if (s.ok()) s = impl_->Insert(run, file);
  if (s.ok()) {
    s = impl_->database.Run("SELECT last_insert_rowid()", {},
                            [&](const Row& row) { run.number = row.Int(0); });
  }
  if (s.ok()) s = transaction.Commit();
  if (!s.ok()) return s;
  return run;
}

Result<std::vector<RunRecord>> Store::List(const std::string& program) const {
  return impl_->Select("WHERE ?1 = '' OR program = ?1 ORDER BY rowid",
                       {program});
}

Result<std::vector<RunRecord>> Store::ListAfter(int64_t number) const {
  return impl_->Select("WHERE rowid > ?1 ORDER BY rowid", {number});
}

Result<RunRecord> Store::Find(const std::string& job) const {
  const auto found = impl_->Select("WHERE job = ?1", {job});
  if (!found.ok()) return found.status();
  if (found->empty()) return Status::No("the store holds no run " + job);
  return found->front();
}

Result<reduction::Trace> Store::Load(const RunRecord& run) const {
  return reduction::ReadTraceFile(run.path);
}

Status Store::Remove(const std::string& job) {
  const Result<size_t> removed = RemoveAll({&job, 1});
  if (!removed.ok()) return removed.status();
  if (*removed == 0) return Status::No("no run " + job + " in the store");
  return Status::Ok();
}

Result<size_t> Store::RemoveAll(std::span<const std::string> jobs) {
  Transaction transaction(impl_->database);
  Status s = transaction.Begin();
  if (!s.ok()) return s;
  size_t removed = 0;
  for (const std::string& job : jobs) {
    const Result<std::vector<RunRecord>> found =
        impl_->Select("WHERE job = ?1", {job});
    if (!found.ok()) return found.status();
    if (found->empty()) continue;
    // The file first: a file without a row would be taken in again.
    if (::unlink(found->front().path.c_str()) != 0 && errno != ENOENT) {
      return Status::Io(found->front().path + ": cannot be removed");
    }
    s = impl_->ForgetRun(job);
    if (!s.ok()) return s;
    ++removed;
  }
  s = SyncDirectory(impl_->runs);
  if (s.ok()) s = transaction.Commit();
  if (!s.ok()) return s;
  return removed;
}

Result<std::vector<Statistics>> Store::LoadStatistics() const {
  std::vector<Statistics> out;
  Status s = impl_->database.Run(
      "SELECT program, build_id, params, last, learned FROM statistics", {},
      [&](const Row& row) {
        out.push_back(
            {row.Text(0), row.Text(1), row.Text(2), row.Int(3), row.Blob(4)});
      });
  if (!s.ok()) return s;
  return out;
}

Result<int64_t> Store::Removals() const {
  int64_t count = 0;
  Status s = impl_->database.Run("SELECT COUNT(*) FROM removals", {},
                                 [&](const Row& row) { count = row.Int(0); });
  if (!s.ok()) return s;
  return count;
}

bool Store::ChangedByOthers() {
  int64_t version = 0;
  const Status s = impl_->database.Run(
      "PRAGMA data_version", {}, [&](const Row& row) { version = row.Int(0); });
  if (!s.ok() || version == impl_->seen_version) return false;
  impl_->seen_version = version;
  return true;
}

Status Store::SaveStatistics(const Statistics& statistics, int64_t removals) {
  Transaction transaction(impl_->database);
  Status s = transaction.Begin();
  if (!s.ok()) return s;
  const Result<int64_t> now = Removals();
  if (!now.ok()) return now.status();
  if (*now != removals) return Status::No("a run was removed meanwhile");
  s = impl_->database.Run(
      "INSERT OR REPLACE INTO statistics VALUES (?1, ?2, ?3, ?4, ?5)",
      {statistics.program, statistics.build_id, statistics.params,
       statistics.last, statistics.bytes});
  return s.ok() ? transaction.Commit() : s;
}

}  // namespace ranksight::online_model
