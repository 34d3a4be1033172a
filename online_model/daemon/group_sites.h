// What traces of a group say of its call sites: names and paths, as its newest
// run has them, and how ranks of its largest run differ. Kept for as long as
// that holds, for reading traces takes long.
// Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "online_model/api/forecast.h"
#include "online_model/api/server.h"
#include "online_model/api/store.h"

namespace ranksight::online_model {

class GroupSites {
 public:
  // Puts what is known of the sites of the group's newest run into the
  // forecast; version: of the names in the store.
  void SetNames(Forecast* forecast, const RunGroup& group, uint64_t version,
                const Store& store);
  // The same with spreads over ranks.
  void SetSpreads(Forecast* forecast, const RunGroup& group,
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
  struct Spread {
    RunGroup of;
    std::string network;  // that of the forecast
    std::map<std::pair<std::string, std::string>, SiteSpread> spreads;
    int64_t ranks = 0;
  };
  std::map<std::string, Named> named_;  // by group
  std::map<std::string, Spread> spread_;
};

}  // namespace ranksight::online_model
