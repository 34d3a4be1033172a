// The MPI calls a trace can hold, and the parameters each carries.
//
// One table, reduction/api/calls.def, names every call with a role for
// each C argument. This header gives it to C++; the runtime's wrapper
// generator reads the same file, so a call is added in one place.
//
// Thread-safety: immutable tables.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ranksight::reduction {

// Frozen numbers: they stand in trace files. See calls.def.
enum class Call : uint16_t {
#define RANKSIGHT_FAMILY(family)
#define RANKSIGHT_CALL(id, name, roles) name##_ = id,
#define RANKSIGHT_LOOK(name)
#include "reduction/api/calls.def"
#undef RANKSIGHT_FAMILY
#undef RANKSIGHT_CALL
#undef RANKSIGHT_LOOK
};

// Parameters of events. Frozen numbers. Scalars unless marked [by X]: an
// array whose length is the value of parameter X of the same event.
enum class Param : uint8_t {
  kComm = 1,  // communicator number on this rank (0 world, 1 self, 2, ...)
  kPeer = 2,  // destination or source, rank in world or kPeer* special
  kTag = 3,   // or kTagAny
  kCount = 4,
  kTypeKind = 5,    // predefined type code, or 1000 + combiner
  kTypeSize = 6,    // bytes of data in one element
  kTypeExcess = 7,  // extent - size
  kRecvPeer = 8,
  kRecvTag = 9,
  kRecvCount = 10,
  kRecvTypeKind = 11,
  kRecvTypeSize = 12,
  kRecvTypeExcess = 13,
  kRoot = 14,      // rank in world or kPeer* special
  kReduceOp = 15,  // predefined op code, or 100 for a user's
  kInPlace = 16,   // 1 when MPI_IN_PLACE was given
  kCommSize = 17,  // size of the communicator obtained, 0 for MPI_COMM_NULL
  kColor = 18,     // or kColorUndefined
  kKey = 19,
  kReorder = 20,
  kRequestCount = 21,
  // [by kOpenCount, or by kRequestCount where a call has none] See RequestRef
  // below. Of calls that have kOpenCount and of MPI_Test: what was completed,
  // the newest reference last.
  kRequests = 22,
  // In traces before version 7, of calls that complete some of their requests:
  // how many, and [by kDoneCount] which of kRequests, ascending. 0 since.
  kDoneCount = 23,
  kDone = 24,
  kPeerCount = 25,  // length of the count arrays, 0 where not significant
  kCounts = 26,     // [by kPeerCount]
  kRecvPeerCount = 27,
  kRecvCounts = 28,        // [by kRecvPeerCount]
  kTypeKinds = 29,         // [by kPeerCount], MPI_Alltoallw
  kTypeSizes = 30,         // [by kPeerCount]
  kTypeExcesses = 31,      // [by kPeerCount]
  kRecvTypeKinds = 32,     // [by kRecvPeerCount]
  kRecvTypeSizes = 33,     // [by kRecvPeerCount]
  kRecvTypeExcesses = 34,  // [by kRecvPeerCount]
  kDimCount = 35,
  kDims = 36,     // [by kDimCount]
  kPeriods = 37,  // [by kDimCount]
  kRemain = 38,   // [by kDimCount]
  kMemberCount = 39,
  kMembers = 40,  // [by kMemberCount] ranks in world
  // Of what MPI_Comm_split_type made: a rank in world, or kColorUndefined. In
  // older traces a code of the type, the same on all.
  kFirstMember = 41,
  // [by kMatchCount] World ranks that receives and probes matched which asked
  // for any source or any tag and are completed by this call, in the order
  // of its requests; kNone where nothing was received.
  kMatched = 42,
  kThreadLevel = 43,
  kWindow = 44,    // window number on this rank, in the order obtained
  kFile = 45,      // file number, likewise
  kSize = 46,      // bytes asked for
  kDispUnit = 47,  // of a window
  // At the target in displacement units, in a file in its units, in a type
  // in bytes.
  kOffset = 48,
  kMode = 49,      // assertion, access mode, ...: see modes.def; or an option
  kLockType = 50,  // 0 shared, 1 exclusive
  kTargetCount = 51,
  kTargetTypeKind = 52,
  kTargetTypeSize = 53,
  kTargetTypeExcess = 54,
  kPartitions = 55,
  kPartition = 56,
  kLastPartition = 57,
  kItemCount = 58,
  kItems = 59,    // [by kItemCount] block lengths, indices, a plain list
  kOffsets = 60,  // [by kItemCount] displacements, in the call's unit
  kBlock = 61,    // length of each block
  kStride = 62,
  kItemTypeKinds = 63,  // [by kItemCount]
  kItemTypeSizes = 64,  // [by kItemCount]
  kMadeSize = 65,       // bytes of data in the datatype made
  kMadeExcess = 66,
  kEdgeCount = 67,
  kEdges = 68,  // [by kEdgeCount] ranks in the graph
  kSourceCount = 69,
  kSources = 70,  // [by kSourceCount] ranks in world
  kDegrees = 71,  // [by kSourceCount]
  kDestinationCount = 72,
  kDestinations = 73,  // [by kDestinationCount] ranks in world
  kLeader = 74,        // rank in world
  kPeerComm = 75,      // communicator number
  kProcesses = 76,
  kSubsizes = 77,       // [by kDimCount]
  kStarts = 78,         // [by kDimCount]
  kDistributions = 79,  // [by kDimCount] as the MPI encodes it
  kDistArguments = 80,  // [by kDimCount]
  kGrid = 81,           // [by kDimCount]
  kSession = 82,        // session number on this rank
  kMatchCount = 83,
  kMatchedTags = 84,  // [by kMatchCount] or kNone
  // Completions of several: how many of the kRequestCount requests passed they
  // are about. The others were MPI_REQUEST_NULL, or not completed.
  kOpenCount = 85,
};

// Special values. They lie below every rank, tag and offset, so an encoder
// that subtracts the own rank leaves values <= kSpecialMax alone.
inline constexpr int64_t kSpecialMax = -(int64_t{1} << 40);
inline constexpr int64_t kPeerAny = kSpecialMax - 1;         // MPI_ANY_SOURCE
inline constexpr int64_t kPeerNull = kSpecialMax - 2;        // MPI_PROC_NULL
inline constexpr int64_t kPeerRoot = kSpecialMax - 3;        // MPI_ROOT
inline constexpr int64_t kTagAny = kSpecialMax - 4;          // MPI_ANY_TAG
inline constexpr int64_t kColorUndefined = kSpecialMax - 5;  // MPI_UNDEFINED
inline constexpr int64_t kNone = kSpecialMax - 6;  // not known / nothing
// There was a value, of which only a distribution is left (distribution.h).
inline constexpr int64_t kNotKept = kSpecialMax - 7;
inline bool IsSpecial(int64_t v) { return v <= kSpecialMax; }

// RequestRef, the values of kRequests. Each call that makes a non-persistent
// request takes the rank's next number (0, 1, ...), each that makes a
// persistent one the next persistent number.
//   0        MPI_REQUEST_NULL
//   k >= 1   non-persistent, the k-th most recently made (1 = the last)
//   -1 - p   persistent request number p
inline constexpr int64_t kRequestNull = 0;

// What a call belongs to: the section of calls.def that it stands in.
enum class Family : uint8_t {
  kEnvironment,
  kPointToPoint,
  kCompletion,
  kCollective,
  kCommunicator,
  kPersistentCollective,
  kNeighbourhood,
  kPartitioned,
  kOneSided,
  kFile,
  kProcess,  // spawning, ports, sessions, generalised requests
  // Book-keeping of one rank: datatypes, groups, attributes, memory. What it
  // changes stands in the parameters of the calls that follow.
  kLocal,
};

struct CallInfo {
  Call call;
  Family family = Family::kEnvironment;
  std::string_view name;          // "MPI_Send"
  std::string_view roles;         // as in calls.def, one per C argument
  std::span<const Param> params;  // what an event of this call stores
  bool makes_request = false;     // non-persistent
  bool makes_persistent = false;
  bool completes = false;   // prints n=
  bool makes_comm = false;  // prints n=
  bool rooted = false;
  bool collective = false;  // blocking or not, over kComm; or makes_comm
};

// nullptr when the number is not in the table.
const CallInfo* FindCall(uint16_t id);
const CallInfo& Info(Call call);  // REQUIRES: a call of the table
const CallInfo* FindCallByName(std::string_view name);
std::span<const CallInfo> AllCalls();
// Names of calls that only look and are never events (MPI_Comm_rank, ...).
std::span<const std::string_view> LookCalls();

// MPI_Bcast for MPI_Ibcast; itself for a call that has no blocking form.
Call BlockingForm(Call call);
// Which of its requests a call completes is a matter of time: MPI_Waitany and
// its like, and MPI_Test, which is asked about one after another.
bool CompletesSome(Call call);
// MPI_Probe and its like: they name a peer, and nothing goes there.
bool IsProbe(Call call);
// The time of a run begins when this call returns: what is spent in it is no
// part of the run.
inline bool BeginsRun(Call call) { return call == Call::MPI_Init_; }

std::string_view ParamName(Param p);  // "peer", "count", ...
// For sentences, without the words of our own that some names are: "extent of
// the type made".
std::string_view ParamWords(Param p);
bool IsKnownParam(uint8_t number);
bool IsArray(Param p);
// Which of the call's parameters it is; -1 where it is none of them.
int ParamPlace(Call call, Param wanted);
// The parameter that says how long the call's array is. REQUIRES:
// IsArray(array)
Param LengthOf(Call call, Param array);
// Values that are ranks, so that "relative to the own rank" makes sense.
bool IsRank(Param p);

// Codes of kTypeKind for predefined types and of kReduceOp (frozen).
// Names are the C names ("MPI_DOUBLE", "MPI_SUM"); 0 when unknown.
int64_t TypeCodeByName(std::string_view name);
std::string_view TypeNameByCode(int64_t code);
std::span<const std::string_view> TypeNames();  // index is the code, [0] ""
int64_t OpCodeByName(std::string_view name);
std::string_view OpNameByCode(int64_t code);
std::span<const std::string_view> OpNames();
inline constexpr int64_t kTypeKindDerived = 1000;
inline constexpr int64_t kOpUser = 100;

}  // namespace ranksight::reduction
