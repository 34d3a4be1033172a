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

int Barrier(Arguments& a, MPI_Request* request) {
  if (!a.ok()) return MPI_SUCCESS;
  return request ? MPI_Ibarrier(a.comm(), request) : MPI_Barrier(a.comm());
}

int Bcast(Arguments& a, MPI_Request* request) {
  const int root = a.Peer(Param::kRoot);
  int rank = MPI_PROC_NULL;
  if (a.ok()) PMPI_Comm_rank(a.comm(), &rank);
  const Payload p =
      a.Make(Side::kSend, rank == root ? Area::kSend : Area::kReceive);
  if (!a.ok()) return MPI_SUCCESS;
  return request
             ? MPI_Ibcast(p.buffer, p.count, p.type, root, a.comm(), request)
             : MPI_Bcast(p.buffer, p.count, p.type, root, a.comm());
}

int Reduce(Arguments& a, MPI_Request* request) {
  const Reduction r = MakeReduction(a);
  const int root = a.Peer(Param::kRoot);
  if (!a.ok()) return MPI_SUCCESS;
  return request ? MPI_Ireduce(r.input, r.output, r.count, r.type, r.op, root,
                               a.comm(), request)
                 : MPI_Reduce(r.input, r.output, r.count, r.type, r.op, root,
                              a.comm());
}

int Allreduce(Arguments& a, MPI_Request* request) {
  const Reduction r = MakeReduction(a);
  if (!a.ok()) return MPI_SUCCESS;
  return request ? MPI_Iallreduce(r.input, r.output, r.count, r.type, r.op,
                                  a.comm(), request)
                 : MPI_Allreduce(r.input, r.output, r.count, r.type, r.op,
                                 a.comm());
}

int Scan(Arguments& a, MPI_Request* request) {
  const Reduction r = MakeReduction(a);
  if (!a.ok()) return MPI_SUCCESS;
  return request ? MPI_Iscan(r.input, r.output, r.count, r.type, r.op, a.comm(),
                             request)
                 : MPI_Scan(r.input, r.output, r.count, r.type, r.op, a.comm());
}

int Exscan(Arguments& a, MPI_Request* request) {
  const Reduction r = MakeReduction(a);
  if (!a.ok()) return MPI_SUCCESS;
  return request
             ? MPI_Iexscan(r.input, r.output, r.count, r.type, r.op, a.comm(),
                           request)
             : MPI_Exscan(r.input, r.output, r.count, r.type, r.op, a.comm());
}

int ReduceScatter(Arguments& a, MPI_Request* request) {
  const VectorPayload in = a.MakeVector(Side::kSend, Area::kSend);
  const VectorPayload out = a.MakeVector(Side::kSend, Area::kReceive);
  const void* input = a.InPlace() ? MPI_IN_PLACE : in.buffer;
  const MPI_Op op = a.Op(in.predefined);
  if (!a.ok()) return MPI_SUCCESS;
  return request ? MPI_Ireduce_scatter(input, out.buffer, in.counts, in.type,
                                       op, a.comm(), request)
                 : MPI_Reduce_scatter(input, out.buffer, in.counts, in.type, op,
                                      a.comm());
}

int ReduceScatterBlock(Arguments& a, MPI_Request* request) {
  const Reduction r = MakeReduction(a, a.comm_size());
  if (!a.ok()) return MPI_SUCCESS;
  return request ? MPI_Ireduce_scatter_block(r.input, r.output, r.count, r.type,
                                             r.op, a.comm(), request)
                 : MPI_Reduce_scatter_block(r.input, r.output, r.count, r.type,
                                            r.op, a.comm());
}

}  // namespace ranksight::replay_engine
