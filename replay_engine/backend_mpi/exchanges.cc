// Collectives in which every rank's share has the same size.
#include <vector>

#include "replay_engine/backend_mpi/families.h"

namespace ranksight::replay_engine {

using reduction::Param;

int Gather(Arguments& a, Form& form) {
  const Payload s = a.Make(Side::kSend, Area::kSend);
  const Payload r = a.Make(Side::kReceive, Area::kReceive, a.comm_size());
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  const int root = a.Peer(Param::kRoot);
  if (!a.ok()) return MPI_SUCCESS;
  return form(MPI_Gather, MPI_Igather, RANKSIGHT_MPI4(MPI_Gather_init), input,
              s.count, s.type, r.buffer, r.count, r.type, root, a.comm());
}

int Scatter(Arguments& a, Form& form) {
  const Payload s = a.Make(Side::kSend, Area::kSend, a.comm_size());
  const Payload r = a.Make(Side::kReceive, Area::kReceive);
  void* output = a.InPlace() ? MPI_IN_PLACE : r.buffer;
  const int root = a.Peer(Param::kRoot);
  if (!a.ok()) return MPI_SUCCESS;
  return form(MPI_Scatter, MPI_Iscatter, RANKSIGHT_MPI4(MPI_Scatter_init),
              s.buffer, s.count, s.type, output, r.count, r.type, root,
              a.comm());
}

int Allgather(Arguments& a, Form& form) {
  const Payload s = a.Make(Side::kSend, Area::kSend);
  const Payload r = a.Make(Side::kReceive, Area::kReceive, a.comm_size());
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  if (!a.ok()) return MPI_SUCCESS;
  return form(MPI_Allgather, MPI_Iallgather, RANKSIGHT_MPI4(MPI_Allgather_init),
              input, s.count, s.type, r.buffer, r.count, r.type, a.comm());
}

namespace {

// What the literature's case study puts in place of the collective: all
// receives, all sends, starting with the own rank, and one wait. No tag is
// certain to be free on the program's communicator, so it is not used.
int AlltoallByMessages(Arguments& a, const Payload& s, const Payload& r) {
  const MPI_Comm comm = a.ExchangeComm();
  int size = 0, rank = 0;
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_rank(comm, &rank);
  std::vector<MPI_Request> requests(static_cast<size_t>(size) * 2);
  int code = MPI_SUCCESS;
  for (int i = 0; i < size && code == MPI_SUCCESS; ++i) {
    code = MPI_Irecv(r.buffer, r.count, r.type, (rank + size - i) % size, 0,
                     comm, &requests[static_cast<size_t>(i)]);
  }
  for (int i = 0; i < size && code == MPI_SUCCESS; ++i) {
    code = MPI_Isend(s.buffer, s.count, s.type, (rank + i) % size, 0, comm,
                     &requests[static_cast<size_t>(size + i)]);
  }
  if (code == MPI_SUCCESS) {
    code = MPI_Waitall(2 * size, requests.data(), MPI_STATUSES_IGNORE);
  }
  return code;
}

}  // namespace

int Alltoall(Arguments& a, Form& form) {
  const Payload s = a.Make(Side::kSend, Area::kSend, a.comm_size());
  const Payload r = a.Make(Side::kReceive, Area::kReceive, a.comm_size());
  const void* input = a.InPlace() ? MPI_IN_PLACE : s.buffer;
  if (!a.ok()) return MPI_SUCCESS;
  if (a.AlltoallByMessages() && form.kind() == Form::kBlocking) {
    // In place the receive side says how much; messages need two buffers.
    const Payload own =
        a.InPlace() ? a.Make(Side::kReceive, Area::kSend, a.comm_size()) : s;
    return a.ok() ? AlltoallByMessages(a, own, r) : MPI_SUCCESS;
  }
  return form(MPI_Alltoall, MPI_Ialltoall, RANKSIGHT_MPI4(MPI_Alltoall_init),
              input, s.count, s.type, r.buffer, r.count, r.type, a.comm());
}

}  // namespace ranksight::replay_engine
