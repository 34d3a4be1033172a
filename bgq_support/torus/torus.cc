#include "bgq_support/api/torus.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "bgq_support/base/contract.h"

namespace ranksight::bgq_support {

std::optional<Torus> Torus::Make(std::vector<Dimension> dimensions) {
  if (dimensions.empty() || dimensions.size() > size_t{kMaxDims}) {
    return std::nullopt;
  }
  int64_t nodes = 1;
  for (const Dimension& d : dimensions) {
    if (d.length < 1) return std::nullopt;
    nodes *= d.length;
    if (nodes > kMaxNodes) return std::nullopt;
  }
  return Torus(std::move(dimensions));
}

Torus::Torus(std::vector<Dimension> dimensions)
    : dimensions_(std::move(dimensions)) {
  for (const Dimension& d : dimensions_) nodes_ *= d.length;
}

Coordinates Torus::CoordinatesOf(int node) const {
  RANKSIGHT_REQUIRE(node >= 0 && node < nodes_);
  Coordinates coordinates(dimensions_.size());
  for (size_t i = dimensions_.size(); i-- > 0;) {
    coordinates[i] = node % dimensions_[i].length;
    node /= dimensions_[i].length;
  }
  return coordinates;
}

int Torus::NodeAt(const Coordinates& coordinates) const {
  RANKSIGHT_REQUIRE(coordinates.size() == dimensions_.size());
  int node = 0;
  for (size_t i = 0; i < dimensions_.size(); ++i) {
    node = node * dimensions_[i].length + coordinates[i];
  }
  return node;
}

int Torus::Offset(int dim, int a, int b) const {
  RANKSIGHT_REQUIRE(dim >= 0 && dim < dims());
  RANKSIGHT_REQUIRE(a >= 0 && a < dimensions_[static_cast<size_t>(dim)].length);
  RANKSIGHT_REQUIRE(b >= 0 && b < dimensions_[static_cast<size_t>(dim)].length);
  const Dimension& d = dimensions_[static_cast<size_t>(dim)];
  if (!d.wraps) return b - a;
  const int forward = (b - a + d.length) % d.length;
  return forward <= d.length - forward ? forward : forward - d.length;
}

int Torus::Distance(int node_a, int node_b) const {
  RANKSIGHT_REQUIRE(node_a >= 0 && node_a < nodes_);
  RANKSIGHT_REQUIRE(node_b >= 0 && node_b < nodes_);
  int hops = 0;
  for (int i = dims(); i-- > 0;) {
    const int length = dimensions_[static_cast<size_t>(i)].length;
    hops += std::abs(Offset(i, node_a % length, node_b % length));
    node_a /= length;
    node_b /= length;
  }
  return hops;
}

std::vector<int> Torus::Neighbours(int node) const {
  RANKSIGHT_REQUIRE(node >= 0 && node < nodes_);
  std::vector<int> found;
  Coordinates here = CoordinatesOf(node);
  for (size_t i = 0; i < dimensions_.size(); ++i) {
    const Dimension& d = dimensions_[i];
    const int own = here[i];
    for (const int step : {-1, 1}) {
      int next = own + step;
      if (d.wraps) next = (next + d.length) % d.length;
      // A mesh ends, and a ring of one leads back to itself.
      if (next < 0 || next >= d.length || next == own) continue;
      here[i] = next;
      const int neighbour = NodeAt(here);
      here[i] = own;
      if (std::find(found.begin(), found.end(), neighbour) == found.end()) {
        found.push_back(neighbour);
      }
    }
  }
  return found;
}

}  // namespace ranksight::bgq_support
