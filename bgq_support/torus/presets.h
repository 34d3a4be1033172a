// Shapes of real machines. nullopt for what such a machine cannot be.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "bgq_support/api/torus.h"

namespace ranksight::bgq_support {

// "0x2x1": numbers >= 0, at most Torus::kMaxDims of them.
std::optional<Coordinates> ParseCoordinates(std::string_view text);

// Five dimensions, E of 2. Within a midplane: A to D of 1, 2 or 4 (those of
// 4 go around, as do 2s, over two cables); above: multiples of 4. A
// dimension may be said to be a mesh ("4x4x4x8mx2").
std::optional<Torus> BlueGeneQPartition(std::string_view shape);

// A sub-block job: sides of 1, 2 or 4 (E: 1 or 2) inside one midplane, all
// meshes.
std::optional<Torus> SubBlock(const Coordinates& corner,
                              const Coordinates& sides);

// Usual Blue Gene/P partitions: below a midplane (8x8x8) meshes.
std::optional<Torus> BlueGenePPartition(int nodes);

// X x Y x Z units of 2x3x2 nodes; X, Y, Z and b wrap.
std::optional<Torus> TofuD(std::string_view xyz);

}  // namespace ranksight::bgq_support
