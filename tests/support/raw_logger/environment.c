// MPI_Init to MPI_Finalize, and MPI_Abort.
#include "log.h"

static int world;  // whether there is one

int MPI_Init(int* argc, char*** argv) {
  int outer = LogEnter();
  int error = PMPI_Init(argc, argv);
  if (outer) {
    world = 1;
    LogOpen();
    LogName("MPI_Init");
  }
  LogLeave();
  return error;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  int outer = LogEnter();
  int error = PMPI_Init_thread(argc, argv, required, provided);
  if (outer) {
    world = 1;
    LogOpen();
    LogName("MPI_Init");
  }
  LogLeave();
  return error;
}

// What hangs on MPI_COMM_SELF makes calls of the program's own from there.
int MPI_Finalize(void) {
  int outer = LogEnter();
  LogLeave();
  int error = PMPI_Finalize();
  if (outer) {
    LogName("MPI_Finalize");
    LogClose();
  }
  return error;
}

#if MPI_VERSION >= 4
static int sessions;  // that are open

int MPI_Session_init(MPI_Info info, MPI_Errhandler handler,
                     MPI_Session* session) {
  int outer = LogEnter();
  int error = PMPI_Session_init(info, handler, session);
  if (outer) {
    if (sessions++ == 0 && !world) {
      MPI_Group group;
      PMPI_Group_from_session_pset(*session, "mpi://WORLD", &group);
      LogOpenWithGroup(group);
    }
    LogName("MPI_Session_init");
  }
  LogLeave();
  return error;
}

int MPI_Session_finalize(MPI_Session* session) {
  int outer = LogEnter();
  if (outer) {
    LogName("MPI_Session_finalize");
    if (--sessions == 0 && !world) LogClose();
  }
  int error = PMPI_Session_finalize(session);
  LogLeave();
  return error;
}

int MPI_Group_from_session_pset(MPI_Session session, const char* set,
                                MPI_Group* group) {
  int outer = LogEnter();
  int error = PMPI_Group_from_session_pset(session, set, group);
  if (outer) LogName("MPI_Group_from_session_pset");
  LogLeave();
  return error;
}

int MPI_Comm_create_from_group(MPI_Group group, const char* tag, MPI_Info info,
                               MPI_Errhandler handler, MPI_Comm* made) {
  int outer = LogEnter();
  int error = PMPI_Comm_create_from_group(group, tag, info, handler, made);
  if (outer) {
    int size = 0;
    CommObtained(*made);
    if (*made != MPI_COMM_NULL) PMPI_Comm_size(*made, &size);
    LogBegin("MPI_Comm_create_from_group");
    LogN(size);
    LogEnd();
  }
  LogLeave();
  return error;
}
#endif

int MPI_Abort(MPI_Comm comm, int code) {
  if (LogEnter()) {
    LogBegin("MPI_Abort");
    LogComm(comm);
    LogEnd();
    LogFlush();
  }
  int error = PMPI_Abort(comm, code);
  LogLeave();
  return error;
}
