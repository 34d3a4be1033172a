#include "online_model/api/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>

#include "online_model/api/forecast.h"
#include "online_model/fit/memory_fit.h"
#include "reduction/api/shown_text.h"

namespace ranksight::online_model {
namespace {

using reduction::RunMemory;
using reduction::ShownBytes;
using reduction::Trace;

// What runs of one rank count say, all ranks of all runs together.
struct AtSize {
  RunMemory memory;
  double runs = 0;
};

std::map<int64_t, AtSize> BySize(std::span<const Trace> runs) {
  std::map<int64_t, AtSize> sizes;
  for (const Trace& run : runs) {
    if (!run.meta.memory.IsKnown() || run.meta.memory.peak.Mean() <= 0) {
      continue;
    }
    AtSize& size = sizes[run.meta.ranks];
    size.memory.Merge(run.meta.memory);
    size.runs += 1;
  }
  return sizes;
}

// As the largest run had them, by its launcher or on its first host.
int64_t RanksPerNode(std::span<const Trace> runs) {
  const auto largest = std::ranges::max_element(
      runs, {}, [](const Trace& t) { return t.meta.ranks; });
  if (largest == runs.end()) return 0;
  const reduction::Meta& meta = largest->meta;
  int64_t first = 0;
  const std::string& tasks = meta.launch.tasks_per_node;
  std::from_chars(tasks.data(), tasks.data() + tasks.size(), first);
  return first > 0 ? first : std::max<int64_t>(meta.host_ranks, 1);
}

class Projection {
 public:
  Projection(const std::map<int64_t, AtSize>& sizes, const NodeMemory& node)
      : node_(node), fit_(PointsOf(sizes)) {
    for (const auto& [ranks, size] : sizes) {
      measured_.push_back(ranks);
      const reduction::Moments& peak = size.memory.peak;
      unevenness_ = std::max(unevenness_, peak.max / peak.Mean());
    }
    file_bytes_ = sizes.rbegin()->second.memory.files.Mean();
  }

  MemoryPoint At(int64_t ranks) const {
    const MemoryFit::Interval interval = fit_.At(double(ranks));
    const ThreeFactors parts = fit_.law().PartsAt(double(ranks));
    MemoryPoint p;
    p.ranks = ranks;
    p.bytes = interval.value;
    p.low = interval.low;
    p.high = interval.high;
    p.most = p.bytes * unevenness_;
    p.most_high = p.high * unevenness_;
    p.divided = parts[0];
    p.kept = parts[1];
    p.growing = parts[2];
    const int64_t there = std::min(ranks, node_.ranks_per_node);
    p.node = OnNode(there, p.bytes);
    p.node_high = OnNode(there, p.most_high);
    Judge(&p);
    if (node_.bytes > 0 && !p.refused) Fit(&p);
    return p;
  }

  // The fewest nodes full of ranks; beyond what is forecast, 0.
  int64_t FewestNodes() const {
    for (int64_t nodes = 1;; ++nodes) {
      const MemoryPoint p = At(nodes * node_.ranks_per_node);
      if (IsTooFar(p.ranks, measured_)) return 0;
      if (!p.refused && p.node_high <= node_.bytes) return nodes;
    }
  }

  double file_bytes() const { return file_bytes_; }
  const MemoryLaw& law() const { return fit_.law(); }

 private:
  static std::vector<Point> PointsOf(const std::map<int64_t, AtSize>& sizes) {
    std::vector<Point> points;
    for (const auto& [ranks, size] : sizes) {
      points.push_back(
          {double(ranks), size.runs, size.memory.peak.Mean(), 0, 0});
    }
    return points;
  }

  // Pages of files are there once.
  double OnNode(int64_t ranks, double bytes) const {
    return file_bytes_ + double(ranks) * std::max(0.0, bytes - file_bytes_);
  }

  void Judge(MemoryPoint* p) const {
    // Beyond it, the answer to "will it fit?" is the interval's, not ours.
    constexpr double kWidest = 2;
    if (IsTooFar(p->ranks, measured_)) {
      p->refused = true;
      p->reason = fmt::format("more than 64 times the largest measured size");
    } else if (!(p->high <= kWidest * p->bytes)) {
      p->refused = true;
      p->reason = fmt::format(
          "what grows with the ranks is not told from what does not; a run at "
          "{} ranks would",
          2 * measured_.back());
    }
  }

  void Fit(MemoryPoint* p) const {
    const double a_rank = std::max(1.0, p->most_high - file_bytes_);
    const double room = std::floor((node_.bytes - file_bytes_) / a_rank);
    p->ranks_that_fit = std::clamp<int64_t>(
        int64_t(std::min(room, double(node_.ranks_per_node))), 0, p->ranks);
    if (p->ranks_that_fit == 0) return;
    p->nodes = (p->ranks + p->ranks_that_fit - 1) / p->ranks_that_fit;
  }

  NodeMemory node_;
  MemoryFit fit_;
  std::vector<int64_t> measured_;
  double unevenness_ = 1, file_bytes_ = 0;
};

std::string LawText(const MemoryLaw& law) {
  std::string out;
  const auto add = [&](double bytes, std::string_view term) {
    if (bytes <= 0) return;
    if (!out.empty()) out += " + ";
    out += ShownBytes(bytes);
    out += term;
  };
  const std::string power = law.power == 1     ? ""
                            : law.power == 0.5 ? "^(1/2)"
                                               : "^(2/3)";
  add(law.factors[0], " / N" + power);
  add(law.factors[1], "");
  add(law.factors[2], law.growth == MemoryLaw::Growth::kLinear ? " N"
                      : law.growth == MemoryLaw::Growth::kRoot ? " N^(1/2)"
                                                               : " log2(N)");
  return out;
}

}  // namespace

std::optional<MemoryForecast> ForecastMemory(std::span<const Trace> runs,
                                             std::span<const int64_t> ranks,
                                             const NodeMemory& node) {
  constexpr size_t kLeastSizes = 3;
  const std::map<int64_t, AtSize> sizes = BySize(runs);
  if (sizes.size() < kLeastSizes) return std::nullopt;
  MemoryForecast out;
  for (const auto& [size, at] : sizes) {
    out.measured.push_back(size);
    out.measured_bytes.push_back(at.memory.peak.Mean());
  }
  out.node = node;
  if (out.node.ranks_per_node <= 0)
    out.node.ranks_per_node = RanksPerNode(runs);
  const Projection projection(sizes, out.node);
  out.law = LawText(projection.law());
  out.file_bytes = projection.file_bytes();
  for (const int64_t n : ranks) out.points.push_back(projection.At(n));
  if (node.bytes > 0) out.fewest_nodes = projection.FewestNodes();
  return out;
}

namespace {

std::string LimitText(const MemoryForecast& f) {
  if (f.node.bytes <= 0) return "";
  if (f.fewest_nodes == 0) {
    return fmt::format(
        "no number of nodes of {} ranks holds it for sure in {} "
        "each\n",
        f.node.ranks_per_node, ShownBytes(f.node.bytes));
  }
  return fmt::format(
      "fewest nodes of {} ranks that hold it in {} each: {}, {} ranks\n",
      f.node.ranks_per_node, ShownBytes(f.node.bytes), f.fewest_nodes,
      f.fewest_nodes * f.node.ranks_per_node);
}

std::string FitText(const MemoryForecast& f, const MemoryPoint& p) {
  if (f.node.bytes <= 0) return "";
  if (p.nodes == 0) return "none";
  return fmt::format("{} x {}", p.nodes, p.ranks_that_fit);
}

}  // namespace

std::string ToText(const MemoryForecast& f) {
  static constexpr char kRow[] =
      "{:>9}  {:>9}  {:>9}  {:>9}  {:>9}  {:>9}  {:>9}  {:>9}  {}\n";
  std::string out = "memory of a rank at its peak: " + f.law + "\n";
  auto to = std::back_inserter(out);
  fmt::format_to(to, kRow, "ranks", "a rank", "low", "high", "divided", "kept",
                 "growing", "a node", f.node.bytes > 0 ? "nodes x ranks" : "");
  for (const MemoryPoint& p : f.points) {
    if (p.refused) {
      fmt::format_to(to,
                     "{:>9}  refused: {}; {} ({} to {}), not to be relied on\n",
                     p.ranks, p.reason, ShownBytes(p.bytes), ShownBytes(p.low),
                     ShownBytes(p.high));
      continue;
    }
    fmt::format_to(to, kRow, p.ranks, ShownBytes(p.bytes), ShownBytes(p.low),
                   ShownBytes(p.high), ShownBytes(p.divided),
                   ShownBytes(p.kept), ShownBytes(p.growing),
                   ShownBytes(p.node), FitText(f, p));
  }
  return out + LimitText(f);
}

}  // namespace ranksight::online_model
