#include "online_model/forecast/point.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ranksight::online_model {

using reduction::Status;

// An interval wider than its own middle says nothing worth acting on.
constexpr double kWidestInterval = 1.0;

RunKind KindOf(const reduction::Meta& meta) {
  return {meta.program, meta.build_id, meta.params};
}

Status Admit(const reduction::Meta& meta, const RunKind* kind) {
  if (meta.ranks < 1) return Status::No("a run without ranks");
  if (meta.origin != reduction::Origin::kRecorded) {
    return Status::No("an extrapolated trace is not a measurement");
  }
  if (kind == nullptr) return Status::Ok();
  if (meta.program != kind->program) {
    return Status::No("a run of " + meta.program + " among runs of " +
                      kind->program);
  }
  if (meta.build_id != kind->build_id) {
    return Status::No("a run of another build of " + kind->program);
  }
  if (meta.params != kind->params) {
    return Status::No("a run of " + kind->program + " with other parameters");
  }
  return Status::Ok();
}

Status Incomplete(const reduction::Meta& meta) {
  return Status::No("the run " + meta.job + " is incomplete");
}

std::string TooFar(int64_t ranks, int64_t largest) {
  if (double(ranks) <= kFurthest * double(largest)) return "";
  return fmt::format(
      "more than {:.0f} times as many ranks as the largest measured run ({})",
      kFurthest, largest);
}

bool IsTooFar(int64_t ranks, std::span<const int64_t> measured) {
  return !measured.empty() && !TooFar(ranks, measured.back()).empty();
}

void SetPoint(const Total& total, ForecastPoint* point) {
  const double low = std::max(0.0, total.seconds - total.half_width);
  const double high = total.seconds + total.half_width;
  point->refused = !(high - low <= kWidestInterval * total.seconds);
  point->reason.clear();
  if (point->refused) {
    static_assert(kWidestInterval == 1);
    point->reason = kTooWide;
  }
  point->seconds = total.seconds;
  point->low = low;
  point->high = high;
  const double sum = total.compute + total.call;
  if (sum <= 0) return;
  point->compute_share = total.compute / sum;
  point->call_share = total.call / sum;
}

void SetPlainPoint(const PlainFit& fit, ForecastPoint* point) {
  const double ranks = double(point->ranks);
  point->seconds = fit.At(ranks);
  point->low = point->seconds * std::exp(-fit.MissAt(ranks));
  point->high = point->seconds * std::exp(fit.MissAt(ranks));
}

}  // namespace ranksight::online_model
