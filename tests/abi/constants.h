// What the shim translates by number: every constant that both the standard's
// interface and MPICH have, in one order, with the values of either.
// Thread-safety: constants.
#pragma once

#include <cstddef>

namespace ranksight::abi_shim {

// Numbers of different kinds may be equal.
enum class Kind {
  kOp,
  kComm,
  kGroup,
  kWin,
  kFile,
  kSession,
  kMessage,
  kInfo,
  kErrhandler,
  kRequest,
  kDatatype,
  kRank,
  kTag,
  kError,
  kMode,
  kThreadLevel,
  kOrder,
  kDistribution,
  kCombiner,
  kTypeClass,
  kComparison,
  kTopology,
  kSplit,
  kLock,
  kFlavor,
  kModel,
  kWhence,
  kKeyval,
};

struct Constant {
  Kind kind;
  long value;
};

// Of constants.def, in its order.
extern const Constant kAbiConstants[];
extern const Constant kMpichConstants[];
extern const size_t kConstants;

// Those that stand for an address.
struct MpichPointers {
  void* in_place;
  void* status_ignore;
  void* statuses_ignore;
};
extern const MpichPointers kMpichPointers;

}  // namespace ranksight::abi_shim
