// Collectives, blocking and non-blocking: the two forms of each take the
// same arguments but for the request, and print the same line but for the
// name.
#include <stddef.h>

#include "log.h"

#define STRIP(...) __VA_ARGS__

// Defines MPI_<call>, MPI_I<icall> and MPI_<call>_init: parameters,
// arguments, and the statement that writes the line, in which `name` is the
// call's.
#define ONE_COLLECTIVE(full, parameters, arguments, write) \
  int MPI_##full parameters {                              \
    const char* name = "MPI_" #full;                       \
    int outer = LogEnter();                                \
    int error = PMPI_##full arguments;                     \
    if (outer && !Refused(error)) write;                   \
    LogLeave();                                            \
    return error;                                          \
  }
#define BOTH_FORMS(call, icall, parameters, arguments, write)   \
  ONE_COLLECTIVE(call, parameters, arguments, write)            \
  ONE_COLLECTIVE(icall, (STRIP parameters, MPI_Request * made), \
                 (STRIP arguments, made), write)
#if MPI_VERSION >= 4
#define COLLECTIVE(call, icall, parameters, arguments, write)           \
  BOTH_FORMS(call, icall, parameters, arguments, write)                 \
  ONE_COLLECTIVE(call##_init,                                           \
                 (STRIP parameters, MPI_Info info, MPI_Request * made), \
                 (STRIP arguments, info, made), write)
#else
#define COLLECTIVE BOTH_FORMS
#endif

static void LogOnComm(const char* call, MPI_Comm comm) {
  LogBegin(call);
  LogComm(comm);
  LogEnd();
}

static void LogReduction(const char* call, MPI_Comm comm, long long bytes) {
  LogBegin(call);
  LogComm(comm);
  LogBytes("bytes", bytes);
  LogEnd();
}

static void LogRooted(const char* call, MPI_Comm comm, long long bytes,
                      int root) {
  LogBegin(call);
  LogComm(comm);
  LogBytes("bytes", bytes);
  LogRoot(comm, root);
  LogEnd();
}

static void LogRootedBothWays(const char* call, MPI_Comm comm, long long bytes,
                              long long rbytes, int root) {
  LogBegin(call);
  LogComm(comm);
  LogBytes("bytes", bytes);
  LogBytes("rbytes", rbytes);
  LogRoot(comm, root);
  LogEnd();
}

static void LogBothWays(const char* call, MPI_Comm comm, long long bytes,
                        long long rbytes) {
  LogBegin(call);
  LogComm(comm);
  LogBytes("bytes", bytes);
  LogBytes("rbytes", rbytes);
  LogEnd();
}

static long long Sum(const int counts[], int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += counts[i];
  return sum;
}

static long long SumOfTypes(const int counts[], const MPI_Datatype types[],
                            int n) {
  long long sum = 0;
  // Where nothing goes the type may be anything.
  for (int i = 0; i < n; ++i) {
    if (counts[i] > 0) sum += counts[i] * SizeOf(types[i]);
  }
  return sum;
}

// A side given as MPI_IN_PLACE, or not significant at this rank, counts 0;
// its other arguments may be anything and are not looked at.
static long long OneSide(int significant, const void* buffer, int count,
                         MPI_Datatype type) {
  if (!significant || buffer == MPI_IN_PLACE) return 0;
  return count * SizeOf(type);
}

static long long OneSideV(int significant, const void* buffer,
                          const int counts[], MPI_Datatype type,
                          MPI_Comm comm) {
  if (!significant || buffer == MPI_IN_PLACE) return 0;
  return Sum(counts, PeersOf(comm)) * SizeOf(type);
}

static long long OneSideW(const void* buffer, const int counts[],
                          const MPI_Datatype types[], MPI_Comm comm) {
  if (buffer == MPI_IN_PLACE) return 0;
  return SumOfTypes(counts, types, PeersOf(comm));
}

// Beside the root of an intercommunicator nobody takes part; it does itself,
// without giving to or getting from its own group.
static int TakesPart(int root) { return root != MPI_PROC_NULL; }
static int HasShare(int root) {
  return root != MPI_PROC_NULL && root != MPI_ROOT;
}

COLLECTIVE(Barrier, Ibarrier, (MPI_Comm comm), (comm), LogOnComm(name, comm))

COLLECTIVE(Bcast, Ibcast,
           (void* buffer, int count, MPI_Datatype type, int root,
            MPI_Comm comm),
           (buffer, count, type, root, comm),
           LogRooted(name, comm, OneSide(TakesPart(root), NULL, count, type),
                     root))

COLLECTIVE(Reduce, Ireduce,
           (const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
            int root, MPI_Comm comm),
           (in, out, count, type, op, root, comm),
           LogRooted(name, comm, OneSide(TakesPart(root), NULL, count, type),
                     root))

COLLECTIVE(Allreduce, Iallreduce,
           (const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (in, out, count, type, op, comm),
           LogReduction(name, comm, count* SizeOf(type)))

COLLECTIVE(Scan, Iscan,
           (const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (in, out, count, type, op, comm),
           LogReduction(name, comm, count* SizeOf(type)))

COLLECTIVE(Exscan, Iexscan,
           (const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (in, out, count, type, op, comm),
           LogReduction(name, comm, count* SizeOf(type)))

COLLECTIVE(Reduce_scatter, Ireduce_scatter,
           (const void* in, void* out, const int counts[], MPI_Datatype type,
            MPI_Op op, MPI_Comm comm),
           (in, out, counts, type, op, comm),
           LogReduction(name, comm,
                        Sum(counts, MembersOf(comm)) * SizeOf(type)))

COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
           (const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (in, out, count, type, op, comm),
           LogReduction(name, comm, MembersOf(comm) * (count * SizeOf(type))))

COLLECTIVE(Gather, Igather,
           (const void* in, int count, MPI_Datatype type, void* out, int rcount,
            MPI_Datatype rtype, int root, MPI_Comm comm),
           (in, count, type, out, rcount, rtype, root, comm),
           LogRootedBothWays(name, comm,
                             OneSide(HasShare(root), in, count, type),
                             OneSide(IsRoot(comm, root), out, rcount, rtype),
                             root))

COLLECTIVE(Gatherv, Igatherv,
           (const void* in, int count, MPI_Datatype type, void* out,
            const int rcounts[], const int places[], MPI_Datatype rtype,
            int root, MPI_Comm comm),
           (in, count, type, out, rcounts, places, rtype, root, comm),
           LogRootedBothWays(
               name, comm, OneSide(HasShare(root), in, count, type),
               OneSideV(IsRoot(comm, root), out, rcounts, rtype, comm), root))

COLLECTIVE(Scatter, Iscatter,
           (const void* in, int count, MPI_Datatype type, void* out, int rcount,
            MPI_Datatype rtype, int root, MPI_Comm comm),
           (in, count, type, out, rcount, rtype, root, comm),
           LogRootedBothWays(name, comm,
                             OneSide(IsRoot(comm, root), in, count, type),
                             OneSide(HasShare(root), out, rcount, rtype), root))

COLLECTIVE(
    Scatterv, Iscatterv,
    (const void* in, const int counts[], const int places[], MPI_Datatype type,
     void* out, int rcount, MPI_Datatype rtype, int root, MPI_Comm comm),
    (in, counts, places, type, out, rcount, rtype, root, comm),
    LogRootedBothWays(name, comm,
                      OneSideV(IsRoot(comm, root), in, counts, type, comm),
                      OneSide(HasShare(root), out, rcount, rtype), root))

COLLECTIVE(Allgather, Iallgather,
           (const void* in, int count, MPI_Datatype type, void* out, int rcount,
            MPI_Datatype rtype, MPI_Comm comm),
           (in, count, type, out, rcount, rtype, comm),
           LogBothWays(name, comm, OneSide(1, in, count, type),
                       OneSide(1, out, rcount, rtype)))

COLLECTIVE(Allgatherv, Iallgatherv,
           (const void* in, int count, MPI_Datatype type, void* out,
            const int rcounts[], const int places[], MPI_Datatype rtype,
            MPI_Comm comm),
           (in, count, type, out, rcounts, places, rtype, comm),
           LogBothWays(name, comm, OneSide(1, in, count, type),
                       OneSideV(1, out, rcounts, rtype, comm)))

COLLECTIVE(Alltoall, Ialltoall,
           (const void* in, int count, MPI_Datatype type, void* out, int rcount,
            MPI_Datatype rtype, MPI_Comm comm),
           (in, count, type, out, rcount, rtype, comm),
           LogBothWays(name, comm, OneSide(1, in, count, type),
                       OneSide(1, out, rcount, rtype)))

COLLECTIVE(Alltoallv, Ialltoallv,
           (const void* in, const int counts[], const int places[],
            MPI_Datatype type, void* out, const int rcounts[],
            const int rplaces[], MPI_Datatype rtype, MPI_Comm comm),
           (in, counts, places, type, out, rcounts, rplaces, rtype, comm),
           LogBothWays(name, comm, OneSideV(1, in, counts, type, comm),
                       OneSideV(1, out, rcounts, rtype, comm)))

COLLECTIVE(Alltoallw, Ialltoallw,
           (const void* in, const int counts[], const int places[],
            const MPI_Datatype types[], void* out, const int rcounts[],
            const int rplaces[], const MPI_Datatype rtypes[], MPI_Comm comm),
           (in, counts, places, types, out, rcounts, rplaces, rtypes, comm),
           LogBothWays(name, comm, OneSideW(in, counts, types, comm),
                       OneSideW(out, rcounts, rtypes, comm)))

// Over the neighbours of a topology: sources receive, destinations send.
static int Neighbours(MPI_Comm comm, int sources) {
  int kind, n = 0, in = 0, out = 0, weighted, rank;
  PMPI_Topo_test(comm, &kind);
  if (kind == MPI_CART) {
    PMPI_Cartdim_get(comm, &n);
    return 2 * n;
  }
  if (kind == MPI_GRAPH) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &n);
    return n;
  }
  PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  return sources ? in : out;
}

COLLECTIVE(Neighbor_allgather, Ineighbor_allgather,
           (const void* in, int count, MPI_Datatype type, void* out, int rcount,
            MPI_Datatype rtype, MPI_Comm comm),
           (in, count, type, out, rcount, rtype, comm),
           LogBothWays(name, comm, count* SizeOf(type), rcount* SizeOf(rtype)))

COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv,
           (const void* in, int count, MPI_Datatype type, void* out,
            const int rcounts[], const int places[], MPI_Datatype rtype,
            MPI_Comm comm),
           (in, count, type, out, rcounts, places, rtype, comm),
           LogBothWays(name, comm, count* SizeOf(type),
                       Sum(rcounts, Neighbours(comm, 1)) * SizeOf(rtype)))

COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall,
           (const void* in, int count, MPI_Datatype type, void* out, int rcount,
            MPI_Datatype rtype, MPI_Comm comm),
           (in, count, type, out, rcount, rtype, comm),
           LogBothWays(name, comm, count* SizeOf(type), rcount* SizeOf(rtype)))

COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv,
           (const void* in, const int counts[], const int places[],
            MPI_Datatype type, void* out, const int rcounts[],
            const int rplaces[], MPI_Datatype rtype, MPI_Comm comm),
           (in, counts, places, type, out, rcounts, rplaces, rtype, comm),
           LogBothWays(name, comm,
                       Sum(counts, Neighbours(comm, 0)) * SizeOf(type),
                       Sum(rcounts, Neighbours(comm, 1)) * SizeOf(rtype)))

COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw,
           (const void* in, const int counts[], const MPI_Aint places[],
            const MPI_Datatype types[], void* out, const int rcounts[],
            const MPI_Aint rplaces[], const MPI_Datatype rtypes[],
            MPI_Comm comm),
           (in, counts, places, types, out, rcounts, rplaces, rtypes, comm),
           LogBothWays(name, comm,
                       SumOfTypes(counts, types, Neighbours(comm, 0)),
                       SumOfTypes(rcounts, rtypes, Neighbours(comm, 1))))
