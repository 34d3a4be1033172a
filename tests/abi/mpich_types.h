// MPICH's types, for files that include the standard's header and so cannot
// have MPICH's; mpich_constants.cc holds them against it. Thread-safety: plain
// types.
#pragma once

namespace ranksight::abi_shim {

// Of all objects but files.
using MpichHandle = int;
using MpichFile = void*;

struct MpichStatus {
  int count_low, count_high;
  int source, tag, error;
};

}  // namespace ranksight::abi_shim
