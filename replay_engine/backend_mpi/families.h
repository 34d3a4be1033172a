// The calls of the backend by family. Each performs one operation; calls
// that this MPI does not have give kUsage.
//
// Thread-safety: one thread.
#pragma once

#include <string>

#include "reduction/api/status.h"
#include "replay_engine/api/backend.h"
#include "replay_engine/backend_mpi/arguments.h"
#include "replay_engine/backend_mpi/form.h"
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
// What the leader says of an operation of its group.
bool AskLeader(const Operation& operation, MpiState& state, bool mine);
reduction::Status PerformCollective(const Operation& operation,
                                    MpiState& state);

// Makes a communicator with a topology.
reduction::Status MakeTopology(const reduction::Event& event, Arguments& a,
                               MPI_Comm* made);
// Windows and what is done through them.
reduction::Status PerformOnWindow(const Operation& operation, MpiState& state);
// Files: the same calls on scratch files.
reduction::Status PerformOnFile(const Operation& operation, MpiState& state);
// One reading or writing call.
reduction::Status TransferOnFile(const reduction::Event& event, Arguments& a,
                                 MPI_File file);
reduction::Status PerformPartitioned(const Operation& operation,
                                     MpiState& state);
// Generalised requests and sessions.
reduction::Status PerformOnProcess(const Operation& operation, MpiState& state);

// Book-keeping of one rank; see local.cc.
reduction::Status PerformLocally(const Operation& operation, MpiState& state);

// A collective in one of its forms. Returns the MPI error; makes no call when
// the arguments are not ok().
using CollectiveFunction = int (*)(Arguments& a, Form& form);

int Barrier(Arguments& a, Form& form);
int Bcast(Arguments& a, Form& form);
int Reduce(Arguments& a, Form& form);
int Allreduce(Arguments& a, Form& form);
int Scan(Arguments& a, Form& form);
int Exscan(Arguments& a, Form& form);
int ReduceScatter(Arguments& a, Form& form);
int ReduceScatterBlock(Arguments& a, Form& form);

int Gather(Arguments& a, Form& form);
int Scatter(Arguments& a, Form& form);
int Allgather(Arguments& a, Form& form);
int Alltoall(Arguments& a, Form& form);

int Gatherv(Arguments& a, Form& form);
int Scatterv(Arguments& a, Form& form);
int Allgatherv(Arguments& a, Form& form);
int Alltoallv(Arguments& a, Form& form);
int Alltoallw(Arguments& a, Form& form);

// Over the neighbours in the communicator's topology.
int NeighborAllgather(Arguments& a, Form& form);
int NeighborAllgatherv(Arguments& a, Form& form);
int NeighborAlltoall(Arguments& a, Form& form);
int NeighborAlltoallv(Arguments& a, Form& form);
int NeighborAlltoallw(Arguments& a, Form& form);

inline reduction::Status NotAvailable(reduction::Call call) {
  return reduction::Status::Usage(
      std::string(reduction::Info(call).name) +
      " is not available in the MPI of this replay");
}

}  // namespace ranksight::replay_engine
