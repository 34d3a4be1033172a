// What the list of all groups says of each, kept for as long as nothing that
// it was made from has changed.
// Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "online_model/api/forecast.h"
#include "online_model/api/server.h"

namespace ranksight::online_model {

class Overviews {
 public:
  // Beside the group's runs.
  struct MadeFrom {
    uint64_t names_version = 0;
    size_t walks = 0;  // how many are known
    // What is seen of such runs changes without end: nothing is kept.
    bool has_under_way = false;
  };
  // nullptr where nothing is kept that holds still.
  const GroupOverview* Find(const RunGroup& group, const MadeFrom& now) const;
  void Keep(const GroupOverview& overview, const MadeFrom& from);
  // Forgets the groups that are not there any more.
  void KeepOnly(const std::set<std::string>& groups);

 private:
  struct Kept {
    GroupOverview overview;
    MadeFrom from;
  };
  std::map<std::string, Kept> kept_;  // by group
};

// From the group's forecast over CurveRanks, but for the verdict.
GroupOverview MakeOverview(const RunGroup& group, const Forecast& forecast);

}  // namespace ranksight::online_model
