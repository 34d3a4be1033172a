#include "bgq_support/torus/presets.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace ranksight::bgq_support {

std::optional<Torus> Torus::BlueGeneQ(int nodes) {
  switch (nodes) {
    case 32:
      return Parse("2x2x2x2x2");
    case 64:
      return Parse("2x2x4x2x2");
    case 128:
      return Parse("2x2x4x4x2");
    case 256:
      return Parse("4x2x4x4x2");
    case 512:
      return Parse("4x4x4x4x2");
    case 1024:
      return Parse("4x4x4x8x2");
    case 2048:
      return Parse("4x4x8x8x2");
    default:
      return std::nullopt;
  }
}

std::optional<Coordinates> ParseCoordinates(std::string_view text) {
  Coordinates found;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (found.size() < static_cast<size_t>(Torus::kMaxDims)) {
    int value = 0;
    const auto [after, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < 0) return std::nullopt;
    found.push_back(value);
    if (after == end) return found;
    if (*after != 'x') return std::nullopt;
    at = after + 1;
  }
  return std::nullopt;
}

std::optional<Torus> BlueGeneQPartition(std::string_view shape) {
  const auto torus = Torus::Parse(shape);
  if (!torus || torus->dims() != 5) return std::nullopt;
  const auto& d = torus->dimensions();
  if (d[4].length != 2) return std::nullopt;
  const bool within =
      std::all_of(d.begin(), d.end() - 1, [](const Dimension& side) {
        return side.length == 1 || side.length == 2 || side.length == 4;
      });
  const bool midplanes =
      std::all_of(d.begin(), d.end() - 1,
                  [](const Dimension& side) { return side.length % 4 == 0; });
  return within || midplanes ? torus : std::nullopt;
}

std::optional<Torus> SubBlock(const Coordinates& corner,
                              const Coordinates& sides) {
  if (corner.size() != 5 || sides.size() != 5) return std::nullopt;
  std::vector<Dimension> dimensions;
  for (size_t i = 0; i < 5; ++i) {
    const int length = i == 4 ? 2 : 4;
    const bool known = sides[i] == 1 || sides[i] == 2 || sides[i] == length;
    if (!known || corner[i] > length - sides[i]) return std::nullopt;
    dimensions.push_back({sides[i], false});
  }
  return Torus::Make(std::move(dimensions));
}

std::optional<Torus> BlueGenePPartition(int nodes) {
  switch (nodes) {
    case 32:
      return Torus::Parse("4mx4mx2m");
    case 64:
      return Torus::Parse("4mx4mx4m");
    case 128:
      return Torus::Parse("4mx4mx8m");
    case 256:
      return Torus::Parse("8mx4mx8m");
    case 512:
      return Torus::Parse("8x8x8");
    case 1024:
      return Torus::Parse("8x8x16");
    case 2048:
      return Torus::Parse("8x16x16");
    case 4096:
      return Torus::Parse("16x16x16");
    default:
      return std::nullopt;
  }
}

std::optional<Torus> TofuD(std::string_view xyz) {
  const auto units = Torus::Parse(xyz);
  if (!units || units->dims() != 3) return std::nullopt;
  std::vector<Dimension> dimensions = units->dimensions();
  // a and c join two nodes by one cable; b is a ring of three.
  dimensions.push_back({2, false});
  dimensions.push_back({3, true});
  dimensions.push_back({2, false});
  return Torus::Make(std::move(dimensions));
}

}  // namespace ranksight::bgq_support
