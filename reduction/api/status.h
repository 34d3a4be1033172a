// Errors as values. Nothing in a library throws, prints or exits.
//
// The numeric value of a StatusCode is the exit code of the command line
// (see the CLI contract), so a tool exits with ExitCode(status).
//
// Thread-safety: value types, as thread-safe as int.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace ranksight::reduction {

enum class StatusCode : int {
  kOk = 0,
  kNo = 1,         // the answer is no: differs, refused, check failed
  kUsage = 2,      // wrong arguments
  kBadInput = 3,   // damaged or foreign input; message is "file:offset: why"
  kIo = 4,         // file or connection trouble
  kInternal = 70,  // a defect of ours
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message)
      : code_(code), message_(std::move(message)) {}
  static Status Ok() { return Status(); }
  static Status No(std::string m) { return {StatusCode::kNo, std::move(m)}; }
  static Status Usage(std::string m) {
    return {StatusCode::kUsage, std::move(m)};
  }
  static Status BadInput(std::string m) {
    return {StatusCode::kBadInput, std::move(m)};
  }
  static Status Io(std::string m) { return {StatusCode::kIo, std::move(m)}; }
  static Status Internal(std::string m) {
    return {StatusCode::kInternal, std::move(m)};
  }

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

inline int ExitCode(const Status& s) { return static_cast<int>(s.code()); }

// A value or the reason why there is none.
// REQUIRES: value() and the dereferences only when ok().
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT(runtime/explicit)
  Result(Status status) : status_(std::move(status)) {}  // NOLINT
  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return std::move(*value_); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace ranksight::reduction
