#include "online_model/daemon/forecasts.h"

namespace ranksight::online_model {

using reduction::Status;

Status Forecasts::Add(const RunRecord& run, const reduction::Trace& trace) {
  const Key key(run.program, run.build_id, run.params);
  Status s = forecasters_[key].AddRun(trace);
  if (s.ok()) latest_[run.program] = key;
  return s;
}

reduction::Result<Forecast> Forecasts::At(
    const std::string& program, std::span<const int64_t> ranks) const {
  const auto key = latest_.find(program);
  if (key == latest_.end()) {
    return Status::No("the store holds no complete run of " + program);
  }
  return forecasters_.at(key->second).At(ranks);
}

}  // namespace ranksight::online_model
