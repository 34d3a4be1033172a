#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "online_model/api/forecast.h"
#include "online_model/fit/occurrence_fit.h"
#include "online_model/forecast/cbor.h"
#include "online_model/forecast/event_table.h"
#include "online_model/forecast/growing.h"
#include "online_model/forecast/next_run.h"
#include "online_model/forecast/point.h"
#include "online_model/forecast/run_history.h"
#include "online_model/forecast/total.h"
#include "online_model/forecast/under_way.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

constexpr size_t kLeastSizes = 3;
// Of encoded statistics: what they are sums of. Others are not taken over, and
// the runs are read again.
constexpr int kStatisticsVersion = 3;
constexpr double kNsPerSecond = 1e9;
constexpr char kPlain[] = "a / N + b + c log2 N through the runs' times";

bool ReadHistory(const nlohmann::json& code, RunHistory* history) {
  if (!code.is_array() || code.size() > RunHistory::kMostRuns) return false;
  for (const nlohmann::json& run : code) {
    if (!run.is_array() || run.size() != 4 || !run[0].is_number_integer() ||
        !run[1].is_number_integer() || !run[2].is_number() ||
        !run[3].is_binary()) {
      return false;
    }
    const auto& job = run[3].get_binary();
    const double seconds = run[2].get<double>();
    if (!std::isfinite(seconds)) return false;
    history->Add({run[0].get<int64_t>(), run[1].get<int64_t>(), seconds,
                  std::string(job.begin(), job.end())});
  }
  return true;
}

}  // namespace

struct Forecaster::Impl {
  ModelFamily family = ModelFamily::kWeighed;
  RunKind kind;
  EventTable table;
  RunHistory history;
  std::optional<Drift> drift;           // of history
  std::map<std::string, SeenRun> seen;  // runs that go on, by job
  // Fitted when first asked: to the stored runs, and with those under way.
  mutable std::optional<TotalModel> stored, model;
  mutable std::vector<RunUnderWay> under_way;

  const TotalModel& Model() const;
  // Measured, and those of runs under way that are used. Ascending.
  std::vector<int64_t> SizesOfModel() const;
  std::vector<int64_t> Measured() const {
    std::vector<int64_t> ranks;
    for (size_t column : table.order()) {
      ranks.push_back(table.columns()[column].ranks);
    }
    return ranks;
  }
  std::vector<MeasuredSize> Sizes() const;
  std::vector<SiteModel> Sites() const;
  ForecastPoint PointAt(int64_t ranks, const std::vector<int64_t>& measured,
                        double smallest_work) const;
  // Of a point that is refused, from whole runs alone.
  void SetPlain(ForecastPoint* point) const;
  // Looks for a shift, and makes of the times before it times since.
  void FollowDrift();
};

void Forecaster::Impl::FollowDrift() {
  const auto shift = history.FindDrift();
  drift = shift ? std::optional(shift->drift) : std::nullopt;
  std::vector<EventTable::Scale> scales;
  if (!shift) return table.SetScales({});
  for (const Point& all : table.Points(table.elapsed())) {
    double runs_since = 0, seconds_since = 0;
    for (const TimedRun& run : history.runs()) {
      if (double(run.ranks) != all.ranks) continue;
      if (DriftScale(drift, run.start_unix_ns) != 1) continue;
      runs_since += 1;
      seconds_since += run.seconds;
    }
    EventTable::Scale& scale = scales.emplace_back();
    const double sum = all.runs * all.mean;
    // Means hold all runs: those before the change are taken for as long as
    // they would take now, the others as they are.
    const double before = std::max(0.0, sum - seconds_since);
    if (sum <= 0) continue;
    scale.mean = (before * drift->factor + seconds_since) / sum;
    scale.variance = scale.mean * scale.mean;
    const double now = shift->spread * all.mean;
    // The step between the two is no scatter of runs.
    if (runs_since > 0 && runs_since < all.runs && all.variance > now * now) {
      scale.variance *= now * now / all.variance;
    }
  }
  table.SetScales(std::move(scales));
}

const TotalModel& Forecaster::Impl::Model() const {
  if (model) return *model;
  if (!stored) stored = TotalModel::Fit(table, family);
  std::vector<PartOfRun> parts;
  under_way.clear();
  for (const auto& [job, run] : seen) {
    SeenRun::Completed completed = run.Complete(table, *stored);
    if (completed.about.used) parts.push_back(std::move(completed.part));
    under_way.push_back(std::move(completed.about));
  }
  model = parts.empty() ? *stored : stored->With(parts);
  return *model;
}

std::vector<int64_t> Forecaster::Impl::SizesOfModel() const {
  std::vector<int64_t> sizes = Measured();
  if (sizes.empty()) return sizes;
  (void)Model();
  for (const RunUnderWay& run : under_way) {
    if (run.used) sizes.push_back(run.ranks);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

Forecaster::Forecaster(ModelFamily family) : impl_(std::make_unique<Impl>()) {
  impl_->family = family;
}
Forecaster::~Forecaster() = default;
Forecaster::Forecaster(Forecaster&&) noexcept = default;
Forecaster& Forecaster::operator=(Forecaster&&) noexcept = default;

std::vector<MeasuredSize> Forecaster::Impl::Sizes() const {
  std::vector<MeasuredSize> sizes;
  if (table.columns().empty()) return sizes;
  for (const Point& p : table.Points(table.elapsed())) {
    MeasuredSize& size = sizes.emplace_back();
    size.ranks = int64_t(p.ranks);
    size.runs = uint64_t(p.runs);
    size.seconds = p.mean;
    size.deviation = std::sqrt(p.variance);
  }
  return sizes;
}

std::vector<SiteModel> Forecaster::Impl::Sites() const {
  const double now = double(Measured().back());
  const TotalModel& model = Model();
  const Total total = model.At(now);
  std::vector<SiteModel> sites;
  for (size_t i = 0; i < table.events().size(); ++i) {
    const SeriesFit& compute = model.PartFit(i, kCompute);
    const SeriesFit& call = model.PartFit(i, kCall);
    SiteModel site{table.events()[i].call,
                   table.events()[i].site,
                   compute.model,
                   call.model,
                   model.PartFit(i, kOccurrences).model,
                   0};
    const double sum = total.compute + total.call;
    if (sum > 0) {
      site.share_now = (compute.At(now).value + call.At(now).value) / sum;
    }
    sites.push_back(std::move(site));
  }
  std::stable_sort(sites.begin(), sites.end(),
                   [](const SiteModel& a, const SiteModel& b) {
                     return a.share_now > b.share_now;
                   });
  return sites;
}

Status Forecaster::AddRun(const reduction::Trace& trace) {
  const bool first = impl_->table.columns().empty();
  const Status admitted = Admit(trace.meta, first ? nullptr : &impl_->kind);
  if (!admitted.ok()) return admitted;
  if (!trace.meta.complete) return Incomplete(trace.meta);
  impl_->kind = KindOf(trace.meta);
  impl_->table.Add(trace);
  impl_->history.Add({trace.meta.start_unix_ns, trace.meta.ranks,
                      SecondsOf(trace), trace.meta.job});
  impl_->FollowDrift();
  impl_->seen.erase(trace.meta.job);
  impl_->stored.reset();
  impl_->model.reset();
  return Status::Ok();
}

Status Forecaster::SetUnderWay(const reduction::Trace& so_far) {
  if (impl_->table.columns().empty()) {
    return Status::No("no run of " + so_far.meta.program + " was stored yet");
  }
  const Status admitted = Admit(so_far.meta, &impl_->kind);
  if (!admitted.ok()) return admitted;
  impl_->seen.insert_or_assign(so_far.meta.job, SeenRun(so_far, impl_->table));
  impl_->model.reset();
  return Status::Ok();
}

void Forecaster::EndUnderWay(const std::string& job) {
  if (impl_->seen.erase(job) > 0) impl_->model.reset();
}

std::vector<std::string> Forecaster::UnderWay() const {
  std::vector<std::string> jobs;
  for (const auto& [job, run] : impl_->seen) jobs.push_back(job);
  return jobs;
}

void Forecaster::Impl::SetPlain(ForecastPoint* point) const {
  std::vector<Point> whole;
  if (!table.columns().empty()) whole = table.TimesNow(table.elapsed());
  std::erase_if(whole, [](const Point& p) { return p.mean <= 0; });
  if (whole.size() < 2) return;
  SetPlainPoint(FitPlain(whole), point);
  point->basis = kPlain;
}

ForecastPoint Forecaster::Impl::PointAt(int64_t ranks,
                                        const std::vector<int64_t>& measured,
                                        double smallest_work) const {
  ForecastPoint point;
  point.ranks = ranks;
  point.refused = true;
  if (ranks < 1) {
    point.reason = "not a rank count";
    return point;
  }
  if (measured.size() < kLeastSizes) {
    point.reason =
        fmt::format("rank counts measured: {}, at least {} are needed",
                    measured.size(), kLeastSizes);
    SetPlain(&point);
  } else {
    SetPoint(Model().At(double(ranks)), &point);
    const std::string too_far = TooFar(ranks, measured.back());
    if (!too_far.empty()) {
      point.refused = true;
      point.reason = too_far;
    }
    // Where the models refuse, a plain law may still give a figure to go by.
    if (!point.HasFigure()) SetPlain(&point);
  }
  if (point.HasFigure()) {
    point.efficiency = smallest_work / (point.seconds * double(ranks));
  }
  return point;
}

Forecast Forecaster::At(std::span<const int64_t> ranks) const {
  Forecast f;
  f.program = impl_->kind.program;
  f.measured = impl_->Measured();
  for (size_t column : impl_->table.order()) {
    f.repetitions.push_back(impl_->table.columns()[column].runs);
  }
  f.sizes = impl_->Sizes();
  const double smallest_work =  // seconds of all ranks
      f.sizes.empty() ? 0 : f.sizes[0].seconds * double(f.sizes[0].ranks);
  const std::vector<int64_t> sizes = impl_->SizesOfModel();
  f.under_way = impl_->under_way;
  f.drift = impl_->drift;
  int64_t furthest = 0;
  for (int64_t n : ranks) {
    f.points.push_back(impl_->PointAt(n, sizes, smallest_work));
    if (!f.points.back().refused) furthest = std::max(furthest, n);
  }
  if (f.measured.empty()) return f;
  if (sizes.size() < kLeastSizes) {
    f.next_run = NextSizes(f.measured).front();
    f.next_run_reason = "three different rank counts make a first forecast";
    return f;
  }
  const TotalModel& model = impl_->Model();
  const NextRun next = ChooseNextRun(model, sizes, ranks);
  f.next_run = next.ranks;
  f.next_run_reason = next.reason;
  f.sites = impl_->Sites();
  if (furthest > f.measured.back()) {
    f.growing = FindGrowing(impl_->table, model, double(f.measured.back()),
                            double(furthest));
  }
  f.dominant = FindDominant(impl_->table, model, f.measured.front(),
                            std::max(f.measured.back(), furthest));
  return f;
}

std::vector<uint8_t> Forecaster::Encode() const {
  const std::vector<uint8_t> table = impl_->table.Encode();
  nlohmann::json history = nlohmann::json::array();
  for (const TimedRun& run : impl_->history.runs()) {
    history.push_back(
        {run.start_unix_ns, run.ranks, run.seconds,
         nlohmann::json::binary({run.job.begin(), run.job.end()})});
  }
  return nlohmann::json::to_cbor({kStatisticsVersion, impl_->kind.program,
                                  impl_->kind.build_id, impl_->kind.params,
                                  nlohmann::json::binary(table), history});
}

reduction::Result<Forecaster> Forecaster::Decode(std::span<const uint8_t> bytes,
                                                 ModelFamily family) {
  using nlohmann::json;
  const Status damaged = Status::BadInput("0: damaged statistics");
  const json all = FromCbor(bytes);
  if (!all.is_array() || all.size() != 6 || all[0] != kStatisticsVersion ||
      !all[1].is_string() || !all[2].is_string() || !all[3].is_object() ||
      !all[4].is_binary()) {
    return damaged;
  }
  Forecaster f(family);
  f.impl_->kind.program = all[1].get<std::string>();
  f.impl_->kind.build_id = all[2].get<std::string>();
  for (const auto& [name, value] : all[3].items()) {
    if (!value.is_string()) return damaged;
    f.impl_->kind.params[name] = value.get<std::string>();
  }
  if (!f.impl_->table.Decode(all[4].get_binary())) return damaged;
  if (!ReadHistory(all[5], &f.impl_->history)) return damaged;
  f.impl_->FollowDrift();
  return f;
}

namespace {

// The time of one occurrence, from those of a mean rank's and how many it had.
OccurrenceFit FitOccurrence(const std::vector<Point>& times,
                            const std::vector<Point>& counts) {
  std::vector<Point> points;
  std::vector<double> occurrences;
  for (size_t i = 0; i < times.size(); ++i) {
    const double count = counts[i].mean;
    if (count <= 0) continue;
    Point& p = points.emplace_back(times[i]);
    p.mean /= count;
    p.variance /= count * count;
    occurrences.push_back(count * p.ranks);
  }
  return {points, occurrences};
}

}  // namespace

std::vector<Forecaster::EventTime> Forecaster::EventAt(
    const reduction::Trace& base, const reduction::Node& event,
    std::span<const int64_t> ranks) const {
  const reduction::EventTimes& t = event.times;
  const double count =
      double(t.call.first.count) + double(t.call.rest.moments().count);
  EventTime own;
  // What the trace itself has is the answer where nothing was learned of the
  // event.
  if (count > 0) own = {t.TotalCompute() / count, t.TotalCall() / count};
  std::vector<EventTime> out(ranks.size(), own);
  const EventTable& table = impl_->table;
  const int64_t index = table.Find(base, event);
  if (index < 0 || table.columns().size() < kLeastSizes) return out;
  const auto& series = table.events()[size_t(index)].series;
  const std::vector<Point> counts = table.Points(series[kOccurrences]);
  const auto occurs = [](const Point& p) { return p.mean > 0; };
  if (std::ranges::none_of(counts, occurs)) return out;
  const auto fit = [&](Quantity q) {
    return FitOccurrence(table.TimesNow(series[q]), counts);
  };
  const OccurrenceFit compute = fit(kCompute), call = fit(kCall);
  const SeriesFit& often = impl_->Model().PartFit(size_t(index), kOccurrences);
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] < 1) continue;
    const double n = double(ranks[i]), there = n * often.At(n).value;
    out[i] = {compute.At(n, there).value * kNsPerSecond,
              call.At(n, there).value * kNsPerSecond};
  }
  return out;
}

}  // namespace ranksight::online_model
