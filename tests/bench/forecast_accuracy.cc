// How well a forecast from small runs meets runs that were made:
//   forecast_accuracy [--train K] [--models weighed|joined|classic|normal-form]
//                     [--noise SHARE] [--repeat R] [--nodes FILE]
//                     [--torus SHAPE --order O] [--topology NETWORK]
//                     [--messages FILE] [--points FILE] TRACE...
//   forecast_accuracy --summary FILE
// Traces of one program stand together by name, NAME.<ranks>.trace. Of each
// program the K smallest rank counts (default 4) are given to the forecaster,
// every larger one is forecast and compared with what its trace says it took.
// With --noise each is given R times, every time in it multiplied by a factor
// of its own of that standard deviation. --torus and --topology say what links
// the machine has, --nodes on which node each rank is, one a line, --messages
// what messages take there (ranksight machine measure). --points appends what
// came out, a line for each point, to a file, of which --summary makes a table;
// beside each stands the least-squares fit of a / N + b + c log2 N to the same
// runs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "online_model/api/forecast.h"
#include "online_model/api/joined.h"
#include "online_model/fit/plain_fit.h"
#include "reduction/api/codec.h"

namespace {

using ranksight::online_model::Forecaster;
using ranksight::online_model::ForecastPoint;
using ranksight::online_model::JoinedForecast;
using ranksight::online_model::Links;
using ranksight::online_model::ModelFamily;
using ranksight::online_model::WalkOptions;
using ranksight::reduction::Trace;
namespace reduction = ranksight::reduction;

struct Outcome {
  double factor = 1;  // beyond the largest run that was given
  bool refused = false;
  double error = 0;  // relative
  bool inside = false;
  double plain = 0;  // the error of the plain fit
};

std::string GroupOf(const std::string& path) {
  const size_t slash = path.rfind('/') + 1;
  const size_t end = path.rfind(".trace");
  const size_t dot = path.rfind('.', end - 1);
  return path.substr(slash, dot - slash);
}

double SecondsOf(const Trace& trace) { return trace.meta.elapsed.max / 1e9; }

void Scale(double factor, reduction::Moments* m) {
  m->sum *= factor;
  m->sum_squares *= factor * factor;
  m->min *= factor;
  m->max *= factor;
}

// The run measured again on a machine with jitter.
Trace Disturbed(Trace trace, double noise, std::mt19937_64* random) {
  std::normal_distribution<double> normal(1, noise);
  const auto factor = [&] { return std::max(0.1, normal(*random)); };
  reduction::ForEachEvent(trace.root, [&](reduction::Node& node) {
    const double compute = factor(), call = factor();
    Scale(compute, &node.times.compute.first);
    Scale(compute, &node.times.compute.ranks);
    node.times.compute.rest.Scale(compute);
    const auto of_part = [&](auto, reduction::TimeSummary* part) {
      Scale(compute, &part->first);
      Scale(compute, &part->ranks);
      part->rest.Scale(compute);
    };
    node.times.first_after.Change(of_part);
    node.times.rest_after.Change(of_part);
    Scale(call, &node.times.call.first);
    Scale(call, &node.times.call.ranks);
    node.times.call.rest.Scale(call);
  });
  Scale(factor(), &trace.meta.elapsed);
  return trace;
}

struct Settings {
  size_t trained = 4, repeat = 1;
  ModelFamily family = ModelFamily::kWeighed;
  bool joined = false;
  double noise = 0;
  std::string torus, order, topology, nodes, messages;
  std::string points;
  WalkOptions walk;
};

std::vector<int64_t> NodesIn(const std::string& path) {
  std::ifstream file(path);
  return {std::istream_iterator<int64_t>(file), {}};
}

// Nodes are numbered in the order that is given.
std::shared_ptr<const Links> LinksOfTorus(const Settings& settings) {
  using ranksight::bgq_support::Mapping;
  std::string reason;
  const auto torus = ranksight::bgq_support::Network::Parse(
      "torus:" + settings.torus, &reason);
  if (!torus) return nullptr;
  const auto nodes =
      PlaceInOrder(*torus, torus->nodes(), 1, &reason, settings.order);
  if (!nodes) return nullptr;
  std::vector<ranksight::bgq_support::Place> places;
  for (const int64_t node : NodesIn(settings.nodes)) {
    places.push_back(nodes->places().at(size_t(node)));
  }
  return ranksight::online_model::NetworkLinks(*torus, Mapping(places));
}

std::shared_ptr<const Links> LinksOfNetwork(const Settings& settings) {
  std::string reason;
  const auto network =
      ranksight::bgq_support::Network::Parse(settings.topology, &reason);
  if (!network) return nullptr;
  std::vector<ranksight::bgq_support::Place> places;
  for (const int64_t node : NodesIn(settings.nodes)) {
    places.push_back({int32_t(node), 0});
  }
  return ranksight::online_model::NetworkLinks(
      *network, ranksight::bgq_support::Mapping(places));
}

void Compare(const std::string& group, std::vector<Trace>& traces,
             const Settings& settings, std::vector<Outcome>* outcomes) {
  std::sort(traces.begin(), traces.end(), [](const Trace& a, const Trace& b) {
    return a.meta.ranks < b.meta.ranks;
  });
  const size_t trained = settings.trained;
  if (traces.size() <= trained) return;
  Forecaster forecaster(settings.family);
  std::vector<Trace> inputs;
  std::mt19937_64 random(std::hash<std::string>()(group));
  for (size_t i = 0; i < trained; ++i) {
    for (size_t r = 0; r < settings.repeat; ++r) {
      inputs.push_back(settings.noise > 0
                           ? Disturbed(traces[i], settings.noise, &random)
                           : traces[i]);
      const auto status = forecaster.AddRun(inputs.back());
      if (!status.ok()) fmt::print("{}: {}\n", group, status.message());
    }
  }
  std::vector<ranksight::online_model::Point> measured;
  for (size_t i = 0; i < trained; ++i) {
    measured.push_back(
        {double(traces[i].meta.ranks), 1, SecondsOf(traces[i]), 0, 0});
  }
  const auto plain = ranksight::online_model::FitPlain(measured);
  const double largest = double(traces[trained - 1].meta.ranks);
  std::vector<int64_t> ranks;
  for (size_t i = trained; i < traces.size(); ++i) {
    ranks.push_back(traces[i].meta.ranks);
  }
  const ranksight::online_model::Forecast forecast =
      settings.joined ? JoinedForecast(forecaster, inputs, ranks, settings.walk)
                      : forecaster.At(ranks);
  for (size_t i = trained; i < traces.size(); ++i) {
    const ForecastPoint& p = forecast.points[i - trained];
    const double truth = SecondsOf(traces[i]);
    Outcome o;
    o.factor = double(p.ranks) / largest;
    o.refused = p.refused;
    o.error = p.seconds / truth - 1;
    o.inside = p.low <= truth && truth <= p.high;
    o.plain = plain.At(double(p.ranks)) / truth - 1;
    outcomes->push_back(o);
    fmt::print("{:<16}{:>6}{:>7.1f}x{:>12.4g}", group, p.ranks, o.factor,
               truth);
    if (o.refused) {
      fmt::print("  refused: {}\n", p.reason);
    } else {
      fmt::print("{:>12.4g}{:>12.4g}{:>12.4g}{:>8.1f} %{}\n", p.seconds, p.low,
                 p.high, 100 * o.error, o.inside ? "" : "  outside");
    }
    if (p.basis.starts_with("laws")) fmt::print("  {}\n", p.basis);
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

constexpr char kPoint[] = "{} {} {} {} {}\n";

void AppendPoints(const std::vector<Outcome>& outcomes,
                  const std::string& path) {
  std::ofstream file(path, std::ios::app);
  for (const Outcome& o : outcomes) {
    file << fmt::format(kPoint, o.factor, int(o.refused), o.error,
                        int(o.inside), o.plain);
  }
}

double MedianOf(std::vector<double> errors) {
  if (errors.empty()) return 0;
  std::ranges::sort(errors);
  return errors[errors.size() / 2];
}

// A row for each factor that has points, and one for all.
void PrintTable(const std::string& path) {
  std::ifstream file(path);
  std::map<double, std::vector<Outcome>> by_factor;
  Outcome o;
  while (file >> o.factor >> o.refused >> o.error >> o.inside >> o.plain) {
    by_factor[o.factor].push_back(o);
    by_factor[0].push_back(o);
  }
  fmt::print(
      "| | points | refused | median | worst | inside 90 % | plain fit, all | "
      "plain fit, the same |\n|---|---|---|---|---|---|---|---|\n");
  for (const auto& [factor, points] : by_factor) {
    std::vector<double> errors, plain, same;
    double inside = 0;
    for (const Outcome& p : points) {
      plain.push_back(std::abs(p.plain));
      if (p.refused) continue;
      errors.push_back(std::abs(p.error));
      same.push_back(std::abs(p.plain));
      inside += p.inside ? 1 : 0;
    }
    if (errors.empty()) continue;
    const double n = double(errors.size()), all = double(points.size());
    fmt::print(
        "| {} | {} | {:.0f} % | {:.1f} % | {:.0f} % | {:.0f} % | {:.1f} % | "
        "{:.1f} % |\n",
        factor == 0 ? "all" : fmt::format("{:.0f} x", factor), points.size(),
        100 * (1 - n / all), 100 * MedianOf(errors),
        100 * *std::ranges::max_element(errors), 100 * inside / n,
        100 * MedianOf(plain), 100 * MedianOf(same));
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  std::map<std::string, std::vector<Trace>> groups;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option.starts_with("--") && i + 1 < argc) {
      const std::string value = argv[++i];
      if (option == "--train") settings.trained = size_t(std::stoul(value));
      if (option == "--repeat") settings.repeat = size_t(std::stoul(value));
      if (option == "--noise") settings.noise = std::stod(value);
      if (option == "--torus") settings.torus = value;
      if (option == "--order") settings.order = value;
      if (option == "--topology") settings.topology = value;
      if (option == "--nodes") settings.nodes = value;
      if (option == "--messages") settings.messages = value;
      if (option == "--points") settings.points = value;
      if (option == "--summary") {
        PrintTable(value);
        return 0;
      }
      if (option == "--models") {
        settings.joined = value == "joined";
        settings.family = value == "classic"       ? ModelFamily::kClassic
                          : value == "normal-form" ? ModelFamily::kNormalForm
                                                   : ModelFamily::kWeighed;
      }
      continue;
    }
    auto trace = ranksight::reduction::ReadTraceFile(argv[i]);
    if (!trace.ok()) {
      fmt::print(stderr, "{}\n", trace.status().message());
      return 3;
    }
    groups[GroupOf(argv[i])].push_back(std::move(trace.value()));
  }
  if (!settings.torus.empty()) settings.walk.links = LinksOfTorus(settings);
  if (!settings.topology.empty()) {
    settings.walk.links = LinksOfNetwork(settings);
  }
  if (!settings.messages.empty()) {
    auto times = ranksight::online_model::ReadTimes(settings.messages);
    if (!times.ok()) {
      fmt::print(stderr, "{}\n", times.status().message());
      return 3;
    }
    settings.walk.measured = std::move(*times);
  }
  fmt::print("{:<16}{:>6}{:>8}{:>12}{:>12}{:>12}{:>12}{:>10}\n", "program",
             "ranks", "factor", "took s", "forecast s", "low s", "high s",
             "error");
  std::vector<Outcome> outcomes;
  for (auto& [group, traces] : groups) {
    Compare(group, traces, settings, &outcomes);
  }
  if (!settings.points.empty()) AppendPoints(outcomes, settings.points);
  Summarise(outcomes, 1, 4);
  Summarise(outcomes, 4, 16);
  Summarise(outcomes, 16, 64);
  return 0;
}
