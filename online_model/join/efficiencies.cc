// Efficiencies of the POP model: computation as it is walked, against the same
// walk where calls and messages take no time.
#include <algorithm>
#include <cmath>

#include "online_model/join/joiner.h"
#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;

double ComputedAt(const SizeCosts& size) {
  double seconds = 0;
  for (const SizeCosts::Event& e : size.events) seconds += e.Compute();
  return seconds / size.runs;
}

// Whether work grows with the ranks rather than being shared by them: by more
// than their root from the smallest run to the largest.
bool IsWeak(const std::map<int64_t, SizeCosts>& sizes) {
  RANKSIGHT_REQUIRE(!sizes.empty());
  const auto& [least, first] = *sizes.begin();
  const auto& [most, last] = *sizes.rbegin();
  return ComputedAt(last) / ComputedAt(first) >
         std::sqrt(double(most) / double(least));
}

// The same elsewhere.
double ComputedThere(const SizeCosts& size, const Elsewhere& there) {
  double seconds = 0;
  for (size_t e = 0; e < size.events.size(); ++e) {
    seconds += there.ScaleOf(uint32_t(e)) * size.events[e].Compute();
  }
  return there.machine.compute * seconds / size.runs;
}

double ShareOf(double part, double whole) {
  return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 1;
}

}  // namespace

Result<Efficiencies> Joiner::EfficienciesOf(const Program& program,
                                            const WalkedTimes& times,
                                            const Stop& stop) const {
  const auto ideal =
      calibration_->WalkWithoutTransfer(program, times.costs, there_, stop);
  if (!ideal.ok()) return ideal.status();
  const Walked& walked = times.walked;
  double computed = 0;
  for (const double seconds : walked.compute) computed += seconds;
  const double ranks = double(program.ranks);
  Efficiencies e;
  // As in the POP model what is lost to uneven computation, to waiting where
  // messages take no time, and to the network multiplies to the whole.
  e.load_balance = ShareOf(computed / ranks, walked.most_computed);
  e.serialisation = ShareOf(walked.most_computed, ideal->seconds);
  e.transfer = ShareOf(ideal->seconds, walked.seconds);
  e.is_weak = IsWeak(costs_.sizes());
  const auto& [least, smallest] = *costs_.sizes().begin();
  const double more = e.is_weak ? ranks / double(least) : 1;
  e.computation =
      computed > 0 ? more * ComputedThere(smallest, there_) / computed : 1;
  return e;
}

std::map<int64_t, Efficiencies> Joiner::MeasuredEfficiencies() {
  std::map<int64_t, Efficiencies> measured;
  if (!prepared_ || !prepared_->ok()) return measured;
  for (const auto& [ranks, trace] : first_) {
    const auto walked = WalkOnce(*trace);
    if (!walked.ok()) continue;
    const auto found = EfficienciesOf(walked->program, walked->times, {});
    if (found.ok()) measured[ranks] = *found;
  }
  return measured;
}

}  // namespace ranksight::online_model
