#include "bgq_support/mapping/sample.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>
#include <utility>

#include "bgq_support/base/contract.h"

namespace ranksight::bgq_support {
namespace {

int64_t PairsOf(const Exchange& exchange) {
  const auto n = static_cast<int64_t>(exchange.members.size());
  return n * (n - 1);
}

double RingDistance(int64_t a, int64_t b, int64_t length) {
  RANKSIGHT_REQUIRE(length > 0);
  const int64_t way = std::abs(a - b);
  return static_cast<double>(std::min(way, length - way));
}

// Sum of bytes x steps on the grid.
double GridCost(const std::vector<SampledMessage>& messages,
                const Lengths& grid) {
  double sum = 0;
  for (const SampledMessage& m : messages) {
    int64_t a = m.from, b = m.to;
    double steps = 0;
    for (size_t i = grid.size(); i-- > 0;) {
      steps += RingDistance(a % grid[i], b % grid[i], grid[i]);
      a /= grid[i];
      b /= grid[i];
    }
    sum += m.bytes * steps;
  }
  return sum;
}

// All ways to write n as an ordered product of `factors` numbers above 1.
void Factorise(int64_t n, size_t factors, Lengths* so_far,
               const std::function<void(const Lengths&)>& found) {
  RANKSIGHT_REQUIRE(factors >= 1);
  RANKSIGHT_REQUIRE(n > 0);
  if (factors == 1) {
    if (n == 1 && !so_far->empty()) return;
    so_far->push_back(n);
    found(*so_far);
    so_far->pop_back();
    return;
  }
  for (int64_t f = 2; f <= n / 2; ++f) {
    if (n % f != 0) continue;
    so_far->push_back(f);
    Factorise(n / f, factors - 1, so_far, found);
    so_far->pop_back();
  }
}

}  // namespace

std::vector<SampledMessage> Sample(const Traffic& traffic, int64_t limit,
                                   uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<SampledMessage> sample;
  int64_t total = 0;
  for (const Flow& flow : traffic.flows) total += flow.count;
  // One message in `every`, at random steps: equal ones would meet the period
  // of a grid and see one kind of message only.
  const int64_t every = std::max<int64_t>(1, total / limit);
  int64_t skip = static_cast<int64_t>(random() % static_cast<uint64_t>(every));
  const auto step = [&] {
    return 1 + static_cast<int64_t>(random() %
                                    static_cast<uint64_t>(2 * every - 1));
  };
  for (const Flow& flow : traffic.flows) {
    for (; skip < flow.count; skip += step()) {
      sample.push_back(
          {flow.rank + skip * flow.stride, flow.peer + skip * flow.peer_stride,
           static_cast<double>(flow.bytes) * static_cast<double>(every)});
    }
    skip -= flow.count;
  }
  int64_t pairs = 0;
  for (const Exchange& e : traffic.exchanges) pairs += PairsOf(e);
  for (const Exchange& e : traffic.exchanges) {
    const int64_t own = PairsOf(e);
    if (own == 0) continue;
    const int64_t take =
        std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(limit) *
                                                  static_cast<double>(own) /
                                                  static_cast<double>(pairs)));
    const double bytes = static_cast<double>(e.bytes) *
                         static_cast<double>(own) / static_cast<double>(take);
    for (int64_t i = 0; i < take; ++i) {
      const uint64_t n = e.members.size();
      // Of the others, without a second try: those from a on are one farther.
      const uint64_t a = random() % n, b = random() % (n - 1);
      sample.push_back({e.members[a], e.members[b < a ? b : b + 1], bytes});
    }
  }
  return sample;
}

std::vector<SampledMessage> AllMessages(const Traffic& traffic, int64_t most) {
  int64_t count = 0;
  for (const Flow& f : traffic.flows) count += f.count;
  for (const Exchange& e : traffic.exchanges) {
    const auto n = static_cast<int64_t>(e.members.size());
    count += n * n;
  }
  std::vector<SampledMessage> messages;
  if (count > most) return messages;
  for (const Flow& f : traffic.flows) {
    for (int64_t i = 0; i < f.count; ++i) {
      messages.push_back({f.rank + i * f.stride, f.peer + i * f.peer_stride,
                          static_cast<double>(f.bytes)});
    }
  }
  for (const Exchange& e : traffic.exchanges) {
    for (const int64_t from : e.members) {
      for (const int64_t to : e.members) {
        messages.push_back({from, to, static_cast<double>(e.bytes)});
      }
    }
  }
  std::erase_if(messages,
                [](const SampledMessage& m) { return m.from == m.to; });
  return messages;
}

std::vector<Lengths> LikelyGrids(const std::vector<SampledMessage>& messages,
                                 int64_t ranks, size_t most) {
  RANKSIGHT_REQUIRE(ranks > 0);
  std::vector<std::pair<double, Lengths>> found;
  // Among grids with ways as short the one of fewer dimensions: each more
  // costs a little.
  constexpr double kPerDimension = 1.02;
  Lengths so_far;
  for (size_t dims = 1; dims <= 4; ++dims) {
    Factorise(ranks, dims, &so_far, [&](const Lengths& grid) {
      found.emplace_back(GridCost(messages, grid) *
                             std::pow(kPerDimension, static_cast<double>(dims)),
                         grid);
    });
  }
  std::stable_sort(
      found.begin(), found.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Lengths> grids = {{ranks}};
  for (const auto& [cost, grid] : found) {
    if (grids.size() >= most) break;
    if (grid.size() > 1) grids.push_back(grid);
  }
  return grids;
}

double SampleCost::operator()(const Layout& layout) const {
  const auto dims = static_cast<size_t>(torus_.dims());
  std::vector<double> of_dim(dims, 0);
  std::vector<int64_t> a, b;
  for (const SampledMessage& m : messages_) {
    layout.PlaceOf(m.from, &a);
    layout.PlaceOf(m.to, &b);
    for (size_t i = 0; i < dims; ++i) {
      of_dim[i] += m.bytes * std::abs(torus_.Offset(static_cast<int>(i),
                                                    static_cast<int>(a[i]),
                                                    static_cast<int>(b[i])));
    }
  }
  double most = 0, sum = 0;
  for (size_t i = 0; i < dims; ++i) {
    const Dimension& d = torus_.dimensions()[i];
    const int64_t side = layout.machine()[i];
    if (side == 1) continue;
    const auto length = static_cast<double>(side);
    const double links =
        d.wraps && side == d.length ? 1 : (length - 1) / length;
    most = std::max(most, of_dim[i] / links);
    sum += of_dim[i] / links;
  }
  // More ranks a node are fewer nodes, and links.
  return (most + sum / static_cast<double>(dims)) *
         static_cast<double>(layout.machine().back());
}

}  // namespace ranksight::bgq_support
