// Which types an operation at a target (MPI_Accumulate and its like) can be
// made again with. Thread-safety: pure functions.
#pragma once

namespace ranksight::reduction {

// Whether each side is of one predefined type; `result` is true for calls that
// return nothing. no_origin: the operation is MPI_NO_OP, which takes none.
struct TargetTypes {
  bool no_origin = false, origin = true, result = true, target = true;
};

// MPI allows only predefined operations there, and all sides must be made of
// one predefined type. A derived type is made again as bytes, so then the
// others must be bytes, too, and the operation is MPI_REPLACE unless it takes
// no origin: no other one is known of bytes in general.
inline bool MustBeBytes(const TargetTypes& types) {
  const bool origin = types.no_origin || types.origin;
  return !origin || !types.result || !types.target;
}

}  // namespace ranksight::reduction
