#include <span>

#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/mpi_status.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;

struct CollectiveForms {
  Call blocking;
  Call nonblocking;
  CollectiveFunction function;
};

constexpr CollectiveForms kForms[] = {
    {Call::MPI_Barrier_, Call::MPI_Ibarrier_, &Barrier},
    {Call::MPI_Bcast_, Call::MPI_Ibcast_, &Bcast},
    {Call::MPI_Reduce_, Call::MPI_Ireduce_, &Reduce},
    {Call::MPI_Allreduce_, Call::MPI_Iallreduce_, &Allreduce},
    {Call::MPI_Scan_, Call::MPI_Iscan_, &Scan},
    {Call::MPI_Exscan_, Call::MPI_Iexscan_, &Exscan},
    {Call::MPI_Gather_, Call::MPI_Igather_, &Gather},
    {Call::MPI_Gatherv_, Call::MPI_Igatherv_, &Gatherv},
    {Call::MPI_Scatter_, Call::MPI_Iscatter_, &Scatter},
    {Call::MPI_Scatterv_, Call::MPI_Iscatterv_, &Scatterv},
    {Call::MPI_Allgather_, Call::MPI_Iallgather_, &Allgather},
    {Call::MPI_Allgatherv_, Call::MPI_Iallgatherv_, &Allgatherv},
    {Call::MPI_Alltoall_, Call::MPI_Ialltoall_, &Alltoall},
    {Call::MPI_Alltoallv_, Call::MPI_Ialltoallv_, &Alltoallv},
    {Call::MPI_Alltoallw_, Call::MPI_Ialltoallw_, &Alltoallw},
    {Call::MPI_Reduce_scatter_, Call::MPI_Ireduce_scatter_, &ReduceScatter},
    {Call::MPI_Reduce_scatter_block_, Call::MPI_Ireduce_scatter_block_,
     &ReduceScatterBlock},
};

}  // namespace

reduction::Status PerformCollective(const Operation& operation,
                                    MpiState& state) {
  Arguments a(operation, state);
  for (const CollectiveForms& form : kForms) {
    if (a.call() == form.blocking) {
      const int code = form.function(a, nullptr);
      return a.ok() ? FromMpi(code) : a.status();
    }
    if (a.call() == form.nonblocking) {
      MPI_Request request = MPI_REQUEST_NULL;
      const int code = form.function(a, &request);
      if (a.ok() && code == MPI_SUCCESS) a.MadeRequest(request);
      return a.ok() ? FromMpi(code) : a.status();
    }
  }
  return NotAvailable(a.call());
}

}  // namespace ranksight::replay_engine
