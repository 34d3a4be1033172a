#include "online_model/forecast/event_table.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "online_model/series/event_key.h"
#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

constexpr double kSecondsPerNs = 1e-9;

using Values = std::array<double, kQuantities>;

Values ValuesOf(const reduction::Node& event, double ranks) {
  const reduction::EventTimes& t = event.times;
  Values v;
  v[kCompute] = t.TotalCompute() * kSecondsPerNs / ranks;
  const double call = reduction::BeginsRun(event.call) ? 0 : t.TotalCall();
  v[kCall] = call * kSecondsPerNs / ranks;
  v[kOccurrences] =
      (double(t.call.first.count) + double(t.call.rest.moments().count)) /
      ranks;
  return v;
}

double PartsOf(const reduction::Trace& trace) {
  double seconds = 0;
  reduction::ForEachEvent(trace.root, [&](const reduction::Node& event) {
    const Values v = ValuesOf(event, double(trace.meta.ranks));
    seconds += v[kCompute] + v[kCall];
  });
  return seconds;
}

}  // namespace

double SecondsOf(const reduction::Trace& trace) {
  if (trace.meta.elapsed.count > 0 && trace.meta.elapsed.max > 0) {
    return trace.meta.elapsed.max * kSecondsPerNs;
  }
  return PartsOf(trace);
}

size_t EventTable::ColumnOf(int64_t ranks, double parameter) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].ranks == ranks && columns_[i].parameter == parameter) {
      return i;
    }
  }
  columns_.push_back({ranks, 0, parameter});
  SortColumns();
  return columns_.size() - 1;
}

void EventTable::SortColumns() {
  order_.resize(columns_.size());
  std::iota(order_.begin(), order_.end(), size_t{0});
  std::sort(order_.begin(), order_.end(), [this](size_t a, size_t b) {
    const Column &x = columns_[a], &y = columns_[b];
    return std::pair(x.ranks, x.parameter) < std::pair(y.ranks, y.parameter);
  });
}

void EventTable::Add(const reduction::Trace& trace, double parameter) {
  RANKSIGHT_REQUIRE(trace.meta.ranks >= 1);
  const size_t column = ColumnOf(trace.meta.ranks, parameter);
  ++columns_[column].runs;
  // An event that stands more than once in a tree is still one value a run.
  std::unordered_map<size_t, Values> values;
  reduction::ForEachEvent(trace.root, [&](const reduction::Node& event) {
    const auto [it, fresh] =
        index_.try_emplace(EventKey(trace.sites, event), events_.size());
    if (fresh) events_.emplace_back();
    EventSeries& series = events_[it->second];
    series.call = std::string(reduction::Info(event.call).name);
    series.site = reduction::ToString(trace.sites, event.site);
    const Values add = ValuesOf(event, double(trace.meta.ranks));
    Values& sum = values[it->second];
    for (int q = 0; q < kQuantities; ++q) sum[q] += add[q];
  });
  double parts = 0;
  for (const auto& [event, v] : values) {
    for (int q = 0; q < kQuantities; ++q) {
      events_[event].series[q].Add(column, v[q]);
    }
    parts += v[kCompute] + v[kCall];
  }
  parts_.Add(column, parts);
  elapsed_.Add(column, SecondsOf(trace));
}

std::vector<Point> EventTable::TimesNow(const Series& series) const {
  std::vector<Point> points = Points(series);
  for (size_t i = 0; i < std::min(points.size(), scales_.size()); ++i) {
    points[i].mean *= scales_[i].mean;
    points[i].variance *= scales_[i].variance;
  }
  return points;
}

int64_t EventTable::Find(const reduction::Trace& trace,
                         const reduction::Node& event) const {
  RANKSIGHT_REQUIRE(event.is_event());
  const auto it = index_.find(EventKey(trace.sites, event));
  return it == index_.end() ? -1 : int64_t(it->second);
}

}  // namespace ranksight::online_model
