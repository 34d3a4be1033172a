// Numbers of calls, types, reductions and special values in DUMPI traces
// (sst-dumpi's funclabels.h and constants.h). Thread-safety: immutable.
#pragma once

#include <cstdint>

#include "reduction/api/call.h"

namespace ranksight::adapters::dumpi {

inline constexpr int kSendrecv = 33, kSendrecvReplace = 34, kProbe = 23;
inline constexpr int kSend = 0, kRecv = 1, kIsend = 8, kIrecv = 12;
inline constexpr int kWait = 13, kWaitall = 18, kRequestFree = 15;
inline constexpr int kStart = 31, kStartall = 32;
inline constexpr int kBarrier = 52, kBcast = 53;
inline constexpr int kGather = 54, kGatherv = 55, kScatter = 56;
inline constexpr int kScatterv = 57, kAllgather = 58, kAllgatherv = 59;
inline constexpr int kAlltoall = 60, kAlltoallv = 61, kReduce = 62;
inline constexpr int kReduceScatter = 66, kAlltoallw = 155;
inline constexpr int kCommDup = 84, kCommSplit = 86, kCommFree = 87;
inline constexpr int kInit = 124, kFinalize = 125;

inline constexpr int64_t kNullComm = 1 - 2;  // as a number of ours
inline constexpr int64_t kNoColour = -1;
inline constexpr int64_t kAnySource = -1, kAnyTag = -1, kRoot = -2;
// The format has no number for MPI_PROC_NULL; its library writes MPICH's.
inline constexpr int64_t kNoRank = -1;
inline constexpr int64_t kFirstRequest = 2;
// Persistent requests are numbered from here.
inline constexpr int64_t kFirstPersistent = 1 << 30;
inline constexpr int64_t kFirstOwnType = 28, kNoType = 1;
inline constexpr int64_t kByte = 5;
inline constexpr int64_t kOwnOp = 15;

// -1 when the format has no such call. Blocking forms only.
int NumberOf(reduction::Call call);
// Of a predefined type, or -1: its number and its bytes here.
int64_t NumberOfType(int64_t kind);
int64_t NumberOfOp(int64_t op);

}  // namespace ranksight::adapters::dumpi
