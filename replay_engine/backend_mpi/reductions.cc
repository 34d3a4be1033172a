// Collectives that reduce or move one buffer.
#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/messages.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Param;

// Buffers of a reduction. In place, the input lies in the output.
struct Reduction {
  const void* input;
  void* sent;  // the input, or what it is in messages where it lies in place
  void* output;
  int count;
  MPI_Datatype type;
  MPI_Op op;
};

Reduction MakeReduction(Arguments& a, int input_copies = 1) {
  const Payload in = a.Make(Side::kSend, Area::kSend, input_copies);
  const Payload out = a.Make(Side::kSend, Area::kReceive, input_copies);
  return {a.InPlace() ? MPI_IN_PLACE : in.buffer,
          in.buffer,
          out.buffer,
          in.count,
          in.type,
          a.Op(in.predefined)};
}

Operands OperandsOf(const Reduction& r) {
  return {r.sent, r.output, r.count, r.type, r.op};
}

// To the first member, and from there to all.
int CombineForAll(MPI_Comm x, const Reduction& r) {
  const int code = ReduceByMessages(x, OperandsOf(r), 0);
  if (code != MPI_SUCCESS) return code;
  return BroadcastByMessages(x, r.output, r.count, r.type, 0);
}

}  // namespace

int Barrier(Arguments& a, Form& form) {
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    return BarrierByMessages(x);
  }
  return form(MPI_Barrier, MPI_Ibarrier, RANKSIGHT_MPI4(MPI_Barrier_init),
              a.comm());
}

int Bcast(Arguments& a, Form& form) {
  const int root = a.Peer(Param::kRoot);
  int rank = MPI_PROC_NULL;
  if (a.ok()) PMPI_Comm_rank(a.comm(), &rank);
  const Payload p =
      a.Make(Side::kSend, rank == root ? Area::kSend : Area::kReceive);
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    return BroadcastByMessages(x, p.buffer, p.count, p.type, root);
  }
  return form(MPI_Bcast, MPI_Ibcast, RANKSIGHT_MPI4(MPI_Bcast_init), p.buffer,
              p.count, p.type, root, a.comm());
}

int Reduce(Arguments& a, Form& form) {
  const Reduction r = MakeReduction(a);
  const int root = a.Peer(Param::kRoot);
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    return ReduceByMessages(x, OperandsOf(r), root);
  }
  return form(MPI_Reduce, MPI_Ireduce, RANKSIGHT_MPI4(MPI_Reduce_init), r.input,
              r.output, r.count, r.type, r.op, root, a.comm());
}

int Allreduce(Arguments& a, Form& form) {
  const Reduction r = MakeReduction(a);
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    return CombineForAll(x, r);
  }
  return form(MPI_Allreduce, MPI_Iallreduce, RANKSIGHT_MPI4(MPI_Allreduce_init),
              r.input, r.output, r.count, r.type, r.op, a.comm());
}

int Scan(Arguments& a, Form& form) {
  const Reduction r = MakeReduction(a);
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    return ScanByMessages(x, OperandsOf(r));
  }
  return form(MPI_Scan, MPI_Iscan, RANKSIGHT_MPI4(MPI_Scan_init), r.input,
              r.output, r.count, r.type, r.op, a.comm());
}

int Exscan(Arguments& a, Form& form) {
  const Reduction r = MakeReduction(a);
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    return ScanByMessages(x, OperandsOf(r));
  }
  return form(MPI_Exscan, MPI_Iexscan, RANKSIGHT_MPI4(MPI_Exscan_init), r.input,
              r.output, r.count, r.type, r.op, a.comm());
}

int ReduceScatter(Arguments& a, Form& form) {
  const VectorPayload in = a.MakeVector(Side::kSend, Area::kSend, a.own_size());
  const VectorPayload out =
      a.MakeVector(Side::kSend, Area::kReceive, a.own_size());
  const void* input = a.InPlace() ? MPI_IN_PLACE : in.buffer;
  const MPI_Op op = a.Op(in.predefined);
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    return ReduceScatterByMessages(x, SharesOf(in), out.buffer, op);
  }
  return form(MPI_Reduce_scatter, MPI_Ireduce_scatter,
              RANKSIGHT_MPI4(MPI_Reduce_scatter_init), input, out.buffer,
              in.counts, in.type, op, a.comm());
}

int ReduceScatterBlock(Arguments& a, Form& form) {
  const Reduction r = MakeReduction(a, a.own_size());
  if (!a.ok()) return MPI_SUCCESS;
  if (const MPI_Comm x = ExchangeComm(a, form); x != MPI_COMM_NULL) {
    return ReduceScatterByMessages(
        x, SharesOf(Payload{r.sent, r.count, r.type}), r.output, r.op);
  }
  return form(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
              RANKSIGHT_MPI4(MPI_Reduce_scatter_block_init), r.input, r.output,
              r.count, r.type, r.op, a.comm());
}

}  // namespace ranksight::replay_engine
