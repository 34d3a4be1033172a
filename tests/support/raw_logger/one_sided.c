// Windows: making them, reaching into them, and every way to synchronise.
#include <stdlib.h>

#include "log.h"

#define STRIP(...) __VA_ARGS__

#define CALL(call, parameters, arguments, write) \
  int MPI_##call parameters {                    \
    const char* name = "MPI_" #call;             \
    int outer = LogEnter();                      \
    int error = PMPI_##call arguments;           \
    if (outer) write;                            \
    LogLeave();                                  \
    return error;                                \
  }

static void LogOnComm(const char* call, MPI_Comm comm) {
  LogBegin(call);
  LogComm(comm);
  LogEnd();
}

CALL(Win_create,
     (void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
      MPI_Win* made),
     (base, size, unit, info, comm, made), if (!error) LogOnComm(name, comm))
CALL(Win_allocate,
     (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
      MPI_Win* made),
     (size, unit, info, comm, base, made), if (!error) LogOnComm(name, comm))
CALL(Win_allocate_shared,
     (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
      MPI_Win* made),
     (size, unit, info, comm, base, made), if (!error) LogOnComm(name, comm))
CALL(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win* made),
     (info, comm, made), if (!error) LogOnComm(name, comm))
CALL(Win_attach, (MPI_Win win, void* base, MPI_Aint size), (win, base, size),
     LogName(name))
CALL(Win_detach, (MPI_Win win, const void* base), (win, base), LogName(name))
CALL(Win_free, (MPI_Win * win), (win), if (!error) LogName(name))
CALL(Win_fence, (int assert, MPI_Win win), (assert, win), LogName(name))
CALL(Win_post, (MPI_Group group, int assert, MPI_Win win), (group, assert, win),
     LogName(name))
CALL(Win_start, (MPI_Group group, int assert, MPI_Win win),
     (group, assert, win), LogName(name))
CALL(Win_complete, (MPI_Win win), (win), LogName(name))
CALL(Win_wait, (MPI_Win win), (win), LogName(name))
CALL(Win_test, (MPI_Win win, int* flag), (win, flag), if (*flag) LogName(name))
CALL(Win_lock_all, (int assert, MPI_Win win), (assert, win), LogName(name))
CALL(Win_unlock_all, (MPI_Win win), (win), LogName(name))
CALL(Win_flush_all, (MPI_Win win), (win), LogName(name))
CALL(Win_flush_local_all, (MPI_Win win), (win), LogName(name))
CALL(Win_sync, (MPI_Win win), (win), LogName(name))

static int WorldRank(int rank, MPI_Win win) {
  MPI_Group group, world;
  int there = MPI_UNDEFINED;
  PMPI_Win_get_group(win, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, 1, &rank, world, &there);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return there;
}

static void LogTarget(int rank, MPI_Win win) {
  if (rank != MPI_PROC_NULL) rank = WorldRank(rank, win);
  LogPeer("peer", MPI_COMM_WORLD, rank);
}

static void LogAtTarget(const char* call, int rank, MPI_Win win) {
  LogBegin(call);
  LogTarget(rank, win);
  LogEnd();
}

CALL(Win_lock, (int type, int rank, int assert, MPI_Win win),
     (type, rank, assert, win), LogAtTarget(name, rank, win))
CALL(Win_unlock, (int rank, MPI_Win win), (rank, win),
     LogAtTarget(name, rank, win))
CALL(Win_flush, (int rank, MPI_Win win), (rank, win),
     LogAtTarget(name, rank, win))
CALL(Win_flush_local, (int rank, MPI_Win win), (rank, win),
     LogAtTarget(name, rank, win))

static void LogTransfer(const char* call, int rank, MPI_Win win,
                        long long bytes) {
  LogBegin(call);
  LogTarget(rank, win);
  LogBytes("bytes", bytes);
  LogEnd();
}

// With and without a request.
#define TRANSFER(call, rcall, parameters, arguments, write)                    \
  CALL(call, parameters, arguments, write)                                     \
  CALL(rcall, (STRIP parameters, MPI_Request * made), (STRIP arguments, made), \
       write)

TRANSFER(Put, Rput,
         (const void* from, int count, MPI_Datatype type, int rank,
          MPI_Aint place, int tcount, MPI_Datatype ttype, MPI_Win win),
         (from, count, type, rank, place, tcount, ttype, win),
         LogTransfer(name, rank, win, count* SizeOf(type)))
TRANSFER(Get, Rget,
         (void* to, int count, MPI_Datatype type, int rank, MPI_Aint place,
          int tcount, MPI_Datatype ttype, MPI_Win win),
         (to, count, type, rank, place, tcount, ttype, win),
         LogTransfer(name, rank, win, count* SizeOf(type)))
TRANSFER(Accumulate, Raccumulate,
         (const void* from, int count, MPI_Datatype type, int rank,
          MPI_Aint place, int tcount, MPI_Datatype ttype, MPI_Op op,
          MPI_Win win),
         (from, count, type, rank, place, tcount, ttype, op, win),
         LogTransfer(name, rank, win, count* SizeOf(type)))

static void LogThereAndBack(const char* call, int rank, MPI_Win win,
                            long long bytes, long long rbytes) {
  LogBegin(call);
  LogTarget(rank, win);
  LogBytes("bytes", bytes);
  LogBytes("rbytes", rbytes);
  LogEnd();
}

TRANSFER(Get_accumulate, Rget_accumulate,
         (const void* from, int count, MPI_Datatype type, void* to, int rcount,
          MPI_Datatype rtype, int rank, MPI_Aint place, int tcount,
          MPI_Datatype ttype, MPI_Op op, MPI_Win win),
         (from, count, type, to, rcount, rtype, rank, place, tcount, ttype, op,
          win),
         // MPI_NO_OP takes nothing from here, whatever is given.
         LogThereAndBack(name, rank, win,
                         op == MPI_NO_OP ? 0 : count * SizeOf(type),
                         rcount* SizeOf(rtype)))
CALL(Fetch_and_op,
     (const void* from, void* to, MPI_Datatype type, int rank, MPI_Aint place,
      MPI_Op op, MPI_Win win),
     (from, to, type, rank, place, op, win),
     LogTransfer(name, rank, win, SizeOf(type)))
CALL(Compare_and_swap,
     (const void* from, const void* with, void* to, MPI_Datatype type, int rank,
      MPI_Aint place, MPI_Win win),
     (from, with, to, type, rank, place, win),
     LogTransfer(name, rank, win, SizeOf(type)))
