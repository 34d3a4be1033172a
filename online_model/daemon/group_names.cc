#include "online_model/daemon/group_names.h"

#include <algorithm>
#include <utility>

namespace ranksight::online_model {

void GroupNames::SetIn(Forecast* forecast, const RunGroup& group,
                       uint64_t version, const Store& store) {
  Named& named = named_[group.id];
  if (!named.of.HasRunsOf(group) || named.version != version) {
    const auto runs = store.List(group.program);
    if (!runs.ok()) return;
    const auto newest =
        std::find_if(runs->rbegin(), runs->rend(),
                     [&](const RunRecord& run) { return group.Has(run); });
    if (newest == runs->rend()) return;
    const auto trace = store.Load(*newest);
    if (!trace.ok()) return;
    Forecast names;
    SetNames(trace->sites, store.NamesOf(trace->sites), &names);
    named = {group, version, std::move(names.names), std::move(names.paths)};
  }
  forecast->names = named.names;
  forecast->paths = named.paths;
}

void GroupNames::KeepOnly(const std::set<std::string>& groups) {
  std::erase_if(
      named_, [&](const auto& named) { return !groups.contains(named.first); });
}

}  // namespace ranksight::online_model
