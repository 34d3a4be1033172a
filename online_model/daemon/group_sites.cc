#include "online_model/daemon/group_sites.h"

#include <algorithm>
#include <utility>

#include "online_model/forecast/site_names.h"

namespace ranksight::online_model {

void GroupSites::SetNames(Forecast* forecast, const RunGroup& group,
                          uint64_t version, const Store& store) {
  Named& named = named_[group.id];
  // Reading a trace takes long: names are kept until runs or names change.
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
    online_model::SetNames(trace->sites, store.NamesOf(trace->sites), &names);
    named = {group, version, std::move(names.names), std::move(names.paths)};
  }
  forecast->names = named.names;
  forecast->paths = named.paths;
  NameReasons(forecast);
}

void GroupSites::SetSpreads(Forecast* forecast, const RunGroup& group,
                            const Store& store) {
  Spread& known = spread_[group.id];
  if (!known.of.HasRunsOf(group) || known.network != forecast->network) {
    const auto runs = store.List(group.program);
    if (!runs.ok()) return;
    const RunRecord* largest = nullptr;  // the newest of that size
    for (const RunRecord& run : *runs) {
      if (!group.Has(run) || !run.complete) continue;
      if (largest == nullptr || run.ranks >= largest->ranks) largest = &run;
    }
    if (largest == nullptr) return;
    const auto trace = store.Load(*largest);
    if (!trace.ok()) return;
    Forecast spread;
    spread.network = forecast->network;
    online_model::SetSpreads(*trace, &spread);
    known = {group, forecast->network, std::move(spread.spreads),
             spread.spread_ranks};
  }
  forecast->spreads = known.spreads;
  forecast->spread_ranks = known.ranks;
}

void GroupSites::KeepOnly(const std::set<std::string>& groups) {
  const auto is_gone = [&](const auto& known) {
    return !groups.contains(known.first);
  };
  std::erase_if(named_, is_gone);
  std::erase_if(spread_, is_gone);
}

}  // namespace ranksight::online_model
