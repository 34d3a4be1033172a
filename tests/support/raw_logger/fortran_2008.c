// The calls that Fortran's mpi_f08 makes past the C entry points in MPICH:
// its own entries mpi_x_f08_, which pass on to pmpir_x_f08_. Handles and
// numbers come by reference; an absent ierror is a null pointer.
#include "log.h"

// Fortran's arguments, whatever their type: numbers are read where needed.
typedef int* Arg;

#define STRIP(...) __VA_ARGS__

// Defines mpi_<call>_f08_ and the statement that writes the line.
#define F08(call, parameters, arguments, write)                \
  extern void pmpir_##call##_f08_(STRIP parameters, Arg error) \
      __attribute__((weak));                                   \
  void mpi_##call##_f08_(STRIP parameters, Arg error) {        \
    int outer = LogEnter();                                    \
    pmpir_##call##_f08_(STRIP arguments, error);               \
    if (outer) write;                                          \
    LogLeave();                                                \
  }

#define COMM(c) MPI_Comm_f2c(*(c))

extern void pmpir_init_f08_(Arg error) __attribute__((weak));
void mpi_init_f08_(Arg error) {
  int outer = LogEnter();
  pmpir_init_f08_(error);
  if (outer) {
    LogOpen();
    LogName("MPI_Init");
  }
  LogLeave();
}

static void LogStarted(void) {
  LogOpen();
  LogName("MPI_Init");
}
F08(init_thread, (Arg required, Arg provided), (required, provided),
    LogStarted())

extern void pmpir_finalize_f08_(Arg error) __attribute__((weak));
void mpi_finalize_f08_(Arg error) {
  int outer = LogEnter();
  pmpir_finalize_f08_(error);
  if (outer) {
    LogName("MPI_Finalize");
    LogClose();
  }
  LogLeave();
}

F08(wait, (Arg r, Arg s), (r, s), LogCompletion("MPI_Wait", 1))
F08(waitall, (Arg n, Arg r, Arg s), (n, r, s), LogCompletion("MPI_Waitall", *n))
F08(waitany, (Arg n, Arg r, Arg i, Arg s), (n, r, i, s),
    LogCompletion("MPI_Waitany", *n))
F08(waitsome, (Arg n, Arg r, Arg o, Arg i, Arg s), (n, r, o, i, s),
    LogCompletion("MPI_Waitsome", *n))
F08(test, (Arg r, Arg flag, Arg s), (r, flag, s),
    if (*flag) LogCompletion("MPI_Test", 1))
F08(testall, (Arg n, Arg r, Arg flag, Arg s), (n, r, flag, s),
    if (*flag) LogCompletion("MPI_Testall", *n))
F08(testany, (Arg n, Arg r, Arg i, Arg flag, Arg s), (n, r, i, flag, s),
    if (*flag) LogCompletion("MPI_Testany", *n))
F08(testsome, (Arg n, Arg r, Arg o, Arg i, Arg s), (n, r, o, i, s),
    if (*o != 0) LogCompletion("MPI_Testsome", *n))
F08(start, (Arg r), (r), LogName("MPI_Start"))
F08(startall, (Arg n, Arg r), (n, r), LogName("MPI_Startall"))
F08(request_free, (Arg r), (r), LogName("MPI_Request_free"))
F08(cancel, (Arg r), (r), LogName("MPI_Cancel"))

static void LogProbe(const char* call, Arg peer, Arg tag, Arg comm) {
  LogBegin(call);
  LogComm(COMM(comm));
  LogPeer("peer", COMM(comm), *peer);
  LogTag("tag", *tag);
  LogEnd();
}
F08(probe, (Arg p, Arg t, Arg c, Arg s), (p, t, c, s),
    LogProbe("MPI_Probe", p, t, c))
F08(iprobe, (Arg p, Arg t, Arg c, Arg flag, Arg s), (p, t, c, flag, s),
    if (*flag) LogProbe("MPI_Iprobe", p, t, c))
F08(mprobe, (Arg p, Arg t, Arg c, Arg m, Arg s), (p, t, c, m, s),
    LogProbe("MPI_Mprobe", p, t, c))
F08(improbe, (Arg p, Arg t, Arg c, Arg flag, Arg m, Arg s),
    (p, t, c, flag, m, s), if (*flag) LogProbe("MPI_Improbe", p, t, c))

static void LogOnComm(const char* call, Arg comm) {
  LogBegin(call);
  LogComm(COMM(comm));
  LogEnd();
}
F08(barrier, (Arg c), (c), LogOnComm("MPI_Barrier", c))
F08(ibarrier, (Arg c, Arg r), (c, r), LogOnComm("MPI_Ibarrier", c))

// size: of what this rank got.
static void LogMadeOf(const char* call, Arg parent, Arg made, int size) {
  CommObtained(COMM(made));
  LogBegin(call);
  LogComm(COMM(parent));
  LogN(size);
  LogEnd();
}

static int SizeOfComm(Arg comm) {
  int size = 0;
  if (COMM(comm) != MPI_COMM_NULL) PMPI_Comm_size(COMM(comm), &size);
  return size;
}

static void LogMade(const char* call, Arg parent, Arg made) {
  LogMadeOf(call, parent, made, SizeOfComm(made));
}

F08(comm_dup, (Arg c, Arg made), (c, made), LogMade("MPI_Comm_dup", c, made))
F08(comm_dup_with_info, (Arg c, Arg i, Arg made), (c, i, made),
    LogMade("MPI_Comm_dup_with_info", c, made))
F08(comm_idup, (Arg c, Arg made, Arg r), (c, made, r),
    LogMadeOf("MPI_Comm_idup", c, made, SizeOfComm(c)))
F08(comm_split, (Arg c, Arg color, Arg key, Arg made), (c, color, key, made),
    LogMade("MPI_Comm_split", c, made))
F08(comm_split_type, (Arg c, Arg t, Arg key, Arg i, Arg made),
    (c, t, key, i, made), LogMade("MPI_Comm_split_type", c, made))
F08(comm_create, (Arg c, Arg g, Arg made), (c, g, made),
    LogMade("MPI_Comm_create", c, made))
F08(comm_create_group, (Arg c, Arg g, Arg t, Arg made), (c, g, t, made),
    LogMade("MPI_Comm_create_group", c, made))
F08(cart_create, (Arg c, Arg n, Arg dims, Arg periods, Arg reorder, Arg made),
    (c, n, dims, periods, reorder, made), LogMade("MPI_Cart_create", c, made))
F08(cart_sub, (Arg c, Arg keep, Arg made), (c, keep, made),
    LogMade("MPI_Cart_sub", c, made))
F08(dist_graph_create_adjacent,
    (Arg c, Arg n, Arg s, Arg sw, Arg m, Arg d, Arg dw, Arg i, Arg reorder,
     Arg made),
    (c, n, s, sw, m, d, dw, i, reorder, made),
    LogMade("MPI_Dist_graph_create_adjacent", c, made))

extern void pmpir_comm_free_f08_(Arg comm, Arg error) __attribute__((weak));
void mpi_comm_free_f08_(Arg comm, Arg error) {
  if (LogEnter()) {
    LogOnComm("MPI_Comm_free", comm);
    CommForget(COMM(comm));
  }
  pmpir_comm_free_f08_(comm, error);
  LogLeave();
}

F08(type_create_hindexed, (Arg n, Arg lengths, Arg places, Arg from, Arg made),
    (n, lengths, places, from, made), LogName("MPI_Type_create_hindexed"))
F08(type_commit, (Arg type), (type), LogName("MPI_Type_commit"))
F08(type_free, (Arg type), (type), LogName("MPI_Type_free"))
F08(group_incl, (Arg g, Arg n, Arg ranks, Arg made), (g, n, ranks, made),
    LogName("MPI_Group_incl"))
