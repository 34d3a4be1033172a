// Collectives that reduce or move one buffer.
#include "replay_engine/backend_mpi/families.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Param;

// Buffers of a reduction. In place, the input lies in the output.
struct Reduction {
  const void* input;
  void* output;
  int count;
  MPI_Datatype type;
  MPI_Op op;
};

Reduction MakeReduction(Arguments& a, int input_copies = 1) {
  const Payload in = a.Make(Side::kSend, Area::kSend, input_copies);
  const Payload out = a.Make(Side::kSend, Area::kReceive, input_copies);
  return {a.InPlace() ? MPI_IN_PLACE : in.buffer, out.buffer, in.count, in.type,
          a.Op(in.predefined)};
}

}  // namespace

int Barrier(Arguments& a, Form& form) {
  if (!a.ok()) return MPI_SUCCESS;
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
  return form(MPI_Bcast, MPI_Ibcast, RANKSIGHT_MPI4(MPI_Bcast_init), p.buffer,
              p.count, p.type, root, a.comm());
}

int Reduce(Arguments& a, Form& form) {
  const Reduction r = MakeReduction(a);
  const int root = a.Peer(Param::kRoot);
  if (!a.ok()) return MPI_SUCCESS;
  return form(MPI_Reduce, MPI_Ireduce, RANKSIGHT_MPI4(MPI_Reduce_init), r.input,
              r.output, r.count, r.type, r.op, root, a.comm());
}

int Allreduce(Arguments& a, Form& form) {
  const Reduction r = MakeReduction(a);
  if (!a.ok()) return MPI_SUCCESS;
  return form(MPI_Allreduce, MPI_Iallreduce, RANKSIGHT_MPI4(MPI_Allreduce_init),
              r.input, r.output, r.count, r.type, r.op, a.comm());
}

int Scan(Arguments& a, Form& form) {
  const Reduction r = MakeReduction(a);
  if (!a.ok()) return MPI_SUCCESS;
  return form(MPI_Scan, MPI_Iscan, RANKSIGHT_MPI4(MPI_Scan_init), r.input,
              r.output, r.count, r.type, r.op, a.comm());
}

int Exscan(Arguments& a, Form& form) {
  const Reduction r = MakeReduction(a);
  if (!a.ok()) return MPI_SUCCESS;
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
  return form(MPI_Reduce_scatter, MPI_Ireduce_scatter,
              RANKSIGHT_MPI4(MPI_Reduce_scatter_init), input, out.buffer,
              in.counts, in.type, op, a.comm());
}

int ReduceScatterBlock(Arguments& a, Form& form) {
  const Reduction r = MakeReduction(a, a.own_size());
  if (!a.ok()) return MPI_SUCCESS;
  return form(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
              RANKSIGHT_MPI4(MPI_Reduce_scatter_block_init), r.input, r.output,
              r.count, r.type, r.op, a.comm());
}

}  // namespace ranksight::replay_engine
