// The calls of the backend by family. Each performs one operation; calls
// that this MPI does not have give kUsage.
//
// Thread-safety: one thread.
#pragma once

#include <string>

#include "reduction/api/status.h"
#include "replay_engine/api/backend.h"
#include "replay_engine/backend_mpi/arguments.h"
#include "replay_engine/backend_mpi/mpi_state.h"

namespace ranksight::replay_engine {

// Sends, receives and probes. REQUIRES: no kRequests.
reduction::Status PerformPointToPoint(const Operation& operation,
                                      MpiState& state);
// Whatever takes requests: waits, tests, starts, MPI_Request_free, ...
reduction::Status PerformOnRequests(const Operation& operation,
                                    MpiState& state);
reduction::Status PerformOnCommunicator(const Operation& operation,
                                        MpiState& state);
reduction::Status PerformCollective(const Operation& operation,
                                    MpiState& state);

// Book-keeping of one rank; see local.cc.
reduction::Status PerformLocally(const Operation& operation, MpiState& state);

// A collective: *request is null for the blocking form. Returns the MPI
// error; makes no call when the arguments are not ok().
using CollectiveFunction = int (*)(Arguments& a, MPI_Request* request);

int Barrier(Arguments& a, MPI_Request* request);
int Bcast(Arguments& a, MPI_Request* request);
int Reduce(Arguments& a, MPI_Request* request);
int Allreduce(Arguments& a, MPI_Request* request);
int Scan(Arguments& a, MPI_Request* request);
int Exscan(Arguments& a, MPI_Request* request);
int ReduceScatter(Arguments& a, MPI_Request* request);
int ReduceScatterBlock(Arguments& a, MPI_Request* request);

int Gather(Arguments& a, MPI_Request* request);
int Scatter(Arguments& a, MPI_Request* request);
int Allgather(Arguments& a, MPI_Request* request);
int Alltoall(Arguments& a, MPI_Request* request);

int Gatherv(Arguments& a, MPI_Request* request);
int Scatterv(Arguments& a, MPI_Request* request);
int Allgatherv(Arguments& a, MPI_Request* request);
int Alltoallv(Arguments& a, MPI_Request* request);
int Alltoallw(Arguments& a, MPI_Request* request);

inline reduction::Status NotAvailable(reduction::Call call) {
  return reduction::Status::Usage(
      std::string(reduction::Info(call).name) +
      " is not available in the MPI of this replay");
}

}  // namespace ranksight::replay_engine
