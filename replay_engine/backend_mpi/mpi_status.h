// MPI error codes as Status. Thread-safety: pure function.
#pragma once

#include <mpi.h>

#include <string>

#include "reduction/api/status.h"

namespace ranksight::replay_engine {

// A call that fails was asked for something impossible by the trace.
inline reduction::Status FromMpi(int code) {
  if (code == MPI_SUCCESS) return reduction::Status::Ok();
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  PMPI_Error_string(code, text, &length);
  return reduction::Status::BadInput(
      std::string(text, static_cast<size_t>(length)));
}

}  // namespace ranksight::replay_engine
