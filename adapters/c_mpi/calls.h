// CallWriter: one event of the tree as a C statement.
// Thread-safety: one writer, one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "adapters/c_mpi/values.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters::c_mpi {

class CallWriter {
 public:
  CallWriter(Values* values, const reduction::Node& event)
      : values_(values), event_(event) {}

  // The call with its arguments. What must be read once but used twice is
  // read in prefix(), one statement each.
  std::string Text(std::string_view form);
  const std::vector<std::string>& prefix() const { return prefix_; }

 private:
  const reduction::Parameter* Find(reduction::Param p) const;
  std::string Value(reduction::Param p, std::string_view name);
  std::string Once(std::string expression, const char* variable);
  std::string Argument(std::string_view what);
  std::string Count(reduction::Param p, std::string_view how);
  std::string Comm();
  std::string Peer(reduction::Param p, std::string_view name);
  std::string Tag(reduction::Param p);
  std::string Type(bool receives);
  std::string Type(reduction::Param of);
  bool IsOnePredefined(reduction::Param kind) const;
  bool AccumulatesBytes() const;
  std::string TargetOp();
  std::string Window();
  std::string Target(std::string_view function);
  std::string Mode(std::string_view kind);
  std::string LockType();
  std::string Whence();
  std::string File();
  std::string Types(bool receives, const std::string& n);
  std::string Op();
  std::string InPlace(std::string_view buffer);
  std::string Shares(bool receives, bool typed, std::string_view buffer);
  std::string Neighbours(reduction::Param p, const std::string& n);
  std::string GraphArgument(std::string_view what);
  std::string Requests();
  std::string DoneRequests();
  std::string List(reduction::Param p, const std::string& n);

  Values* values_;
  const reduction::Node& event_;
  std::vector<std::string> prefix_;
};

}  // namespace ranksight::adapters::c_mpi
