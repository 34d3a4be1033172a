// Handles of predefined datatypes and operations by their C names.
// Thread-safety: pure functions.
#pragma once

#include <mpi.h>

#include <string_view>

namespace ranksight::replay_engine {

// MPI_DATATYPE_NULL when this MPI has no data type of that name.
MPI_Datatype PredefinedType(std::string_view name);
// MPI_OP_NULL when this MPI has no reduction of that name.
MPI_Op PredefinedOp(std::string_view name);

}  // namespace ranksight::replay_engine
