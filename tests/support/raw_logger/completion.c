// Calls that complete, free or cancel requests. A test that found nothing is
// no line.
#include "log.h"

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  int outer = LogEnter();
  int error = PMPI_Wait(request, status);
  if (outer) LogCompletion("MPI_Wait", 1);
  LogLeave();
  return error;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  int outer = LogEnter();
  int error = PMPI_Waitall(count, requests, statuses);
  if (outer) LogCompletion("MPI_Waitall", count);
  LogLeave();
  return error;
}

int MPI_Waitany(int count, MPI_Request requests[], int* index,
                MPI_Status* status) {
  int outer = LogEnter();
  int error = PMPI_Waitany(count, requests, index, status);
  if (outer) LogCompletion("MPI_Waitany", count);
  LogLeave();
  return error;
}

int MPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[],
                 MPI_Status statuses[]) {
  int outer = LogEnter();
  int error = PMPI_Waitsome(count, requests, done, indices, statuses);
  if (outer) LogCompletion("MPI_Waitsome", count);
  LogLeave();
  return error;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  int outer = LogEnter();
  int error = PMPI_Test(request, flag, status);
  if (outer && *flag) LogCompletion("MPI_Test", 1);
  LogLeave();
  return error;
}

int MPI_Testall(int count, MPI_Request requests[], int* flag,
                MPI_Status statuses[]) {
  int outer = LogEnter();
  int error = PMPI_Testall(count, requests, flag, statuses);
  if (outer && *flag) LogCompletion("MPI_Testall", count);
  LogLeave();
  return error;
}

int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag,
                MPI_Status* status) {
  int outer = LogEnter();
  int error = PMPI_Testany(count, requests, index, flag, status);
  if (outer && *flag) LogCompletion("MPI_Testany", count);
  LogLeave();
  return error;
}

int MPI_Testsome(int count, MPI_Request requests[], int* done, int indices[],
                 MPI_Status statuses[]) {
  int outer = LogEnter();
  int error = PMPI_Testsome(count, requests, done, indices, statuses);
  if (outer && *done != 0) LogCompletion("MPI_Testsome", count);
  LogLeave();
  return error;
}

int MPI_Request_free(MPI_Request* request) {
  int outer = LogEnter();
  int error = PMPI_Request_free(request);
  if (outer) LogName("MPI_Request_free");
  LogLeave();
  return error;
}

int MPI_Cancel(MPI_Request* request) {
  int outer = LogEnter();
  int error = PMPI_Cancel(request);
  if (outer) LogName("MPI_Cancel");
  LogLeave();
  return error;
}
