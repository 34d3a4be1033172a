#include "replay_engine/backend_mpi/op_table.h"

#include "reduction/api/call.h"
#include "replay_engine/backend_mpi/predefined.h"

namespace ranksight::replay_engine {
namespace {

void ComputeNothing(void*, void*, int*, MPI_Datatype*) {}

}  // namespace

OpTable::OpTable() {
  for (const std::string_view name : reduction::OpNames()) {
    predefined_.push_back(PredefinedOp(name));
  }
  PMPI_Op_create(&ComputeNothing, /*commute=*/1, &nothing_);
}

MPI_Op OpTable::Get(int64_t code, bool predefined_type) const {
  if (!predefined_type || code < 0 || code >= std::ssize(predefined_)) {
    return nothing_;
  }
  const MPI_Op op = predefined_[static_cast<size_t>(code)];
  return op == MPI_OP_NULL ? nothing_ : op;
}

void OpTable::Free() {
  if (nothing_ != MPI_OP_NULL) PMPI_Op_free(&nothing_);
}

}  // namespace ranksight::replay_engine
