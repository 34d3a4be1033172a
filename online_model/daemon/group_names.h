// Names and call paths of the sites of each group, as the trace of its newest
// run has them: kept for as long as that holds, for reading it takes long.
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "online_model/api/forecast.h"
#include "online_model/api/server.h"
#include "online_model/api/store.h"

namespace ranksight::online_model {

class GroupNames {
 public:
  // Puts what is known of the sites of the group's newest run into the
  // forecast; version: of the names in the store.
  void SetIn(Forecast* forecast, const RunGroup& group, uint64_t version,
             const Store& store);
  // Forgets the groups that are not there any more.
  void KeepOnly(const std::set<std::string>& groups);

 private:
  struct Named {
    RunGroup of;
    uint64_t version = 0;
    std::map<std::string, SiteName> names;
    std::map<std::string, std::vector<std::string>> paths;
  };
  std::map<std::string, Named> named_;  // by group
};

}  // namespace ranksight::online_model
