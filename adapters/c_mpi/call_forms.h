// The C text of each MPI call, with what varies in braces (see body.cc).
// Thread-safety: immutable table.
#pragma once

#include <string_view>

#include "reduction/api/call.h"

namespace ranksight::adapters::c_mpi {

struct CallForm {
  reduction::Call call;
  std::string_view text;
};

// Empty for a call that has no form.
std::string_view FormOf(reduction::Call call);

}  // namespace ranksight::adapters::c_mpi
