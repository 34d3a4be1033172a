// Messages in place of a blocking collective, as the programs make them that
// `ranksight generate --exchange` writes: on a communicator of their own, since
// no tag is certain to be free on the program's.
//
// All shares of a side lie at the start of its buffer: nobody reads them.
// Thread-safety: one thread; collective over the communicator. All return the
// MPI error.
#pragma once

#include <mpi.h>

#include "replay_engine/backend_mpi/arguments.h"
#include "replay_engine/backend_mpi/form.h"

namespace ranksight::replay_engine {

// Where the messages of this call go; MPI_COMM_NULL where it stays what it is:
// not asked for, not blocking, or between two groups.
MPI_Comm ExchangeComm(Arguments& a, const Form& form);

// What goes to, or comes from, each member.
struct Shares {
  void* buffer = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
  const int* counts = nullptr;          // or one for each member
  const MPI_Datatype* types = nullptr;  // likewise
  int only = -1;                        // the one member; -1: all
  bool self = true;  // whether the own share is a message, too
};

// The same for all members (or for one), or one for each.
Shares SharesOf(const Payload& payload, int only = -1);
Shares SharesOf(const VectorPayload& payload);

// All receives, all sends from the own rank on, and one wait. Either side may
// be null.
int ExchangeByMessages(MPI_Comm comm, const Shares* from, const Shares* to);
// To the root its own and everybody's; in place all but its own.
int GatherByMessages(MPI_Comm comm, const Payload& own, Shares each, int root,
                     bool in_place);
// The other way round.
int ScatterByMessages(MPI_Comm comm, Shares each, const Payload& own, int root,
                      bool in_place);
// The same from each to all: the rank's share of `own`. In place nothing goes
// to itself.
int AllgatherByMessages(MPI_Comm comm, const Shares& own, Shares each,
                        bool in_place);

// The operands of a reduction.
struct Operands {
  void* input = nullptr;
  void* output = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
  MPI_Op op = MPI_OP_NULL;
};
// To the first member and back, without data.
int BarrierByMessages(MPI_Comm comm);
// From the root to the others.
int BroadcastByMessages(MPI_Comm comm, void* buffer, int count,
                        MPI_Datatype type, int root);
// The root combines what the others send.
int ReduceByMessages(MPI_Comm comm, const Operands& operands, int root);
// From each member to the next, which combines.
int ScanByMessages(MPI_Comm comm, const Operands& operands);
// To each member its share, which it combines.
int ReduceScatterByMessages(MPI_Comm comm, const Shares& shares, void* output,
                            MPI_Op op);

}  // namespace ranksight::replay_engine
