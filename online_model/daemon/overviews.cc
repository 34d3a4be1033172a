#include "online_model/daemon/overviews.h"

namespace ranksight::online_model {

const GroupOverview* Overviews::Find(const RunGroup& group,
                                     const MadeFrom& now) const {
  const auto at = kept_.find(group.id);
  if (at == kept_.end() || now.has_under_way) return nullptr;
  const auto& [overview, from] = at->second;
  const bool is_same = overview.group.HasRunsOf(group) &&
                       from.names_version == now.names_version &&
                       from.walks == now.walks;
  return is_same ? &overview : nullptr;
}

void Overviews::Keep(const GroupOverview& overview, const MadeFrom& from) {
  if (from.has_under_way) {
    kept_.erase(overview.group.id);
  } else {
    kept_[overview.group.id] = {overview, from};
  }
}

void Overviews::KeepOnly(const std::set<std::string>& groups) {
  std::erase_if(kept_,
                [&](const auto& kept) { return !groups.contains(kept.first); });
}

GroupOverview MakeOverview(const RunGroup& group, const Forecast& forecast) {
  GroupOverview overview;
  overview.group = group;
  overview.sizes = forecast.sizes;
  overview.drift = forecast.drift;
  for (const ForecastPoint& point : forecast.points) {
    if (point.refused) continue;
    overview.points.push_back(point);
    overview.by_laws = overview.by_laws || !point.walked;
  }
  return overview;
}

}  // namespace ranksight::online_model
