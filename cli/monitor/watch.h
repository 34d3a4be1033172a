// Asking a side-car's page for what the monitor shows.
// Thread-safety: one thread.
#pragma once

#include <string>
#include <vector>

#include "cli/monitor/view.h"
#include "online_model/api/page.h"
#include "reduction/api/status.h"

namespace ranksight::cli {

class Watch {
 public:
  // program: show its newest group first; empty: the newest of all. ranks:
  // what to forecast; empty: a curve up to 64 times the largest measured.
  Watch(online_model::PageAddress page, std::string program,
        std::vector<int64_t> ranks);

  // True when something changed since the last call. kNo when `program` is
  // not among the groups.
  reduction::Result<bool> Update();
  // The next (1) or the previous (-1) group.
  void Turn(int by);
  const MonitorData& data() const { return data_; }
  // Both answers as one line of JSON.
  std::string ToJsonLine() const;

 private:
  reduction::Result<nlohmann::json> Ask(const std::string& path) const;
  reduction::Status Choose();

  online_model::PageAddress page_;
  std::string program_;
  std::vector<int64_t> ranks_;
  std::string group_;  // id
  bool changed_ = false;
  MonitorData data_;
};

}  // namespace ranksight::cli
