// Communicators with a topology: grids and graphs.
#include <span>
#include <vector>

#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/mpi_status.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Status;

std::vector<int> Ints(std::span<const int64_t> values) {
  return std::vector<int>(values.begin(), values.end());
}

Status CartCreate(const Event& e, Arguments& a, MPI_Comm* made) {
  const std::vector<int> dims = Ints(e.GetArray(Param::kDims));
  std::vector<int> periods = Ints(e.GetArray(Param::kPeriods));
  periods.resize(dims.size());
  return FromMpi(MPI_Cart_create(a.comm(), static_cast<int>(dims.size()),
                                 dims.data(), periods.data(),
                                 a.Int(Param::kReorder), made));
}

Status CartSub(const Event& e, Arguments& a, MPI_Comm* made) {
  std::vector<int> remain = Ints(e.GetArray(Param::kRemain));
  int dims = 0;
  const int code = PMPI_Cartdim_get(a.comm(), &dims);
  if (code != MPI_SUCCESS) return FromMpi(code);
  remain.resize(static_cast<size_t>(dims));
  return FromMpi(MPI_Cart_sub(a.comm(), remain.data(), made));
}

Status GraphCreate(const Event& e, Arguments& a, MPI_Comm* made) {
  const std::vector<int> index = Ints(e.GetArray(Param::kItems));
  const std::vector<int> edges = Ints(e.GetArray(Param::kEdges));
  if (!index.empty() && index.back() > std::ssize(edges)) {
    return Status::BadInput("the graph's index points past its edges");
  }
  return FromMpi(MPI_Graph_create(a.comm(), static_cast<int>(index.size()),
                                  index.data(), edges.data(),
                                  a.Int(Param::kReorder), made));
}

Status DistGraphCreate(const Event& e, Arguments& a, MPI_Comm* made) {
  const std::vector<int> sources = a.Peers(Param::kSources);
  const std::vector<int> degrees = Ints(e.GetArray(Param::kDegrees));
  const std::vector<int> targets = a.Peers(Param::kDestinations);
  int64_t edges = 0;
  for (const int degree : degrees) edges += degree;
  if (!a.ok()) return a.status();
  if (degrees.size() != sources.size() || edges > std::ssize(targets)) {
    return Status::BadInput("the graph's degrees do not fit its edges");
  }
  return FromMpi(MPI_Dist_graph_create(
      a.comm(), static_cast<int>(sources.size()), sources.data(),
      degrees.data(), targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL,
      a.Int(Param::kReorder), made));
}

Status AdjacentGraphCreate(Arguments& a, MPI_Comm* made) {
  const std::vector<int> sources = a.Peers(Param::kSources);
  const std::vector<int> targets = a.Peers(Param::kDestinations);
  if (!a.ok()) return a.status();
  return FromMpi(MPI_Dist_graph_create_adjacent(
      a.comm(), static_cast<int>(sources.size()), sources.data(),
      MPI_UNWEIGHTED, static_cast<int>(targets.size()), targets.data(),
      MPI_UNWEIGHTED, MPI_INFO_NULL, a.Int(Param::kReorder), made));
}

}  // namespace

Status MakeTopology(const Event& e, Arguments& a, MPI_Comm* made) {
  switch (a.call()) {
    case Call::MPI_Cart_create_:
      return CartCreate(e, a, made);
    case Call::MPI_Cart_sub_:
      return CartSub(e, a, made);
    case Call::MPI_Graph_create_:
      return GraphCreate(e, a, made);
    case Call::MPI_Dist_graph_create_:
      return DistGraphCreate(e, a, made);
    case Call::MPI_Dist_graph_create_adjacent_:
      return AdjacentGraphCreate(a, made);
    default:
      return NotAvailable(a.call());
  }
}

}  // namespace ranksight::replay_engine
