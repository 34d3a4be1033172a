#include "replay_engine/tool/mpi_machine.h"

#include <mpi.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace ranksight::replay_engine {
namespace {

constexpr int kMostDims = 5;

// As these libraries fill it in; what follows is not asked for.
struct Hardware {
  unsigned rank, size, ranks_per_node, core, megahertz, memory_mb;
  unsigned dims;
  std::array<unsigned, kMostDims> length, coordinates, wraps;
  std::array<unsigned, 64> room;
};

}  // namespace
}  // namespace ranksight::replay_engine

// Null where the library has none.
extern "C" {
__attribute__((weak)) int MPIX_Hardware(void* hardware);
__attribute__((weak)) int MPIX_Torus_ndims(int* dims);
__attribute__((weak)) int MPIX_Rank2torus(int rank, int* coordinates);
}

namespace ranksight::replay_engine {

using bgq_support::Coordinates;
using bgq_support::Dimension;
using bgq_support::Machine;
using bgq_support::Place;
using bgq_support::Torus;
using reduction::Result;
using reduction::Status;

namespace {

Status Failed(const std::string& what) {
  return Status::Io("the MPI library's torus: " + what);
}

Result<Torus> TorusOfMpi() {
  if (MPIX_Hardware == nullptr || MPIX_Torus_ndims == nullptr ||
      MPIX_Rank2torus == nullptr) {
    return Status::Usage(
        "--torus mpi: this MPI library does not say where ranks sit "
        "(MPIX_Rank2torus)");
  }
  Hardware hardware{};
  int dims = 0;
  if (MPIX_Torus_ndims(&dims) != MPI_SUCCESS ||
      MPIX_Hardware(&hardware) != MPI_SUCCESS) {
    return Failed("MPIX_Hardware fails");
  }
  if (dims < 1 || dims > kMostDims) {
    return Failed(std::to_string(dims) + " dimensions");
  }
  std::vector<Dimension> dimensions;
  for (size_t d = 0; d < static_cast<size_t>(dims); ++d) {
    dimensions.push_back(
        {static_cast<int>(hardware.length[d]), hardware.wraps[d] != 0});
  }
  auto torus = Torus::Make(std::move(dimensions));
  if (!torus) return Failed("no shape");
  return std::move(*torus);
}

}  // namespace

Result<Placement> PlacementOfMpi(int64_t ranks) {
  Result<Torus> torus = TorusOfMpi();
  if (!torus.ok()) return torus.status();
  std::vector<Place> places;
  const auto dims = static_cast<size_t>(torus->dims());
  for (int64_t rank = 0; rank < ranks; ++rank) {
    std::array<int, kMostDims + 1> at{};
    if (MPIX_Rank2torus(static_cast<int>(rank), at.data()) != MPI_SUCCESS) {
      return Failed("MPIX_Rank2torus fails");
    }
    for (size_t d = 0; d < dims; ++d) {
      if (at[d] < 0 || at[d] >= torus->dimensions()[d].length) {
        return Failed("rank " + std::to_string(rank) + " outside " +
                      torus->ToString());
      }
    }
    places.push_back(
        {torus->NodeAt(Coordinates(at.begin(), at.begin() + dims)), at[dims]});
  }
  return Placement{Machine(std::move(*torus)),
                   bgq_support::Mapping(std::move(places))};
}

}  // namespace ranksight::replay_engine
