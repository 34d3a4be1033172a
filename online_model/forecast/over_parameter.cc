#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "online_model/api/parameter.h"
#include "online_model/fit/surface.h"
#include "online_model/forecast/event_table.h"
#include "online_model/forecast/parameter_cells.h"
#include "online_model/forecast/point.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;

constexpr size_t kMostLaws = 40;

// The laws of all parts of a run.
struct SurfaceModel {
  std::vector<std::array<SurfaceFit, kTimes>> parts;  // by event of the table
  SurfaceFit elapsed;
  PartsToWhole join;

  explicit SurfaceModel(const EventTable& table) {
    std::array<std::vector<Point>, kTimes> points;
    const std::vector<Point> whole = table.Points(table.elapsed());
    std::vector<std::vector<double>> residuals(whole.size());
    for (const EventSeries& event : table.events()) {
      auto& fits = parts.emplace_back();
      for (int q = 0; q < kTimes; ++q) {
        points[q] = table.Points(event.series[q]);
        fits[q] = FitSurface(points[q]);
        const Surface& law = fits[q].surfaces[0].first;
        for (size_t i = 0; i < whole.size(); ++i) {
          const Point& p = points[q][i];
          residuals[i].push_back(p.mean - law.At(p.ranks, p.parameter));
        }
      }
    }
    elapsed = FitSurface(whole);
    join.SetRatio(whole, table.Points(table.parts()));
    join.correlation = CorrelationOf(residuals);
  }

  Total At(double ranks, double value) const {
    std::vector<Estimate> estimates;
    estimates.reserve(parts.size() * kTimes);
    for (const auto& fits : parts) {
      for (const SurfaceFit& fit : fits) {
        estimates.push_back(fit.At(ranks, value));
      }
    }
    return JoinParts(estimates, elapsed.At(ranks, value), join);
  }
};

}  // namespace

std::optional<double> ParameterNumber(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end) return std::nullopt;
  if (!std::isfinite(value) || value <= 0) return std::nullopt;
  return value;
}

struct ParameterForecaster::Impl {
  std::string name;
  RunKind kind;  // without the parameter
  EventTable table;

  ParameterCells Cells() const;
  void SetAbout(double value, Forecast* f) const;
  std::string OutOfReach(double value, const ParameterCells& cells) const;
  void SetLaws(const SurfaceModel& model, double ranks, OverParameter* o) const;
};

ParameterForecaster::ParameterForecaster(std::string name)
    : impl_(std::make_unique<Impl>()) {
  impl_->name = std::move(name);
}
ParameterForecaster::~ParameterForecaster() = default;
ParameterForecaster::ParameterForecaster(ParameterForecaster&&) noexcept =
    default;
ParameterForecaster& ParameterForecaster::operator=(
    ParameterForecaster&&) noexcept = default;

Status ParameterForecaster::AddRun(const reduction::Trace& trace) {
  const std::string& name = impl_->name;
  reduction::Meta meta = trace.meta;
  const auto given = meta.params.find(name);
  if (given == meta.params.end()) {
    return Status::No("a run without the parameter " + name);
  }
  const std::optional<double> value = ParameterNumber(given->second);
  if (!value) {
    return Status::No(
        fmt::format("{}={} is no number above 0", name, given->second));
  }
  meta.params.erase(given);
  const bool first = impl_->table.columns().empty();
  const Status admitted = Admit(meta, first ? nullptr : &impl_->kind);
  if (!admitted.ok()) return admitted;
  if (!meta.complete) return Incomplete(meta);
  impl_->kind = KindOf(meta);
  impl_->table.Add(trace, *value);
  return Status::Ok();
}

ParameterCells ParameterForecaster::Impl::Cells() const {
  std::set<ParameterCells::Cell> cells;
  for (const Column& c : table.columns()) cells.emplace(c.ranks, c.parameter);
  return ParameterCells(std::move(cells));
}

// What was measured, and which run is missing.
void ParameterForecaster::Impl::SetAbout(double value, Forecast* f) const {
  f->program = kind.program;
  OverParameter& over = f->over.emplace();
  over.name = name;
  over.value = value;
  for (const Point& p : table.Points(table.elapsed())) {
    over.cells.push_back(
        {int64_t(p.ranks), p.parameter, uint64_t(p.runs), p.mean});
    if (f->measured.empty() || f->measured.back() != int64_t(p.ranks)) {
      f->measured.push_back(int64_t(p.ranks));
      f->repetitions.push_back(0);
    }
    f->repetitions.back() += uint64_t(p.runs);
  }
  if (over.cells.empty()) return;
  const ParameterCells cells = Cells();
  const ParameterCells::Cell next = cells.Next();
  f->next_run = next.first;
  over.next_value = next.second;
  f->next_run_reason = cells.Lacking(name).empty()
                           ? "nothing was measured as far out"
                           : "it makes laws in both possible";
}

std::string ParameterForecaster::Impl::OutOfReach(
    double value, const ParameterCells& cells) const {
  const double low = *cells.values().begin(), high = *cells.values().rbegin();
  if (value <= kFurthest * high && value >= low / kFurthest) return "";
  return fmt::format(
      "{}={:.6g} is more than {:.0f} times beyond what was "
      "measured ({:.6g} to {:.6g})",
      name, value, kFurthest, low, high);
}

void ParameterForecaster::Impl::SetLaws(const SurfaceModel& model, double ranks,
                                        OverParameter* over) const {
  const Total total = model.At(ranks, over->value);
  const double sum = total.compute + total.call;
  for (size_t i = 0; i < model.parts.size(); ++i) {
    ParameterLaw law;
    law.call = table.events()[i].call;
    law.site = table.events()[i].site;
    law.compute = model.parts[i][kCompute].surfaces[0].first.ToString(name);
    law.in_call = model.parts[i][kCall].surfaces[0].first.ToString(name);
    const double seconds =
        model.parts[i][kCompute].At(ranks, over->value).value +
        model.parts[i][kCall].At(ranks, over->value).value;
    law.share = sum > 0 ? seconds / sum : 0;
    over->laws.push_back(std::move(law));
  }
  std::ranges::stable_sort(over->laws,
                           [](const ParameterLaw& a, const ParameterLaw& b) {
                             return a.share > b.share;
                           });
  over->laws.resize(std::min(over->laws.size(), kMostLaws));
}

Forecast ParameterForecaster::At(double value,
                                 std::span<const int64_t> ranks) const {
  Forecast f;
  impl_->SetAbout(value, &f);
  const ParameterCells cells = impl_->Cells();
  std::string why = "no run";
  if (!f.measured.empty()) why = cells.Lacking(impl_->name);
  if (why.empty()) why = impl_->OutOfReach(value, cells);
  std::optional<SurfaceModel> model;
  double work = 0;  // seconds of all ranks, of the smallest rank count
  if (why.empty()) {
    model.emplace(impl_->table);
    const double smallest = double(f.measured.front());
    work = model->At(smallest, value).seconds * smallest;
  }
  int64_t furthest = 0;
  for (const int64_t n : ranks) {
    ForecastPoint& p = f.points.emplace_back();
    p.ranks = n;
    p.refused = true;
    p.reason = n < 1 ? "not a rank count" : why;
    if (!p.reason.empty()) continue;
    SetPoint(model->At(double(n), value), &p);
    p.basis = fmt::format("laws over N and {} added up", impl_->name);
    p.efficiency = work / (p.seconds * double(n));
    if (const std::string far = TooFar(n, f.measured.back()); !far.empty()) {
      p.refused = true;
      p.reason = far;
    }
    if (!p.refused) furthest = std::max(furthest, n);
  }
  if (furthest > 0) impl_->SetLaws(*model, double(furthest), &*f.over);
  return f;
}

}  // namespace ranksight::online_model
