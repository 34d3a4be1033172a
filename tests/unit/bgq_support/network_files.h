// Networks that files say, and how they are held against others.
// Thread-safety: pure functions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "bgq_support/api/network.h"
#include "tests/unit/bgq_support/mixed_traffic.h"

namespace ranksight::bgq_support {

inline Network ReadNetworkFile(const std::string& text,
                               const std::string& uplinks = "") {
  std::string reason;
  const auto network = Network::FromText(text, uplinks, "file", &reason);
  EXPECT_TRUE(network.has_value()) << reason;
  return *network;
}

inline Network NetworkNamed(const char* name) {
  std::string reason;
  return *Network::Parse(name, &reason);
}

inline std::string RefusalOfFile(const std::string& text,
                                 const std::string& uplinks = "") {
  std::string reason;
  EXPECT_FALSE(Network::FromText(text, uplinks, "file", &reason)) << text;
  return reason;
}

inline std::vector<uint64_t> LoadsOn(const Network& network,
                                     const Traffic& traffic) {
  std::string reason;
  const auto mapping = PlaceInOrder(network, network.nodes(), 1, &reason);
  return ComputeLoads(network, *mapping, traffic, &reason)->load;
}

// Whatever links are called.
inline std::vector<uint64_t> Sorted(std::vector<uint64_t> loads) {
  std::erase(loads, 0);
  std::sort(loads.begin(), loads.end());
  return loads;
}

inline void ExpectSameLoads(const Network& a, const Network& b, bool numbered) {
  std::mt19937_64 random(44);
  ASSERT_EQ(a.nodes(), b.nodes());
  for (int i = 0; i < 10; ++i) {
    const Traffic traffic = MixedTraffic(a.nodes(), &random);
    const auto one = LoadsOn(a, traffic), other = LoadsOn(b, traffic);
    if (numbered) {
      EXPECT_EQ(one, other);
    } else {
      EXPECT_EQ(Sorted(one), Sorted(other));
    }
  }
}

}  // namespace ranksight::bgq_support
