// Book-keeping of one rank (datatypes, groups, attributes, memory), done
// again with stand-ins: what a trace says of these calls is that they were
// made, and what they changed stands in the parameters of later events. What
// a call makes is given back at once, unseen by a recorder.
#include <algorithm>
#include <climits>
#include <memory>
#include <new>
#include <vector>

#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/mpi_status.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Param;
using reduction::Status;

// What has no stand-in.
Status PassOver() { return Status::Ok(); }

#include "reduction/api/stand_ins.inc"

struct StandIn {
  Call call;
  int (*make)(MPI_Comm);
};
constexpr StandIn kStandIns[] = {
#define RANKSIGHT_MAKES(name, ...) {Call::MPI_##name##_, stand_in_##name},
#define RANKSIGHT_USES(name, ...) {Call::MPI_##name##_, stand_in_##name},
#include "reduction/api/stand_ins.def"
#undef RANKSIGHT_MAKES
#undef RANKSIGHT_USES
    // Older names, which this MPI may lack.
    {Call::MPI_Type_hvector_, stand_in_Type_create_hvector},
    {Call::MPI_Type_hindexed_, stand_in_Type_create_hindexed},
    {Call::MPI_Type_struct_, stand_in_Type_create_struct},
    {Call::MPI_Keyval_create_, stand_in_Comm_create_keyval},
    {Call::MPI_Keyval_free_, stand_in_Comm_free_keyval},
    {Call::MPI_Attr_put_, stand_in_Comm_set_attr},
    {Call::MPI_Attr_delete_, stand_in_Comm_delete_attr},
    {Call::MPI_Errhandler_create_, stand_in_Comm_create_errhandler},
};

// Larger where messages are; where they are smaller, what MPI needs for each
// stays.
Status AttachBuffer(Arguments& a, MpiState& state) {
  const double factor = std::max(1.0, state.options.bytes_scale);
  const double bytes = std::min<double>(a.Int(Param::kSize) * factor, INT_MAX);
  if (!a.ok()) return a.status();
  void* before = nullptr;
  int size = 0;
  // Instead of the one that stands in where none is recorded.
  if (state.bsend_buffer != nullptr) PMPI_Buffer_detach(&before, &size);
  size = static_cast<int>(bytes);
  state.bsend_buffer.reset(
      new (std::nothrow) char[static_cast<size_t>(size) + 1]);
  if (state.bsend_buffer == nullptr) {
    return Status::Io("no memory to buffer sends in");
  }
  return FromMpi(MPI_Buffer_attach(state.bsend_buffer.get(), size));
}

Status DetachBuffer(MpiState& state) {
  void* memory = nullptr;
  int size = 0;
  if (state.bsend_buffer == nullptr) return PassOver();
  const int code = MPI_Buffer_detach(&memory, &size);
  state.bsend_buffer.reset();
  return FromMpi(code);
}

Status OnData(Arguments& a) {
  const bool unpacks = a.call() == Call::MPI_Unpack_;
  const Payload p = a.Make(Side::kSend, unpacks ? Area::kReceive : Area::kSend);
  if (!a.ok()) return a.status();
  int size = 0, place = 0;
  const MPI_Comm comm = a.comm() == MPI_COMM_NULL ? MPI_COMM_SELF : a.comm();
  PMPI_Pack_size(p.count, p.type, comm, &size);
  std::vector<char> packed(static_cast<size_t>(size) + 1);
  if (unpacks) {
    return FromMpi(MPI_Unpack(packed.data(), size, &place, p.buffer, p.count,
                              p.type, comm));
  }
  return FromMpi(
      MPI_Pack(p.buffer, p.count, p.type, packed.data(), size, &place, comm));
}

Status ReduceLocally(Arguments& a) {
  const Payload in = a.Make(Side::kSend, Area::kSend);
  const Payload out = a.Make(Side::kSend, Area::kReceive);
  if (!a.ok()) return a.status();
  return FromMpi(MPI_Reduce_local(in.buffer, out.buffer, in.count, in.type,
                                  a.Op(in.predefined)));
}

}  // namespace

Status PerformLocally(const Operation& operation, MpiState& state) {
  Arguments a(operation, state);
  if (!a.ok()) return a.status();
  const Call call = a.call();
  for (const StandIn& stand_in : kStandIns) {
    if (stand_in.call == call) return FromMpi(stand_in.make(a.comm()));
  }
  if (call == Call::MPI_Buffer_attach_) return AttachBuffer(a, state);
  if (call == Call::MPI_Buffer_detach_) return DetachBuffer(state);
  if (call == Call::MPI_Reduce_local_) return ReduceLocally(a);
  if (call == Call::MPI_Pack_ || call == Call::MPI_Unpack_) return OnData(a);
  return PassOver();
}

}  // namespace ranksight::replay_engine
