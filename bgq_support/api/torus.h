// Torus: the shape of a machine's network, and where nodes lie in it.
//
// A dimension is a ring of nodes, or a line where it does not wrap (a mesh:
// sub-blocks and some production partitions). Nodes are numbered with the
// last dimension running fastest, on Blue Gene/Q the order ABCDE.
//
// Invariants: 1 to kMaxDims dimensions, each of length >= 1; at most kMaxNodes
// nodes. Complexity: O(dimensions).
// Thread-safety: value type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ranksight::bgq_support {

struct Dimension {
  int length = 1;
  bool wraps = true;
  bool operator==(const Dimension&) const = default;
};

// One coordinate for each dimension, 0 <= c < length.
using Coordinates = std::vector<int>;

class Torus {
 public:
  static constexpr int kMaxDims = 8;
  // Twenty times the largest machine; loads take some bytes for each link.
  static constexpr int kMaxNodes = 1 << 22;

  // nullopt when an invariant would be broken.
  static std::optional<Torus> Make(std::vector<Dimension> dimensions);
  // "4x4x4x4x2": all wrap. "4x4x4m": the third one is a mesh. nullopt when
  // the text is anything else.
  static std::optional<Torus> Parse(std::string_view text);
  // The usual Blue Gene/Q partition of that many nodes: 32, 64, 128, 256,
  // 512 (a midplane), 1,024 or 2,048; nullopt for others. Five dimensions;
  // below a midplane real partitions may be meshes: ask the machine.
  static std::optional<Torus> BlueGeneQ(int nodes);

  const std::vector<Dimension>& dimensions() const { return dimensions_; }
  int dims() const { return static_cast<int>(dimensions_.size()); }
  int nodes() const { return nodes_; }

  // REQUIRES: 0 <= node < nodes().
  Coordinates CoordinatesOf(int node) const;
  // REQUIRES: coordinates within the torus.
  int NodeAt(const Coordinates& coordinates) const;

  // Shortest way along one dimension, from a to b: hops, positive in the
  // direction of growing coordinates. Half-way round both ways are as
  // short; the positive one is given. REQUIRES: both within the dimension.
  int Offset(int dim, int a, int b) const;
  // Hops of a minimal route.
  int Distance(int node_a, int node_b) const;
  // Neighbours a node has, once each (in a ring of two both ways lead to
  // the same one). REQUIRES: 0 <= node < nodes().
  std::vector<int> Neighbours(int node) const;

  // As Parse reads it.
  std::string ToString() const;
  bool operator==(const Torus&) const = default;

 private:
  explicit Torus(std::vector<Dimension> dimensions);
  std::vector<Dimension> dimensions_;
  int nodes_ = 1;
};

}  // namespace ranksight::bgq_support
