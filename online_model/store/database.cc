#include "online_model/store/database.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <utility>

#include "online_model/store/files.h"
#include "reduction/api/shown_text.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

constexpr int kBusyTimeoutMs = 10000;
constexpr char kWayOut[] =
    "; without index.sqlite* the next start makes it again from the runs";

Status Error(sqlite3* handle, const std::string& what) {
  const int code = sqlite3_errcode(handle);
  const bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
  return Status::Io(what + ": " + reduction::ShownName(sqlite3_errmsg(handle)) +
                    (damaged ? kWayOut : ""));
}

class Statement {
 public:
  Statement() = default;
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  sqlite3_stmt** slot() { return &statement_; }
  sqlite3_stmt* get() const { return statement_; }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

int Bind(sqlite3_stmt* statement, int index, const Value& value) {
  if (const auto* i = std::get_if<int64_t>(&value)) {
    return sqlite3_bind_int64(statement, index, *i);
  }
  if (const auto* d = std::get_if<double>(&value)) {
    return sqlite3_bind_double(statement, index, *d);
  }
  if (const auto* blob = std::get_if<std::vector<uint8_t>>(&value)) {
    return sqlite3_bind_blob64(statement, index, blob->data(), blob->size(),
                               SQLITE_TRANSIENT);
  }
  const std::string& text = std::get<std::string>(value);
  return sqlite3_bind_text64(statement, index, text.data(), text.size(),
                             SQLITE_TRANSIENT, SQLITE_UTF8);
}

}  // namespace

int64_t Row::Int(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double Row::Real(int column) const {
  return sqlite3_column_double(statement_, column);
}

std::string Row::Text(int column) const {
  const auto* text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return {};
  return std::string(reinterpret_cast<const char*>(text),
                     size_t(sqlite3_column_bytes(statement_, column)));
}

std::vector<uint8_t> Row::Blob(int column) const {
  const auto* bytes =
      static_cast<const uint8_t*>(sqlite3_column_blob(statement_, column));
  if (bytes == nullptr) return {};
  return {bytes, bytes + sqlite3_column_bytes(statement_, column)};
}

reduction::Result<Database> Database::Open(const std::string& path) {
  // SQLite would create it by the umask; its log files take this file's mode.
  const int fd =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return Status::Io("cannot open " + path);
  const size_t slash = path.rfind('/');
  if (slash != path.npos) GiveToOwnerOf(path.substr(0, slash), fd);
  ::close(fd);
  sqlite3* handle = nullptr;
  if (sqlite3_open_v2(path.c_str(), &handle,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                      nullptr) != SQLITE_OK) {
    const Status status = Error(handle, path);
    sqlite3_close_v2(handle);
    return status;
  }
  Database database(handle);
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  for (const char* sql :
       {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL"}) {
    if (Status s = database.Run(sql); !s.ok()) {
      return Status(s.code(), path + ": " + s.message());
    }
  }
  return database;
}

Status Database::Check() const {
  std::string found;
  const Status s = Run("PRAGMA integrity_check(1)", {},
                       [&](const Row& row) { found = row.Text(0); });
  if (!s.ok() || found == "ok") return s;
  return Status::Io("index: " + reduction::ShownName(found) + kWayOut);
}

Database::~Database() { sqlite3_close_v2(handle_); }

Database::Database(Database&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)) {}

Database& Database::operator=(Database&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

Status Database::Run(const std::string& sql, const std::vector<Value>& values,
                     const std::function<void(const Row&)>& on_row) const {
  Statement statement;
  if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, statement.slot(), nullptr) !=
      SQLITE_OK) {
    return Error(handle_, "index");
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (Bind(statement.get(), int(i) + 1, values[i]) != SQLITE_OK) {
      return Error(handle_, "index");
    }
  }
  for (;;) {
    const int result = sqlite3_step(statement.get());
    if (result == SQLITE_DONE) return Status::Ok();
    if (result != SQLITE_ROW) return Error(handle_, "index");
    if (on_row) on_row(Row(statement.get()));
  }
}

Transaction::~Transaction() {
  if (open_) (void)database_.Run("ROLLBACK").ok();
}

Status Transaction::Begin() {
  Status s = database_.Run("BEGIN IMMEDIATE");
  open_ = s.ok();
  return s;
}

Status Transaction::Commit() {
  Status s = database_.Run("COMMIT");
  if (s.ok()) open_ = false;
  return s;
}

}  // namespace ranksight::online_model
