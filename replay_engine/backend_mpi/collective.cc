#include <span>

#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/messages.h"
#include "replay_engine/backend_mpi/mpi_status.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;

struct Collective {
  Call blocking, nonblocking, persistent;
  CollectiveFunction function;
};

constexpr Collective kCollectives[] = {
    {Call::MPI_Barrier_, Call::MPI_Ibarrier_, Call::MPI_Barrier_init_,
     &Barrier},
    {Call::MPI_Bcast_, Call::MPI_Ibcast_, Call::MPI_Bcast_init_, &Bcast},
    {Call::MPI_Reduce_, Call::MPI_Ireduce_, Call::MPI_Reduce_init_, &Reduce},
    {Call::MPI_Allreduce_, Call::MPI_Iallreduce_, Call::MPI_Allreduce_init_,
     &Allreduce},
    {Call::MPI_Scan_, Call::MPI_Iscan_, Call::MPI_Scan_init_, &Scan},
    {Call::MPI_Exscan_, Call::MPI_Iexscan_, Call::MPI_Exscan_init_, &Exscan},
    {Call::MPI_Gather_, Call::MPI_Igather_, Call::MPI_Gather_init_, &Gather},
    {Call::MPI_Gatherv_, Call::MPI_Igatherv_, Call::MPI_Gatherv_init_,
     &Gatherv},
    {Call::MPI_Scatter_, Call::MPI_Iscatter_, Call::MPI_Scatter_init_,
     &Scatter},
    {Call::MPI_Scatterv_, Call::MPI_Iscatterv_, Call::MPI_Scatterv_init_,
     &Scatterv},
    {Call::MPI_Allgather_, Call::MPI_Iallgather_, Call::MPI_Allgather_init_,
     &Allgather},
    {Call::MPI_Allgatherv_, Call::MPI_Iallgatherv_, Call::MPI_Allgatherv_init_,
     &Allgatherv},
    {Call::MPI_Alltoall_, Call::MPI_Ialltoall_, Call::MPI_Alltoall_init_,
     &Alltoall},
    {Call::MPI_Alltoallv_, Call::MPI_Ialltoallv_, Call::MPI_Alltoallv_init_,
     &Alltoallv},
    {Call::MPI_Alltoallw_, Call::MPI_Ialltoallw_, Call::MPI_Alltoallw_init_,
     &Alltoallw},
    {Call::MPI_Reduce_scatter_, Call::MPI_Ireduce_scatter_,
     Call::MPI_Reduce_scatter_init_, &ReduceScatter},
    {Call::MPI_Reduce_scatter_block_, Call::MPI_Ireduce_scatter_block_,
     Call::MPI_Reduce_scatter_block_init_, &ReduceScatterBlock},
    {Call::MPI_Neighbor_allgather_, Call::MPI_Ineighbor_allgather_,
     Call::MPI_Neighbor_allgather_init_, &NeighborAllgather},
    {Call::MPI_Neighbor_allgatherv_, Call::MPI_Ineighbor_allgatherv_,
     Call::MPI_Neighbor_allgatherv_init_, &NeighborAllgatherv},
    {Call::MPI_Neighbor_alltoall_, Call::MPI_Ineighbor_alltoall_,
     Call::MPI_Neighbor_alltoall_init_, &NeighborAlltoall},
    {Call::MPI_Neighbor_alltoallv_, Call::MPI_Ineighbor_alltoallv_,
     Call::MPI_Neighbor_alltoallv_init_, &NeighborAlltoallv},
    {Call::MPI_Neighbor_alltoallw_, Call::MPI_Ineighbor_alltoallw_,
     Call::MPI_Neighbor_alltoallw_init_, &NeighborAlltoallw},
};

// Null when the call is no collective.
const Collective* Find(Call call, Form::Kind* kind) {
  for (const Collective& c : kCollectives) {
    if (call == c.blocking) *kind = Form::kBlocking;
    if (call == c.nonblocking) *kind = Form::kNonblocking;
    if (call == c.persistent) *kind = Form::kPersistent;
    if (call == c.blocking || call == c.nonblocking || call == c.persistent) {
      return &c;
    }
  }
  return nullptr;
}

}  // namespace

reduction::Status PerformCollective(const Operation& operation,
                                    MpiState& state) {
  Arguments a(operation, state);
  Form::Kind kind = Form::kBlocking;
  const Collective* collective = Find(a.call(), &kind);
  if (collective == nullptr) return NotAvailable(a.call());
  Form form(kind);
  if (a.ok()) ExchangeComm(a, form);
  // Before a call in which others would wait for one that has failed.
  if (!a.ok()) return a.status();
  const int code = collective->function(a, form);
  if (!a.ok()) return a.status();
  if (code == MPI_SUCCESS && kind != Form::kBlocking) {
    a.MadeRequest(form.request());
  }
  return FromMpi(code);
}

}  // namespace ranksight::replay_engine
