#include "online_model/forecast/total.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// Series fitted again when a further run is supposed. They carry nearly all
// of the width; doubling the number changes the advice hardly ever.
constexpr size_t kRefitted = 16;

std::vector<Point> WithOneMore(std::vector<Point> points, double ranks,
                               double value) {
  auto at = std::find_if(points.begin(), points.end(),
                         [&](const Point& p) { return p.ranks >= ranks; });
  if (at != points.end() && at->ranks == ranks) {
    at->runs += 1;
  } else {
    points.insert(at, {ranks, 1, value, 0});
  }
  return points;
}

// The points with one value more, which counts as `weight` of a run.
void Merge(double ranks, const PartOfRun::Value& value,
           std::vector<Point>* points) {
  const auto at =
      std::find_if(points->begin(), points->end(),
                   [&](const Point& p) { return p.ranks >= ranks; });
  if (at == points->end() || at->ranks != ranks) {
    points->insert(at, {ranks, value.weight, value.seconds, 0});
    return;
  }
  const double runs = at->runs + value.weight;
  at->mean = (at->runs * at->mean + value.weight * value.seconds) / runs;
  at->runs = runs;
}

// Basis tables of the few sets of rank counts that there are.
class BasisTables {
 public:
  explicit BasisTables(ModelFamily family) : family_(family) {}
  const BasisTable& For(const std::vector<Point>& points) {
    std::vector<double> ranks;
    for (const Point& p : points) ranks.push_back(p.ranks);
    const auto at = tables_.find(ranks);
    if (at != tables_.end()) return at->second;
    return tables_.emplace(ranks, BasisTable(family_, ranks)).first->second;
  }

 private:
  ModelFamily family_;
  std::map<std::vector<double>, BasisTable> tables_;
};

}  // namespace

TotalModel TotalModel::Fit(const EventTable& table, ModelFamily family) {
  TotalModel m;
  m.family_ = family;
  std::vector<double> ranks;
  for (size_t column : table.order()) {
    ranks.push_back(double(table.columns()[column].ranks));
  }
  // All series have the same rank counts, so shapes are evaluated once and not
  // for each of thousands.
  const BasisTable basis(family, ranks);
  m.parts_.reserve(table.events().size());
  m.points_.reserve(table.events().size());
  for (const EventSeries& event : table.events()) {
    auto& fits = m.parts_.emplace_back();
    auto& points = m.points_.emplace_back();
    for (int q = 0; q < kTimes; ++q) {
      points[q] = table.TimesNow(event.series[q]);
      fits[q] = FitSeries(points[q], basis, family);
    }
    fits[kOccurrences] =
        FitSeries(table.Points(event.series[kOccurrences]), basis, family);
  }
  m.elapsed_points_ = table.TimesNow(table.elapsed());
  m.elapsed_ = FitSeries(m.elapsed_points_, basis, family);
  m.join_.SetRatio(m.elapsed_points_, table.TimesNow(table.parts()));
  m.FindCorrelation();
  return m;
}

TotalModel TotalModel::With(std::span<const PartOfRun> parts) const {
  TotalModel m = *this;
  BasisTables tables(family_);
  for (size_t event = 0; event < m.points_.size(); ++event) {
    for (int q = 0; q < kTimes; ++q) {
      std::vector<Point>& points = m.points_[event][q];
      for (const PartOfRun& part : parts) {
        const auto& value = part.values[event][q];
        if (value) Merge(part.ranks, *value, &points);
      }
      m.parts_[event][q] = FitSeries(points, tables.For(points), family_);
    }
  }
  for (const PartOfRun& part : parts) {
    Merge(part.ranks, {part.seconds, part.weight}, &m.elapsed_points_);
  }
  m.elapsed_ =
      FitSeries(m.elapsed_points_, tables.For(m.elapsed_points_), family_);
  return m;
}

void TotalModel::FindCorrelation() {
  std::vector<std::vector<double>> residuals(elapsed_points_.size());
  for (size_t i = 0; i < residuals.size(); ++i) {
    for (size_t event = 0; event < parts_.size(); ++event) {
      for (int q = 0; q < kTimes; ++q) {
        const Point& p = points_[event][q][i];
        const Model& model = parts_[event][q].ModelAt(p.ranks);
        residuals[i].push_back(p.mean - model.At(p.ranks));
      }
    }
  }
  join_.correlation = CorrelationOf(residuals);
}

std::vector<Estimate> TotalModel::PartsAt(double ranks) const {
  std::vector<Estimate> out;
  out.reserve(parts_.size() * kTimes);
  const BasisTable table(family_, {&ranks, 1});
  for (const auto& fits : parts_) {
    for (int q = 0; q < kTimes; ++q) out.push_back(fits[q].At(ranks, table));
  }
  return out;
}

Total TotalModel::At(double ranks) const {
  return JoinParts(PartsAt(ranks), elapsed_.At(ranks), join_);
}

double TotalModel::HalfWidthIf(double supposed, double ranks) const {
  RANKSIGHT_REQUIRE(supposed > 0 && ranks > 0);
  std::vector<Estimate> parts = PartsAt(ranks);
  std::vector<size_t> heavy(parts.size());
  std::iota(heavy.begin(), heavy.end(), size_t{0});
  const size_t kept = std::min(kRefitted, heavy.size());
  std::partial_sort(heavy.begin(), heavy.begin() + kept, heavy.end(),
                    [&](size_t a, size_t b) {
                      return parts[a].HalfWidth() > parts[b].HalfWidth();
                    });
  for (size_t k = 0; k < kept; ++k) {
    const size_t event = heavy[k] / kTimes, q = heavy[k] % kTimes;
    const double value = parts_[event][q].At(supposed).value;
    parts[heavy[k]] =
        FitSeries(WithOneMore(points_[event][q], supposed, value), family_)
            .At(ranks);
  }
  const double value = At(supposed).seconds;
  const SeriesFit whole =
      FitSeries(WithOneMore(elapsed_points_, supposed, value), family_);
  return JoinParts(parts, whole.At(ranks), join_).half_width;
}

}  // namespace ranksight::online_model
