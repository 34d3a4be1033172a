// One Forecaster per program, build and parameter set, fed from a store.
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "online_model/api/forecast.h"
#include "online_model/api/server.h"
#include "online_model/api/store.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

class Forecasts {
 public:
  // Refits only what this run belongs to; the cost does not depend on the
  // runs that came before. kNo when the run cannot be learned from.
  reduction::Status Add(const RunRecord& run, const reduction::Trace& trace);
  // Of the build and parameter set of `program` whose run was stored last.
  reduction::Result<Forecast> At(const std::string& program,
                                 std::span<const int64_t> ranks) const;

  reduction::Result<Forecast> OfGroup(const std::string& id,
                                      std::span<const int64_t> ranks) const;
  // Newest first.
  std::vector<RunGroup> Groups() const;

 private:
  using Key = std::tuple<std::string, std::string, std::string>;
  struct Group {
    RunGroup about;
    Forecaster forecaster;
  };
  std::map<Key, Group> groups_;  // program, build id, params
  std::map<std::string, Key> by_id_;
  std::map<std::string, Key> latest_;  // by program
};

}  // namespace ranksight::online_model
