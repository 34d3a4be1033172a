#include "log.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local int depth;
static _Thread_local char line[512];
static _Thread_local int length;

static FILE* file;
// Of the world, or what stands for it.
static MPI_Group everybody = MPI_GROUP_NULL;

struct Numbered {
  MPI_Comm comm;
  int number;
};
static struct Numbered* numbered;
static int numbered_count;
static int next_number = 2;  // 0 is MPI_COMM_WORLD, 1 MPI_COMM_SELF
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int LogEnter(void) { return depth++ == 0; }

void LogLeave(void) { --depth; }

void LogOpen(void) {
  MPI_Group world;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  LogOpenWithGroup(world);
}

void LogOpenWithGroup(MPI_Group group) {
  const char* folder = getenv("RAWLOG_DIR");
  char path[4096];
  int rank;
  if (folder == NULL || file != NULL) return;
  everybody = group;
  PMPI_Group_rank(everybody, &rank);
  snprintf(path, sizeof path, "%s/%d.txt", folder, rank);
  file = fopen(path, "w");
  if (file == NULL) perror(path);
}

void LogClose(void) {
  if (file != NULL) fclose(file);
  file = NULL;
}

void LogFlush(void) {
  if (file != NULL) fflush(file);
}

void LogBegin(const char* call) {
  length = snprintf(line, sizeof line, "%s", call);
}

static void AddNumber(const char* field, long long value) {
  length +=
      snprintf(line + length, sizeof line - length, " %s=%lld", field, value);
}

static void AddWord(const char* field, const char* word) {
  length +=
      snprintf(line + length, sizeof line - length, " %s=%s", field, word);
}

static int NumberOf(MPI_Comm comm) {
  int number = -1;
  if (comm == MPI_COMM_WORLD) return 0;
  if (comm == MPI_COMM_SELF) return 1;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < numbered_count; ++i) {
    if (numbered[i].comm == comm) number = numbered[i].number;
  }
  pthread_mutex_unlock(&mutex);
  return number;
}

void CommObtained(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return;
  CommForget(comm);
  pthread_mutex_lock(&mutex);
  size_t bytes = (numbered_count + 1) * sizeof *numbered;
  numbered = realloc(numbered, bytes);
  if (numbered == NULL) abort();
  numbered[numbered_count].comm = comm;
  numbered[numbered_count].number = next_number++;
  ++numbered_count;
  pthread_mutex_unlock(&mutex);
}

void CommForget(MPI_Comm comm) {
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < numbered_count; ++i) {
    if (numbered[i].comm != comm) continue;
    numbered[i--] = numbered[--numbered_count];
  }
  pthread_mutex_unlock(&mutex);
}

static int IsInter(MPI_Comm comm) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  return inter;
}

static int WorldRank(MPI_Comm comm, int rank) {
  MPI_Group group;
  int world_rank = MPI_UNDEFINED;
  if (comm == MPI_COMM_WORLD) return rank;
  if (IsInter(comm)) {
    PMPI_Comm_remote_group(comm, &group);
  } else {
    PMPI_Comm_group(comm, &group);
  }
  PMPI_Group_translate_ranks(group, 1, &rank, everybody, &world_rank);
  PMPI_Group_free(&group);
  return world_rank;
}

void LogComm(MPI_Comm comm) {
  const int number = NumberOf(comm);
  if (number < 0) {
    AddWord("comm", "none");
  } else {
    AddNumber("comm", number);
  }
}

void LogPeer(const char* field, MPI_Comm comm, int rank) {
  if (rank == MPI_PROC_NULL) {
    AddWord(field, "null");
  } else if (rank == MPI_ANY_SOURCE) {
    AddWord(field, "any");
  } else if (rank == MPI_ROOT) {
    AddWord(field, "root");
  } else {
    AddNumber(field, WorldRank(comm, rank));
  }
}

void LogTag(const char* field, int tag) {
  if (tag == MPI_ANY_TAG) {
    AddWord(field, "any");
  } else {
    AddNumber(field, tag);
  }
}

void LogBytes(const char* field, long long bytes) { AddNumber(field, bytes); }

void LogRoot(MPI_Comm comm, int root) { LogPeer("root", comm, root); }

void LogN(long long n) { AddNumber("n", n); }

void LogEnd(void) {
  if (file != NULL) fprintf(file, "%s\n", line);
}

void LogName(const char* call) {
  LogBegin(call);
  LogEnd();
}

void LogCompletion(const char* call, int n) {
  LogBegin(call);
  LogN(n);
  LogEnd();
}

int Refused(int error) {
  static const int kArguments[] = {MPI_ERR_ARG,   MPI_ERR_BUFFER, MPI_ERR_COMM,
                                   MPI_ERR_COUNT, MPI_ERR_OP,     MPI_ERR_RANK,
                                   MPI_ERR_ROOT,  MPI_ERR_TAG,    MPI_ERR_TYPE};
  int kind = MPI_SUCCESS;
  if (error == MPI_SUCCESS) return 0;
  PMPI_Error_class(error, &kind);
  for (unsigned i = 0; i < sizeof kArguments / sizeof *kArguments; ++i) {
    if (kind == kArguments[i]) return 1;
  }
  return 0;
}

long long SizeOf(MPI_Datatype type) {
  MPI_Count size = 0;
  if (type != MPI_DATATYPE_NULL) PMPI_Type_size_x(type, &size);
  return size;
}

int MembersOf(MPI_Comm comm) {
  int size;
  PMPI_Comm_size(comm, &size);
  return size;
}

int PeersOf(MPI_Comm comm) {
  int size;
  if (IsInter(comm)) {
    PMPI_Comm_remote_size(comm, &size);
  } else {
    PMPI_Comm_size(comm, &size);
  }
  return size;
}

int IsRoot(MPI_Comm comm, int root) {
  int rank;
  if (IsInter(comm)) return root == MPI_ROOT;
  PMPI_Comm_rank(comm, &rank);
  return rank == root;
}
