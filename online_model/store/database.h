// A thin hold on SQLite: statements with bound values, errors as values.
// Thread-safety: one object, one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "reduction/api/status.h"

struct sqlite3;
struct sqlite3_stmt;

namespace ranksight::online_model {

using Value = std::variant<int64_t, double, std::string, std::vector<uint8_t>>;

// Columns of the current row.
class Row {
 public:
  explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
  int64_t Int(int column) const;
  double Real(int column) const;
  std::string Text(int column) const;
  std::vector<uint8_t> Blob(int column) const;

 private:
  sqlite3_stmt* statement_;
};

class Database {
 public:
  // Creates the file (mode 0600) when it is missing; write-ahead log, every
  // commit on disk before Run returns, waits up to 10 s for other processes.
  static reduction::Result<Database> Open(const std::string& path);
  ~Database();
  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) noexcept;

  // kIo where the file contradicts itself. Complexity: O(size).
  reduction::Status Check() const;
  // Runs one statement; on_row, if given, is called for each row.
  reduction::Status Run(
      const std::string& sql, const std::vector<Value>& values = {},
      const std::function<void(const Row&)>& on_row = nullptr) const;

 private:
  explicit Database(sqlite3* handle) : handle_(handle) {}
  sqlite3* handle_ = nullptr;
};

// Rolls back when it goes out of scope without Commit.
class Transaction {
 public:
  explicit Transaction(const Database& database) : database_(database) {}
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  // Takes the write lock at once, so that files change under it, too.
  reduction::Status Begin();
  reduction::Status Commit();

 private:
  const Database& database_;
  bool open_ = false;
};

}  // namespace ranksight::online_model
