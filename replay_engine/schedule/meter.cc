#include "replay_engine/api/meter.h"

namespace ranksight::replay_engine {

void SetSpent(double spent_s, ReplayMeter* meter) {
  meter->spent_s = spent_s;
  if (meter->start_s == 0) {
    meter->start_s = meter->from_s = meter->mark_s = spent_s;
    meter->from_events = meter->mark_events = meter->events;
  } else if (spent_s - meter->start_s >= 2 * (meter->mark_s - meter->start_s)) {
    meter->from_s = meter->mark_s;
    meter->from_events = meter->mark_events;
    meter->mark_s = spent_s;
    meter->mark_events = meter->events;
  }
}

double EstimatedSeconds(const ReplayMeter& meter) {
  const double events = meter.events - meter.from_events;
  if (!(events > 0) || meter.events >= meter.all_events) {
    return meter.spent_s;
  }
  return meter.spent_s + (meter.all_events - meter.events) *
                             (meter.spent_s - meter.from_s) / events;
}

MeterStop StopOf(const ReplayMeter& meter) {
  constexpr double kShareThatTells = 0.1;
  const double on_events_s = meter.spent_s - meter.start_s;
  if (meter.limit_s > 0) {
    if (meter.spent_s >= meter.limit_s) return MeterStop::kLimit;
    if (on_events_s >= kShareThatTells * meter.limit_s &&
        EstimatedSeconds(meter) > meter.limit_s) {
      return MeterStop::kEstimateBeyond;
    }
  }
  const bool enough = meter.enough_s > 0 && on_events_s >= meter.enough_s;
  return enough ? MeterStop::kEnough : MeterStop::kNone;
}

}  // namespace ranksight::replay_engine
