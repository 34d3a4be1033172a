#include <utility>
#include <vector>

#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/mpi_status.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Param;
using reduction::Result;
using reduction::Status;

std::vector<int> Ints(std::span<const int64_t> values) {
  return std::vector<int>(values.begin(), values.end());
}

int Color(const reduction::Event& e) {
  const int64_t color = e.Get(Param::kColor);
  return color == reduction::kColorUndefined ? MPI_UNDEFINED
                                             : static_cast<int>(color);
}

// MPI_Comm_create and its collective-over-the-group form.
Status CreateFromGroup(const reduction::Event& e, Arguments& a, MpiState& state,
                       MPI_Comm* made) {
  const auto members = e.GetArray(Param::kMembers);
  Result<MPI_Group> group = state.comms.GroupOf(members.data(), members.size());
  if (!group.ok()) return group.status();
  const int code =
      a.call() == Call::MPI_Comm_create_
          ? MPI_Comm_create(a.comm(), *group, made)
          : MPI_Comm_create_group(a.comm(), *group, a.Tag(Param::kTag), made);
  if (*group != MPI_GROUP_EMPTY) PMPI_Group_free(&*group);
  return FromMpi(code);
}

Status CartCreate(const reduction::Event& e, Arguments& a, MPI_Comm* made) {
  const std::vector<int> dims = Ints(e.GetArray(Param::kDims));
  std::vector<int> periods = Ints(e.GetArray(Param::kPeriods));
  periods.resize(dims.size());
  return FromMpi(MPI_Cart_create(a.comm(), static_cast<int>(dims.size()),
                                 dims.data(), periods.data(),
                                 a.Int(Param::kReorder), made));
}

Status CartSub(const reduction::Event& e, Arguments& a, MPI_Comm* made) {
  std::vector<int> remain = Ints(e.GetArray(Param::kRemain));
  int dims = 0;
  const int code = PMPI_Cartdim_get(a.comm(), &dims);
  if (code != MPI_SUCCESS) return FromMpi(code);
  remain.resize(static_cast<size_t>(dims));
  return FromMpi(MPI_Cart_sub(a.comm(), remain.data(), made));
}

Status Create(const reduction::Event& e, Arguments& a, MpiState& state,
              MPI_Comm* made) {
  switch (a.call()) {
    case Call::MPI_Comm_dup_:
      return FromMpi(MPI_Comm_dup(a.comm(), made));
    case Call::MPI_Comm_dup_with_info_:
      return FromMpi(MPI_Comm_dup_with_info(a.comm(), MPI_INFO_NULL, made));
    case Call::MPI_Comm_idup_: {
      MPI_Request request = MPI_REQUEST_NULL;
      const int code = MPI_Comm_idup(a.comm(), made, &request);
      if (code == MPI_SUCCESS) a.MadeRequest(request);
      return FromMpi(code);
    }
    case Call::MPI_Comm_split_:
      return FromMpi(
          MPI_Comm_split(a.comm(), Color(e), a.Int(Param::kKey), made));
    case Call::MPI_Comm_split_type_: {
      // Codes of types are the recording MPI's own: all split by host, and
      // who obtained none takes no part.
      const bool none = e.Get(Param::kCommSize) == 0;
      return FromMpi(MPI_Comm_split_type(
          a.comm(), none ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED,
          a.Int(Param::kKey), MPI_INFO_NULL, made));
    }
    case Call::MPI_Comm_create_:
    case Call::MPI_Comm_create_group_:
      return CreateFromGroup(e, a, state, made);
    case Call::MPI_Cart_create_:
      return CartCreate(e, a, made);
    case Call::MPI_Cart_sub_:
      return CartSub(e, a, made);
    default:
      return NotAvailable(a.call());
  }
}

Status Free(Arguments& a, int64_t number, MpiState& state) {
  if (number < 2) return Status::BadInput("a predefined communicator");
  MPI_Comm handle = a.comm();
  const int code = MPI_Comm_free(&handle);
  if (code == MPI_SUCCESS) state.comms.Remove(number);
  return FromMpi(code);
}

}  // namespace

Status PerformOnCommunicator(const Operation& operation, MpiState& state) {
  const reduction::Event& e = *operation.event;
  Arguments a(operation, state);
  if (!a.ok()) return a.status();
  if (a.call() == Call::MPI_Comm_free_) {
    return Free(a, e.Get(Param::kComm), state);
  }
  MPI_Comm none = MPI_COMM_NULL;
  const bool expected = operation.new_comm >= 0;
  MPI_Comm* made =
      expected
          ? &state.comms.Add(operation.new_comm, e.Get(Param::kCommSize)).handle
          : &none;
  if (Status s = Create(e, a, state, made); !s.ok()) return s;
  if (!a.ok()) return a.status();
  if (none != MPI_COMM_NULL) {
    return Status::BadInput("made a communicator, in the trace none");
  }
  // A duplicate that is still being made is checked at its first use.
  if (!expected || a.call() == Call::MPI_Comm_idup_) return Status::Ok();
  return state.comms.Find(operation.new_comm).status();
}

}  // namespace ranksight::replay_engine
