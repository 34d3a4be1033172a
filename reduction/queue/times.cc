#include "reduction/api/times.h"

#include <algorithm>
#include <utility>

namespace ranksight::reduction {
namespace {

using Part = ComputeParts::Part;

// Steps of a distribution. Doubling it halves them, already smaller than the
// buckets of a sketch.
constexpr int kStrata = 512;
// Of them, at each end, that say nothing of jitter: rare interruptions.
constexpr int kRare = kStrata / 50;
// Standard deviation, of the mean, up to which times differ at random, rank by
// rank: the system's noise. Doubling it makes ranks that compute in turns wait
// for one another.
constexpr double kJitter = 0.2;

bool Has(ComputeParts::Kind kind, const TimeSummary& t) {
  return kind == ComputeParts::Kind::kFirst ? t.first.count > 0
                                            : t.rest.moments().count > 0;
}

TimeSummary Only(ComputeParts::Kind kind, const TimeSummary& t) {
  return kind == ComputeParts::Kind::kFirst ? TimeSummary{t.first, {}, {}}
                                            : TimeSummary{{}, t.rest, t.ranks};
}

}  // namespace

void TimeSummary::Merge(const TimeSummary& other) {
  first.Merge(other.first);
  rest.Merge(other.rest);
  ranks.Merge(other.ranks);
}

double TimeSummary::Mean(bool is_first) const {
  const Moments& others = rest.moments();
  if (first.count > 0 && (is_first || others.count == 0)) return first.Mean();
  return others.Mean();
}

double TimeSummary::ShareBetweenRanks() const {
  const double total = rest.moments().Variance();
  if (total <= 0 || ranks.count < 2) return 0;
  const double between = ranks.Variance();
  const double within = std::max(0.0, total - between);
  const double per_rank =
      std::max(1.0, double(rest.moments().count) / double(ranks.count));
  return std::clamp((between - within / per_rank) / total, 0.0, 1.0);
}

double TimeSummary::JitterShare() const {
  Moments usual;
  for (int i = kRare; i < kStrata - kRare; ++i) {
    usual.Add(rest.Quantile((i + 0.5) / kStrata));
  }
  const double jitter = kJitter * usual.Mean();
  const double variance = usual.Variance();
  if (variance <= jitter * jitter) return 1;
  const double share = jitter * jitter / variance;
  return share * share;
}

ComputeParts ComputeParts::Of(Predecessor sole) {
  ComputeParts made;
  made.sole_ = sole;
  return made;
}

ComputeParts ComputeParts::Of(std::vector<Part> parts) {
  ComputeParts made;
  for (Part& p : parts) made.Add(std::move(p));
  made.Settle();
  return made;
}

void ComputeParts::Unite() { *this = Of(kAnyPredecessor); }

const TimeSummary* ComputeParts::Find(Predecessor after) const {
  const auto at = std::ranges::lower_bound(apart_, after, {}, &Part::after);
  return at != apart_.end() && at->after == after ? &at->compute : nullptr;
}

// Keeps what is there once too many are told apart, or some cannot be.
void ComputeParts::Add(Part part) {
  if (sole_ == kAnyPredecessor) return;
  const auto at =
      std::ranges::lower_bound(apart_, part.after, {}, &Part::after);
  if (at != apart_.end() && at->after == part.after) {
    at->compute.Merge(part.compute);
  } else {
    apart_.insert(at, std::move(part));
  }
  if (apart_.size() > kMost || apart_.back().after == kAnyPredecessor) Unite();
}

// A part alone is the whole.
void ComputeParts::Settle() {
  if (apart_.size() == 1) *this = Of(apart_[0].after);
}

void ComputeParts::Merge(const ComputeParts& other, Kind kind,
                         const TimeSummary& whole,
                         const TimeSummary& of_other) {
  if (!Has(kind, of_other)) return;
  if (!Has(kind, whole)) {
    *this = other;
    return;
  }
  if (size() == 0 || other.size() == 0) return Unite();
  if (sole_ && sole_ == other.sole_) return;
  if (sole_) {
    const Predecessor after = *std::exchange(sole_, std::nullopt);
    Add({after, Only(kind, whole)});
  }
  for (const Part& theirs : other.apart_) Add(theirs);
  if (other.sole_) Add({*other.sole_, Only(kind, of_other)});
}

void ComputeParts::Remap(const std::vector<uint32_t>& map) {
  const auto now = [&map](Predecessor p) {
    return p < map.size() ? map[p] : p;
  };
  if (sole_) sole_ = now(*sole_);
  for (Part& p : std::exchange(apart_, {})) {
    p.after = now(p.after);
    Add(std::move(p));
  }
  Settle();
}

void EventTimes::Merge(const EventTimes& other) {
  first_after.Merge(other.first_after, ComputeParts::Kind::kFirst, compute,
                    other.compute);
  rest_after.Merge(other.rest_after, ComputeParts::Kind::kRest, compute,
                   other.compute);
  compute.Merge(other.compute);
  call.Merge(other.call);
}

const TimeSummary& EventTimes::RestAfter(Predecessor after) const {
  const TimeSummary* part = rest_after.Find(after);
  return part != nullptr ? *part : compute;
}

const TimeSummary* EventTimes::KnownRestAfter(Predecessor after) const {
  return rest_after.sole() == after ? &compute : rest_after.Find(after);
}

double EventTimes::MeanCompute(bool is_first, Predecessor after) const {
  const bool firsts = compute.first.count > 0 &&
                      (is_first || compute.rest.moments().count == 0);
  const TimeSummary* part = (firsts ? first_after : rest_after).Find(after);
  return (part != nullptr ? *part : compute).Mean(firsts);
}

}  // namespace ranksight::reduction
