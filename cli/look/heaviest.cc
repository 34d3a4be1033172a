#include "cli/look/heaviest.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "cli/base/format.h"

namespace ranksight::cli {
namespace {

// With the other tables of a report less than two screens.
constexpr size_t kMostShown = 16;

double Sum(std::span<const uint64_t> bytes, std::span<const size_t> of) {
  return std::accumulate(of.begin(), of.end(), 0.0, [&](double sum, size_t i) {
    return sum + double(bytes[i]);
  });
}

}  // namespace

Heaviest HeaviestOf(std::span<const uint64_t> bytes) {
  std::vector<size_t> order(bytes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (order.size() <= kMostShown) return {std::move(order), ""};
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return bytes[a] > bytes[b]; });
  const double all = Sum(bytes, order);
  const std::span<const size_t> left = std::span(order).subspan(kMostShown);
  const double share = all == 0 ? 0 : Sum(bytes, left) / all;
  Heaviest out;
  out.rest = fmt::format("and {} more with {} of the bytes: see --json\n",
                         left.size(), Percent(share));
  order.resize(kMostShown);
  std::sort(order.begin(), order.end());
  out.shown = std::move(order);
  return out;
}

}  // namespace ranksight::cli
