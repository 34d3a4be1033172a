#include "online_model/api/links.h"

#include <algorithm>
#include <utility>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

class OnNetwork : public Links {
 public:
  OnNetwork(const bgq_support::Network& network,
            const bgq_support::Mapping& mapping)
      : network_(network), places_(mapping.places()) {
    for (const auto& c : network_.classes()) {
      if (c.bandwidth != First().bandwidth || c.latency != First().latency) {
        even_ = false;
      }
    }
  }

  std::string name() const override { return network_.ToString(); }
  int64_t ranks() const override { return int64_t(places_.size()); }
  size_t count() const override { return network_.links(); }
  void AddRoute(int64_t from, int64_t to,
                std::vector<uint32_t>* out) const override {
    const int64_t a = places_[size_t(from)].node, b = places_[size_t(to)].node;
    network_.AddRoute(a, b, network_.WayOf(a, b), out);
  }
  bool even() const override { return even_; }
  Slowness SlownessOf(uint32_t link) const override {
    const auto& classes = network_.classes();
    const auto& c = *std::ranges::upper_bound(classes, link, {},
                                              &bgq_support::LinkClass::end);
    // Where a node's link takes no time, all latencies count as its.
    return {First().bandwidth / c.bandwidth,
            First().latency > 0 ? c.latency / First().latency : 1};
  }

 private:
  const bgq_support::LinkClass& First() const {
    return network_.classes().front();
  }
  const bgq_support::Network network_;
  bool even_ = true;
  const std::vector<bgq_support::Place> places_;
};

}  // namespace

std::shared_ptr<const Links> NetworkLinks(const bgq_support::Network& network,
                                          const bgq_support::Mapping& mapping) {
  return std::make_shared<OnNetwork>(network, mapping);
}

double HopsOf(const Links& links, const std::vector<uint32_t>& route) {
  if (links.even()) return double(route.size());
  double hops = 0;
  for (const uint32_t link : route) hops += links.SlownessOf(link).latency;
  return hops;
}

MeanRoute MeanRouteOf(const Links& links, int64_t ranks) {
  RANKSIGHT_REQUIRE(ranks >= 1);
  constexpr int64_t kMostPartners = 64;
  MeanRoute mean;
  const int64_t partners = std::min(kMostPartners, ranks - 1);
  if (partners < 1) return mean;
  std::vector<double> load(links.count());
  std::vector<uint32_t> route;
  for (int64_t k = 0; k < partners; ++k) {
    // Shifts by all distances, or evenly spread ones: every rank sends and
    // receives as much.
    const int64_t shift = 1 + k * (ranks - 1) / partners;
    for (int64_t r = 0; r < ranks; ++r) {
      route.clear();
      links.AddRoute(r, (r + shift) % ranks, &route);
      mean.hops += HopsOf(links, route);
      for (const uint32_t link : route) {
        load[link] += links.even() ? 1 : links.SlownessOf(link).byte;
      }
    }
  }
  mean.hops /= double(partners * ranks);
  mean.most_load =
      *std::max_element(load.begin(), load.end()) / double(partners);
  return mean;
}

}  // namespace ranksight::online_model
