#include "online_model/daemon/forecasts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "reduction/api/fnv.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

// Over the parts, each ended by a byte that no UTF-8 text holds.
std::string IdOf(const RunRecord& run) {
  reduction::Fnv hash;
  for (const std::string* part : {&run.program, &run.build_id, &run.params}) {
    for (const unsigned char c : *part + '\xff') {
      hash.Add(c);
    }
  }
  return fmt::format("{:016x}", hash.value());
}

}  // namespace

Status Forecasts::Add(const RunRecord& run, const reduction::Trace& trace) {
  const Key key(run.program, run.build_id, run.params);
  Group& group = groups_[key];
  group.on_network = group.on_network || trace.meta.own_time;
  Status s = group.on_network ? group.forecaster.AddRun(ToLearn(trace, &group))
                              : group.forecaster.AddRun(trace);
  if (!s.ok()) {
    if (group.about.runs == 0) groups_.erase(key);
    return s;
  }
  ++group.unsaved;
  Count(key, run);
  return s;
}

reduction::Trace Forecasts::ToLearn(const reduction::Trace& trace,
                                    Group* group) const {
  group->took.Add(trace);
  reduction::Trace run = trace;
  const Status put = PutOnNetwork(network_, &run);
  if (!put.ok()) group->unwalked = put;
  return run;
}

Status Forecasts::SetUnderWay(const reduction::Trace& so_far) {
  if (so_far.meta.own_time) {
    // How long it has run says nothing, and what has been seen of it cannot be
    // walked: messages that are under way have no end.
    return Status::No("ranks of the run under way share cores");
  }
  const reduction::Meta& meta = so_far.meta;
  const auto group =
      groups_.find({meta.program, meta.build_id, ParamText(meta.params)});
  if (group == groups_.end()) {
    return Status::No("no run of " + meta.program + " was stored yet");
  }
  return group->second.forecaster.SetUnderWay(so_far);
}

void Forecasts::EndUnderWay(const std::string& job) {
  for (auto& [key, group] : groups_) group.forecaster.EndUnderWay(job);
}

void Forecasts::KeepUnderWay(const std::set<std::string>& jobs) {
  for (auto& [key, group] : groups_) {
    for (const std::string& job : group.forecaster.UnderWay()) {
      if (!jobs.contains(job)) group.forecaster.EndUnderWay(job);
    }
  }
}

void Forecasts::Count(const Key& key, const RunRecord& run) {
  Group& group = groups_[key];
  RunGroup& about = group.about;
  // Runs are counted in any order, when others' are read; the last one stays
  // the last.
  if (run.number >= group.last) {
    group.last = run.number;
    about.last_job = run.job;
    about.last_launch = run.launch;
    about.last_sender = run.sender;
    about.last_ranks = run.ranks;
  }
  if (about.runs++ == 0) {
    about.id = IdOf(run);
    about.program = run.program;
    about.build_id = run.build_id;
    about.params = run.params;
    by_id_[about.id] = key;
  }
  const auto at =
      std::lower_bound(about.measured.begin(), about.measured.end(), run.ranks);
  if (at == about.measured.end() || *at != run.ranks) {
    about.measured.insert(at, run.ranks);
  }
  about.last_unix_ns = std::max(about.last_unix_ns, run.stored_unix_ns);
}

bool Forecasts::Restore(const Statistics& statistics,
                        const std::vector<RunRecord>& runs) {
  auto forecaster = Forecaster::Decode(statistics.bytes);
  if (!forecaster.ok()) return false;
  const Key key(statistics.program, statistics.build_id, statistics.params);
  for (const RunRecord& run : runs) {
    if (run.number <= statistics.last && run.complete &&
        key == Key(run.program, run.build_id, run.params)) {
      Count(key, run);
    }
  }
  const auto group = groups_.find(key);
  if (group == groups_.end()) return false;
  group->second.forecaster = std::move(*forecaster);
  return true;
}

std::vector<Statistics> Forecasts::Unsaved(uint64_t runs) {
  std::vector<Statistics> out;
  for (auto& [key, group] : groups_) {
    // What was learned holds for one network, and the next start may be told
    // another.
    if (group.unsaved < runs || group.on_network) continue;
    group.unsaved = 0;
    out.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key),
                   group.last, group.forecaster.Encode()});
  }
  return out;
}

reduction::Result<RunGroup> Forecasts::LatestOf(
    const std::string& program) const {
  const Group* latest = nullptr;
  for (const auto& [key, group] : groups_) {
    if (group.about.program != program) continue;
    if (latest == nullptr || group.last > latest->last) latest = &group;
  }
  if (latest == nullptr) {
    return Status::No("the store holds no complete run of " + program);
  }
  return latest->about;
}

reduction::Result<RunGroup> Forecasts::GroupOf(const std::string& id) const {
  const auto key = by_id_.find(id);
  if (key == by_id_.end()) return Status::No("there is no group " + id);
  return groups_.at(key->second).about;
}

reduction::Result<Forecast> Forecasts::OfGroup(
    const std::string& id, std::span<const int64_t> ranks) const {
  const auto key = by_id_.find(id);
  if (key == by_id_.end()) return Status::No("there is no group " + id);
  const Group& group = groups_.at(key->second);
  Forecast f = group.forecaster.At(ranks);
  if (group.on_network) {
    f.network = network_.name;
    group.took.State(&f);
    if (!group.unwalked.ok()) RefuseUnwalked(group.unwalked, &f);
  }
  return f;
}

bool Forecasts::HasUnderWay(const std::string& id) const {
  const auto key = by_id_.find(id);
  return key != by_id_.end() &&
         !groups_.at(key->second).forecaster.UnderWay().empty();
}

std::vector<RunGroup> Forecasts::Groups() const {
  std::vector<const Group*> order;
  for (const auto& [key, group] : groups_) order.push_back(&group);
  std::ranges::stable_sort(order, std::greater(), &Group::last);
  std::vector<RunGroup> out;
  for (const Group* group : order) out.push_back(group->about);
  return out;
}

}  // namespace ranksight::online_model
