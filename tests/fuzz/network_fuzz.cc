// Any file of a network (what is behind a line with links upwards): refused
// with a line and a reason, or a network whose messages come to their ends over
// links that it has.
#include <algorithm>

#include "bgq_support/api/network.h"
#include "tests/fuzz/target.h"

namespace ranksight::fuzz {

std::vector<Bytes> Seeds() {
  return {
      ToBytes("1x2\nSwitchName=top Switches=s[0-1]\n"
              "SwitchName=s0 Nodes=n[0-3] LinkSpeed=1\nSwitchName=s1 \\\n"
              "Nodes=n[4-5],m # more\n"),
      ToBytes("\nSwitchName=r Switches=a,b\nSwitchName=b Switches=c\n"
              "SwitchName=a Nodes=n0\nSwitchName=c Nodes=n[1-2]\n"),
      ToBytes(
          "\n{\"nodes\": \"n[0-3]\", \"switches\": \"s[0-1],t\",\n"
          "\"classes\": {\"leaf\": {\"bandwidth\": 12.5e9, \"latency\": 0}},"
          "\n\"links\": [{\"from\": \"n[0-1]\", \"to\": \"s0\","
          " \"class\": \"leaf\"},\n{\"from\": \"n[2-3]\", \"to\": \"s1\"},\n"
          "{\"from\": \"s[0-1]\", \"to\": \"t\", \"count\": 2},\n"
          "{\"from\": \"s0\", \"to\": \"s1\"}],\n\"routes\": [{\"from\":"
          " \"s0\", \"to\": \"s1\", \"via\": [\"t\"]}, {\"from\": \"n3\","
          " \"to\": \"n0\", \"via\": [\"s1\", \"s0\"]}]}\n"),
  };
}

void TryRoutes(const bgq_support::Network& network) {
  constexpr int64_t kSome = 8;
  const int64_t nodes = std::min(kSome, network.nodes());
  std::vector<uint32_t> route;
  for (int64_t from = 0; from < nodes; ++from) {
    for (int64_t to = 0; to < nodes; ++to) {
      route.clear();
      network.AddRoute(from, to, 0, &route);
      Require(route.empty() == (from == to));
      for (const uint32_t link : route) Require(link < network.links());
    }
  }
}

}  // namespace ranksight::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ranksight;
  const std::string_view text = fuzz::AsText(data, size);
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view rest = text.substr(std::min(end + 1, text.size()));
  std::string reason;
  const auto network = bgq_support::Network::FromText(rest, text.substr(0, end),
                                                      "file", &reason);
  if (network) {
    // Loads of a graph that is as large as can be take longer than a test may.
    fuzz::TryRoutes(*network);
    return 0;
  }
  fuzz::RequireReason(reason);
  fuzz::Require(reason[0] >= '0' && reason[0] <= '9');
  return 0;
}
