// Calls that make or free communicators.
#include "log.h"

static void LogMade(const char* call, MPI_Comm parent, MPI_Comm made) {
  int size = 0;
  CommObtained(made);
  if (made != MPI_COMM_NULL) PMPI_Comm_size(made, &size);
  LogBegin(call);
  LogComm(parent);
  LogN(size);
  LogEnd();
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  int outer = LogEnter();
  int error = PMPI_Comm_dup(comm, made);
  if (outer && error == MPI_SUCCESS) LogMade("MPI_Comm_dup", comm, *made);
  LogLeave();
  return error;
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
  int outer = LogEnter();
  int error = PMPI_Comm_dup_with_info(comm, info, made);
  if (outer && error == MPI_SUCCESS) {
    LogMade("MPI_Comm_dup_with_info", comm, *made);
  }
  LogLeave();
  return error;
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) {
  int outer = LogEnter();
  int error = PMPI_Comm_idup(comm, made, request);
  if (outer && error == MPI_SUCCESS) {
    // The copy must not be looked at before its request is complete.
    int size;
    PMPI_Comm_size(comm, &size);
    CommObtained(*made);
    LogBegin("MPI_Comm_idup");
    LogComm(comm);
    LogN(size);
    LogEnd();
  }
  LogLeave();
  return error;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  int outer = LogEnter();
  int error = PMPI_Comm_split(comm, color, key, made);
  if (outer && error == MPI_SUCCESS) LogMade("MPI_Comm_split", comm, *made);
  LogLeave();
  return error;
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                        MPI_Comm* made) {
  int outer = LogEnter();
  int error = PMPI_Comm_split_type(comm, type, key, info, made);
  if (outer && error == MPI_SUCCESS) {
    LogMade("MPI_Comm_split_type", comm, *made);
  }
  LogLeave();
  return error;
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  int outer = LogEnter();
  int error = PMPI_Comm_create(comm, group, made);
  if (outer && error == MPI_SUCCESS) LogMade("MPI_Comm_create", comm, *made);
  LogLeave();
  return error;
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag,
                          MPI_Comm* made) {
  int outer = LogEnter();
  int error = PMPI_Comm_create_group(comm, group, tag, made);
  if (outer && error == MPI_SUCCESS) {
    LogMade("MPI_Comm_create_group", comm, *made);
  }
  LogLeave();
  return error;
}

int MPI_Cart_create(MPI_Comm comm, int ndims, const int dims[],
                    const int periods[], int reorder, MPI_Comm* made) {
  int outer = LogEnter();
  int error = PMPI_Cart_create(comm, ndims, dims, periods, reorder, made);
  if (outer && error == MPI_SUCCESS) LogMade("MPI_Cart_create", comm, *made);
  LogLeave();
  return error;
}

int MPI_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm* made) {
  int outer = LogEnter();
  int error = PMPI_Cart_sub(comm, remain, made);
  if (outer && error == MPI_SUCCESS) LogMade("MPI_Cart_sub", comm, *made);
  LogLeave();
  return error;
}

int MPI_Comm_free(MPI_Comm* comm) {
  int outer = LogEnter();
  if (outer) {
    LogBegin("MPI_Comm_free");
    LogComm(*comm);
    CommForget(*comm);
  }
  int error = PMPI_Comm_free(comm);
  if (outer && !error) LogEnd();
  LogLeave();
  return error;
}

int MPI_Comm_disconnect(MPI_Comm* comm) {
  int outer = LogEnter();
  if (outer) {
    LogBegin("MPI_Comm_disconnect");
    LogComm(*comm);
    CommForget(*comm);
  }
  int error = PMPI_Comm_disconnect(comm);
  if (outer && !error) LogEnd();
  LogLeave();
  return error;
}

int MPI_Intercomm_create(MPI_Comm local, int leader, MPI_Comm bridge,
                         int remote, int tag, MPI_Comm* made) {
  int outer = LogEnter();
  int error = PMPI_Intercomm_create(local, leader, bridge, remote, tag, made);
  if (outer && error == MPI_SUCCESS) {
    LogMade("MPI_Intercomm_create", local, *made);
  }
  LogLeave();
  return error;
}

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* made) {
  int outer = LogEnter();
  int error = PMPI_Intercomm_merge(comm, high, made);
  if (outer && error == MPI_SUCCESS) {
    LogMade("MPI_Intercomm_merge", comm, *made);
  }
  LogLeave();
  return error;
}

int MPI_Graph_create(MPI_Comm comm, int nodes, const int index[],
                     const int edges[], int reorder, MPI_Comm* made) {
  int outer = LogEnter();
  int error = PMPI_Graph_create(comm, nodes, index, edges, reorder, made);
  if (outer && error == MPI_SUCCESS) {
    LogMade("MPI_Graph_create", comm, *made);
  }
  LogLeave();
  return error;
}

int MPI_Dist_graph_create(MPI_Comm comm, int n, const int sources[],
                          const int degrees[], const int destinations[],
                          const int weights[], MPI_Info info, int reorder,
                          MPI_Comm* made) {
  int outer = LogEnter();
  int error = PMPI_Dist_graph_create(comm, n, sources, degrees, destinations,
                                     weights, info, reorder, made);
  if (outer && error == MPI_SUCCESS) {
    LogMade("MPI_Dist_graph_create", comm, *made);
  }
  LogLeave();
  return error;
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int sources[],
                                   const int in_weights[], int out,
                                   const int destinations[],
                                   const int out_weights[], MPI_Info info,
                                   int reorder, MPI_Comm* made) {
  int outer = LogEnter();
  int error = PMPI_Dist_graph_create_adjacent(comm, in, sources, in_weights,
                                              out, destinations, out_weights,
                                              info, reorder, made);
  if (outer && error == MPI_SUCCESS) {
    LogMade("MPI_Dist_graph_create_adjacent", comm, *made);
  }
  LogLeave();
  return error;
}
