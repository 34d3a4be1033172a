// Asking a side-car's page for what the monitor shows. Whatever it answers,
// the worst is an error.
// Thread-safety: one thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/monitor/view.h"
#include "reduction/api/status.h"

namespace ranksight::cli {

class Watch {
 public:
  // The page's answer to a path; nothing where nothing has changed.
  using Ask = std::function<reduction::Result<std::string>(const std::string&)>;

  // program: show its newest group first; empty: the newest of all. ranks:
  // what to forecast; empty: a curve up to 64 times the largest measured.
  Watch(Ask ask, std::string program, std::vector<int64_t> ranks);

  // True when something changed since the last call. kNo when `program` is
  // not among the groups, kBadInput where an answer is not understood.
  reduction::Result<bool> Update();
  // The next (1) or the previous (-1) group.
  void Turn(int by);
  const MonitorData& data() const { return data_; }
  // Both answers as one line of JSON.
  std::string ToJsonLine() const;

 private:
  reduction::Result<nlohmann::json> AskFor(const std::string& path) const;
  reduction::Result<bool> UpdateOrThrow();
  reduction::Status Choose();

  Ask ask_;
  std::string program_;
  std::vector<int64_t> ranks_;
  std::vector<std::string> ids_;  // of the groups
  std::string group_;             // id of the one that is shown
  bool changed_ = false;
  MonitorData data_;
};

}  // namespace ranksight::cli
