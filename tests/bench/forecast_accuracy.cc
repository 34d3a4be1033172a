// How well a forecast from small runs meets runs that were made:
//   forecast_accuracy [--train K] [--models weighed|classic|normal-form]
//                     TRACE...
// Traces of one program stand together by name, NAME.<ranks>.trace. Of each
// program the K smallest rank counts (default 4) are given to the forecaster,
// every larger one is forecast and compared with what its trace says it took.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "online_model/api/forecast.h"
#include "reduction/api/codec.h"

namespace {

using ranksight::online_model::Forecaster;
using ranksight::online_model::ForecastPoint;
using ranksight::online_model::ModelFamily;
using ranksight::reduction::Trace;

struct Outcome {
  double factor = 1;  // beyond the largest run that was given
  bool refused = false;
  double error = 0;  // relative
  bool inside = false;
};

std::string GroupOf(const std::string& path) {
  const size_t slash = path.rfind('/') + 1;
  const size_t end = path.rfind(".trace");
  const size_t dot = path.rfind('.', end - 1);
  return path.substr(slash, dot - slash);
}

double SecondsOf(const Trace& trace) { return trace.meta.elapsed.max / 1e9; }

void Compare(const std::string& group, std::vector<Trace>& traces,
             size_t trained, ModelFamily family,
             std::vector<Outcome>* outcomes) {
  std::sort(traces.begin(), traces.end(), [](const Trace& a, const Trace& b) {
    return a.meta.ranks < b.meta.ranks;
  });
  if (traces.size() <= trained) return;
  Forecaster forecaster(family);
  for (size_t i = 0; i < trained; ++i) {
    const auto status = forecaster.AddRun(traces[i]);
    if (!status.ok()) fmt::print("{}: {}\n", group, status.message());
  }
  const double largest = double(traces[trained - 1].meta.ranks);
  for (size_t i = trained; i < traces.size(); ++i) {
    const int64_t ranks[] = {traces[i].meta.ranks};
    const ForecastPoint p = forecaster.At(ranks).points[0];
    const double truth = SecondsOf(traces[i]);
    Outcome o;
    o.factor = double(ranks[0]) / largest;
    o.refused = p.refused;
    o.error = p.seconds / truth - 1;
    o.inside = p.low <= truth && truth <= p.high;
    outcomes->push_back(o);
    fmt::print("{:<16}{:>6}{:>7.1f}x{:>12.4g}", group, ranks[0], o.factor,
               truth);
    if (o.refused) {
      fmt::print("  refused: {}\n", p.reason);
    } else {
      fmt::print("{:>12.4g}{:>12.4g}{:>12.4g}{:>8.1f} %{}\n", p.seconds, p.low,
                 p.high, 100 * o.error, o.inside ? "" : "  outside");
    }
  }
}

void Summarise(const std::vector<Outcome>& outcomes, double from, double to) {
  std::vector<double> errors;
  size_t refused = 0, inside = 0;
  for (const Outcome& o : outcomes) {
    if (o.factor <= from || o.factor > to) continue;
    if (o.refused) {
      ++refused;
      continue;
    }
    errors.push_back(std::abs(o.error));
    inside += o.inside ? 1 : 0;
  }
  std::sort(errors.begin(), errors.end());
  fmt::print("{:>4.0f}x to {:>3.0f}x: {} forecast, {} refused", from, to,
             errors.size(), refused);
  if (!errors.empty()) {
    fmt::print(", median error {:.1f} %, worst {:.1f} %, {:.0f} % inside",
               100 * errors[errors.size() / 2], 100 * errors.back(),
               100.0 * double(inside) / double(errors.size()));
  }
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  size_t trained = 4;
  ModelFamily family = ModelFamily::kWeighed;
  std::map<std::string, std::vector<Trace>> groups;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--train") == 0 && i + 1 < argc) {
      trained = size_t(std::stoul(argv[++i]));
      continue;
    }
    if (std::strcmp(argv[i], "--models") == 0 && i + 1 < argc) {
      const std::string name = argv[++i];
      family = name == "classic"       ? ModelFamily::kClassic
               : name == "normal-form" ? ModelFamily::kNormalForm
                                       : ModelFamily::kWeighed;
      continue;
    }
    auto trace = ranksight::reduction::ReadTraceFile(argv[i]);
    if (!trace.ok()) {
      fmt::print(stderr, "{}\n", trace.status().message());
      return 3;
    }
    groups[GroupOf(argv[i])].push_back(std::move(trace.value()));
  }
  fmt::print("{:<16}{:>6}{:>8}{:>12}{:>12}{:>12}{:>12}{:>10}\n", "program",
             "ranks", "factor", "took s", "forecast s", "low s", "high s",
             "error");
  std::vector<Outcome> outcomes;
  for (auto& [group, traces] : groups) {
    Compare(group, traces, trained, family, &outcomes);
  }
  Summarise(outcomes, 1, 4);
  Summarise(outcomes, 4, 16);
  Summarise(outcomes, 16, 64);
  return 0;
}
