// MPI_Init to MPI_Finalize, and MPI_Abort.
#include "log.h"

int MPI_Init(int* argc, char*** argv) {
  int outer = LogEnter();
  int error = PMPI_Init(argc, argv);
  if (outer) {
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
    LogOpen();
    LogName("MPI_Init");
  }
  LogLeave();
  return error;
}

int MPI_Finalize(void) {
  int outer = LogEnter();
  int error = PMPI_Finalize();
  if (outer) {
    LogName("MPI_Finalize");
    LogClose();
  }
  LogLeave();
  return error;
}

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
