#include "bgq_support/api/machine.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "bgq_support/base/contract.h"
#include "bgq_support/torus/presets.h"

namespace ranksight::bgq_support {
namespace {

std::optional<int> WholeNumber(std::string_view text) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || after != end) return std::nullopt;
  return value;
}

std::optional<Machine> With(std::optional<Torus> torus, const char* kind,
                            double bandwidth, double latency_s, int slots) {
  if (!torus) return std::nullopt;
  Machine machine(std::move(*torus));
  machine.kind = kind;
  machine.bandwidth = bandwidth;
  machine.hop_latency_s = latency_s;
  machine.slots_per_node = slots;
  return machine;
}

// Blue Gene's nodes divide their cores by halves.
std::optional<Machine> BlueGene(std::optional<Torus> torus, const char* kind,
                                double bandwidth, double latency_s, int slots) {
  auto machine = With(std::move(torus), kind, bandwidth, latency_s, slots);
  if (machine) machine->powers_of_two = true;
  return machine;
}

// 425 MB/s raw a link and direction, 7/8 of it payload (256-byte packets
// with 32 bytes of header and trailer); 4 cores.
std::optional<Machine> BlueGeneP(std::optional<Torus> torus) {
  return BlueGene(std::move(torus), "Blue Gene/P", 374e6, 100e-9, 4);
}

std::optional<Machine> BlueGeneQ(std::optional<Torus> torus) {
  return BlueGene(std::move(torus), "Blue Gene/Q", 1.8e9, 40e-9, 64);
}

std::optional<Machine> ParseBlock(std::string_view text) {
  const size_t plus = text.find('+');
  if (plus == text.npos) return std::nullopt;
  const auto corner = ParseCoordinates(text.substr(0, plus));
  const auto sides = ParseCoordinates(text.substr(plus + 1));
  if (!corner || !sides) return std::nullopt;
  return BlueGeneQ(SubBlock(*corner, *sides));
}

std::optional<Machine> ParseBlueGeneP(std::string_view text) {
  const auto nodes = WholeNumber(text);
  return BlueGeneP(nodes ? BlueGenePPartition(*nodes) : Torus::Parse(text));
}

std::optional<Machine> ParseBlueGeneQ(std::string_view text) {
  const auto nodes = WholeNumber(text);
  return BlueGeneQ(nodes ? Torus::BlueGeneQ(*nodes) : BlueGeneQPartition(text));
}

// 6.8 GB/s a link and direction; 48 cores of a node compute.
std::optional<Machine> ParseTofuD(std::string_view text) {
  return With(TofuD(text), "Tofu-D", 6.8e9, 100e-9, 48);
}

// A machine is one line here: its name, examples for people, and what makes it
// of the text behind the colon.
struct Preset {
  std::string_view name, examples;
  std::optional<Machine> (*parse)(std::string_view);
};
constexpr Preset kPresets[] = {
    {"bgq", "bgq:512, bgq:4x4x4x8x2", ParseBlueGeneQ},
    {"bgq-block", "bgq-block:CORNER+SIDES", ParseBlock},
    {"bgp", "bgp:512", ParseBlueGeneP},
    {"tofu-d", "tofu-d:4x6x2", ParseTofuD}};

std::optional<Machine> ParseName(std::string_view text) {
  // A shape says nothing of its nodes: as many ranks as numbers hold with ease.
  constexpr int kSlotsOfAnyNode = 1 << 20;
  const size_t colon = text.find(':');
  if (colon == text.npos) {
    return With(Torus::Parse(text), "torus", 1.8e9, 40e-9, kSlotsOfAnyNode);
  }
  for (const Preset& preset : kPresets) {
    if (text.substr(0, colon) == preset.name) {
      return preset.parse(text.substr(colon + 1));
    }
  }
  return std::nullopt;
}

// "17,40-47": ascending. nullopt for others, for nodes beyond and where none is
// left.
std::optional<std::vector<int>> ParseHoles(std::string_view text, int nodes) {
  std::vector<int> holes;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string_view item = text.substr(at, end - at);
    const size_t dash = std::min(item.find('-'), item.size());
    const auto first = WholeNumber(item.substr(0, dash));
    const auto last =
        dash == item.size() ? first : WholeNumber(item.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= nodes ||
        holes.size() > static_cast<size_t>(nodes)) {
      return std::nullopt;
    }
    for (int node = *first; node <= *last; ++node) holes.push_back(node);
    at = end + 1;
  }
  std::ranges::sort(holes);
  holes.erase(std::unique(holes.begin(), holes.end()), holes.end());
  if (holes.size() == static_cast<size_t>(nodes)) return std::nullopt;
  return holes;
}

std::optional<Machine> ParseWithHoles(std::string_view text) {
  // Some names have a dash of their own.
  const size_t colon = text.find(':');
  const size_t dash = text.find('-', colon == text.npos ? 0 : colon);
  auto machine = ParseName(text.substr(0, dash));
  if (!machine || dash == text.npos) return machine;
  auto holes = ParseHoles(text.substr(dash + 1), machine->torus.nodes());
  if (!holes) return std::nullopt;
  machine->holes = std::move(*holes);
  return machine;
}

}  // namespace

std::string Machine::Forms() {
  std::string forms = "a shape (4x4x4x4x2; m behind a length for a mesh)";
  for (const Preset& preset : kPresets) {
    forms += ", " + std::string(preset.examples);
  }
  return forms + "; behind it nodes without ranks (8x8x8-17,40-47)";
}

std::optional<Machine> Machine::Parse(std::string_view text,
                                      std::string* reason) {
  auto machine = ParseWithHoles(text);
  if (!machine) {
    *reason = "'" + std::string(text) + "' is no torus of at most " +
              std::to_string(Torus::kMaxNodes) + " nodes: " + Forms();
  }
  return machine;
}

std::string Machine::Letters() const {
  static constexpr std::string_view kTofu = "XYZABC";
  static constexpr std::string_view kSpace = "XYZ";
  static constexpr std::string_view kPlain = "ABCDEFGH";
  const auto count = static_cast<size_t>(torus.dims());
  if (count <= 3) return std::string(kSpace.substr(0, count));
  return std::string((count == 6 ? kTofu : kPlain).substr(0, count));
}

bool Machine::IsHole(int node) const {
  RANKSIGHT_REQUIRE(node >= 0 && node < torus.nodes());
  return std::binary_search(holes.begin(), holes.end(), node);
}

}  // namespace ranksight::bgq_support
