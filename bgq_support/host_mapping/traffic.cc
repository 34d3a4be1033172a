#include <algorithm>
#include <span>
#include <utility>

#include "bgq_support/api/host_traffic.h"
#include "bgq_support/base/contract.h"
#include "bgq_support/load/check.h"

namespace ranksight::bgq_support {
namespace {

// Members of one host, or of one package.
struct Share {
  int32_t at = 0;
  uint64_t ranks = 0;
};

// How many of an exchange's members sit where.
std::vector<Share> SharesOf(const Exchange& exchange,
                            std::span<const int32_t> where) {
  std::vector<int32_t> places;
  for (const int64_t rank : exchange.members) {
    places.push_back(where[static_cast<size_t>(rank)]);
  }
  std::sort(places.begin(), places.end());
  std::vector<Share> shares;
  for (const int32_t at : places) {
    if (shares.empty() || shares.back().at != at) shares.push_back({at, 0});
    ++shares.back().ranks;
  }
  return shares;
}

class Counter {
 public:
  Counter(int hosts, const Mapping& mapping, const PackageRule& rule) {
    sum_.hosts.resize(static_cast<size_t>(hosts));
    for (const Place& place : mapping.places()) {
      int64_t& before = sum_.hosts[static_cast<size_t>(place.node)].ranks;
      const int32_t slot =
          rule.by_rank ? static_cast<int32_t>(before) : place.slot;
      host_.push_back(place.node);
      package_.push_back(place.node * rule.shape.packages +
                         rule.shape.PackageOf(slot, rule.cyclic));
      ++before;
    }
  }

  void Add(const Flow& flow) {
    for (int64_t i = 0; i < flow.count; ++i) {
      const auto from = static_cast<size_t>(flow.rank + i * flow.stride);
      const auto to = static_cast<size_t>(flow.peer + i * flow.peer_stride);
      if (host_[from] != host_[to]) {
        At(host_[from]).sent += flow.bytes;
        At(host_[to]).received += flow.bytes;
        continue;
      }
      At(host_[from]).within += flow.bytes;
      if (package_[from] == package_[to]) sum_.within_packages += flow.bytes;
    }
  }

  void Add(const Exchange& exchange) {
    const uint64_t all = exchange.members.size(), bytes = exchange.bytes;
    for (const Share& share : SharesOf(exchange, host_)) {
      HostTraffic::Host& host = At(share.at);
      host.within += share.ranks * (share.ranks - 1) * bytes;
      host.sent += share.ranks * (all - share.ranks) * bytes;
      host.received += share.ranks * (all - share.ranks) * bytes;
    }
    for (const Share& share : SharesOf(exchange, package_)) {
      sum_.within_packages += share.ranks * (share.ranks - 1) * bytes;
    }
  }

  HostTraffic Take(uint64_t all) {
    sum_.all = all;
    for (const HostTraffic::Host& host : sum_.hosts) {
      sum_.within_hosts += host.within;
    }
    return std::move(sum_);
  }

 private:
  HostTraffic::Host& At(int32_t host) {
    return sum_.hosts[static_cast<size_t>(host)];
  }

  std::vector<int32_t> host_, package_;  // by rank
  HostTraffic sum_;
};

}  // namespace

uint64_t HostTraffic::Busiest() const {
  uint64_t most = 0;
  for (const Host& host : hosts) {
    most = std::max({most, host.sent, host.received});
  }
  return most;
}

std::optional<HostTraffic> ComputeHostTraffic(int hosts, const Mapping& mapping,
                                              const PackageRule& rule,
                                              const Traffic& traffic,
                                              std::string* reason) {
  RANKSIGHT_REQUIRE(hosts > 0);
  RANKSIGHT_REQUIRE(reason != nullptr);
  Wide all = 0;
  if (!CheckTraffic(traffic, mapping.ranks(), &all, reason)) {
    return std::nullopt;
  }
  if (all > UINT64_MAX) {
    *reason = "too many bytes to count";
    return std::nullopt;
  }
  Counter counter(hosts, mapping, rule);
  for (const Flow& flow : traffic.flows) counter.Add(flow);
  for (const Exchange& exchange : traffic.exchanges) counter.Add(exchange);
  return counter.Take(static_cast<uint64_t>(all));
}

std::vector<uint64_t> HostPairs(int hosts, const Mapping& mapping,
                                const Traffic& traffic) {
  RANKSIGHT_REQUIRE(hosts > 0);
  const auto n = static_cast<size_t>(hosts);
  std::vector<uint64_t> bytes(n * n, 0);
  std::vector<int32_t> host;
  for (const Place& place : mapping.places()) host.push_back(place.node);
  const auto at = [&](int32_t from, int32_t to) -> uint64_t& {
    return bytes[static_cast<size_t>(from) * n + static_cast<size_t>(to)];
  };
  for (const Flow& flow : traffic.flows) {
    for (int64_t i = 0; i < flow.count; ++i) {
      at(host[static_cast<size_t>(flow.rank + i * flow.stride)],
         host[static_cast<size_t>(flow.peer + i * flow.peer_stride)]) +=
          flow.bytes;
    }
  }
  for (const Exchange& exchange : traffic.exchanges) {
    const std::vector<Share> shares = SharesOf(exchange, host);
    for (const Share& from : shares) {
      for (const Share& to : shares) {
        // Nobody sends to himself.
        const uint64_t self = from.at == to.at ? 1 : 0;
        at(from.at, to.at) += from.ranks * (to.ranks - self) * exchange.bytes;
      }
    }
  }
  return bytes;
}

}  // namespace ranksight::bgq_support
