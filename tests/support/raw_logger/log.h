// What the raw logger's wrappers share: one text line per call, written at
// once to $RAWLOG_DIR/<rank>.txt, and nothing kept but the numbers of the
// communicators. Independent of everything else in this repository on
// purpose: written from the contract of the canonical event text alone.
//
// Use: LogEnter first and LogLeave last in every wrapper. Between them, when
// LogEnter returned 1, LogBegin, the fields in the contract's order, LogEnd.
// Thread-safety: any thread; lines of several threads do not mix.
#ifndef RANKSIGHT_TESTS_SUPPORT_RAW_LOGGER_LOG_H_
#define RANKSIGHT_TESTS_SUPPORT_RAW_LOGGER_LOG_H_

#include <mpi.h>

// 1 when the program itself made this call, 0 when MPI made it from inside
// another call.
int LogEnter(void);
void LogLeave(void);

void LogOpen(void);  // after initialisation
// The same where there is no world: its ranks are those of this group.
void LogOpenWithGroup(MPI_Group everybody);
void LogClose(void);  // after finalisation
void LogFlush(void);

void LogBegin(const char* call);
void LogComm(MPI_Comm comm);
void LogPeer(const char* field, MPI_Comm comm, int rank);
void LogTag(const char* field, int tag);
void LogBytes(const char* field, long long bytes);
void LogRoot(MPI_Comm comm, int root);
void LogN(long long n);
void LogEnd(void);

void LogName(const char* call);               // a line of the name alone
void LogCompletion(const char* call, int n);  // name and n

// Numbers a communicator that this rank just obtained; MPI_COMM_NULL takes
// no number. CommForget before its handle may be used again.
void CommObtained(MPI_Comm comm);
void CommForget(MPI_Comm comm);

// Whether a call returned that what it was given is wrong, so that it did
// nothing.
int Refused(int error);

long long SizeOf(MPI_Datatype type);
int MembersOf(MPI_Comm comm);  // of the own group
int PeersOf(MPI_Comm comm);    // ranks a v-form's arrays speak of
int IsRoot(MPI_Comm comm, int root);

#endif  // RANKSIGHT_TESTS_SUPPORT_RAW_LOGGER_LOG_H_
