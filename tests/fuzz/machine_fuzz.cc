// Any name of a machine or network (the first line) and any map file (the
// rest): refused with a reason, or read as what writes and reads as itself.
#include <functional>

#include "bgq_support/api/machine.h"
#include "bgq_support/api/mapping.h"
#include "bgq_support/api/network.h"
#include "tests/fuzz/target.h"

namespace ranksight::fuzz {

std::vector<Bytes> Seeds() {
  const std::string places =
      "# a comment\n0 0 0 0 0 0\n1 0 0 0 1 3\n\n0 1 1 0 0 63\n";
  std::vector<Bytes> seeds;
  for (const char* name :
       {"bgq:32", "bgq:4x4x4x8x2", "bgq-block:0x0x2x2x0+2x2x2x1x2"}) {
    seeds.push_back(ToBytes(std::string(name) + "\n" + places));
  }
  seeds.push_back(ToBytes("bgp:512\n0 0 0 0\n7 7 7 3\n"));
  seeds.push_back(ToBytes("tofu-d:4x6x2\n0 0 0 0 0 0 0\n3 5 1 1 2 1 0\n"));
  seeds.push_back(ToBytes("8x8x8\n0 0 0 0\n1 1 1 1\n"));
  seeds.push_back(ToBytes("4x4m\n0 0 0\n3 3 1\n"));
  seeds.push_back(ToBytes("4x4-3,8-11\n0 0 0\n3 3 1\n"));
  for (const char* name : {"fat-tree:16x12x8:1x8x6", "dragonfly:9x8x4:2"}) {
    seeds.push_back(ToBytes(std::string(name) + "\n# places\n5 0\n0 3\n"));
  }
  return seeds;
}

using ReadMap = std::function<std::optional<bgq_support::Mapping>(
    int64_t ranks, std::string_view text, std::string* reason)>;
using WriteMap = std::function<std::string(const bgq_support::Mapping&)>;

void TryMap(const ReadMap& read, const WriteMap& write, std::string_view text) {
  for (const int64_t ranks : {1, 3}) {
    std::string reason;
    const auto map = read(ranks, text, &reason);
    if (!map) {
      RequireReason(reason);
      continue;
    }
    Require(map->ranks() == ranks);
    Require(read(ranks, write(*map), &reason) == map);
  }
}

void TryMap(const bgq_support::Machine& machine, std::string_view text) {
  TryMap(
      [&](int64_t ranks, std::string_view map, std::string* reason) {
        return bgq_support::Mapping::Read(machine, ranks, map, reason);
      },
      [&](const auto& map) { return map.Write(machine); }, text);
}

void TryMap(const bgq_support::Network& network, std::string_view text) {
  TryMap(
      [&](int64_t ranks, std::string_view map, std::string* reason) {
        return bgq_support::ReadPlaces(network, ranks, map, reason);
      },
      [&](const auto& map) { return WritePlaces(network, map); }, text);
}

}  // namespace ranksight::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ranksight;
  const std::string_view text = fuzz::AsText(data, size);
  const size_t end = text.find('\n');
  const std::string_view name = text.substr(0, end);
  std::string reason;
  const auto network = bgq_support::Network::Parse(name, &reason);
  if (network) {
    const auto again =
        bgq_support::Network::Parse(network->ToString(), &reason);
    fuzz::Require(again && again->links() == network->links());
    if (end != text.npos) fuzz::TryMap(*network, text.substr(end + 1));
    return 0;
  }
  fuzz::RequireReason(reason);
  reason.clear();
  const auto machine = bgq_support::Machine::Parse(name, &reason);
  if (!machine) {
    fuzz::RequireReason(reason);
    return 0;
  }
  // Orders (ABCDET, ...) are as foreign as the rest.
  (void)bgq_support::Mapping::FromOrder(*machine, 4, 2, name, &reason);
  if (end != text.npos) fuzz::TryMap(*machine, text.substr(end + 1));
  return 0;
}
