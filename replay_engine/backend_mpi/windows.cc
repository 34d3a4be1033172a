// One-sided communication. Memory of windows is the replay's own, as large as
// the recorded one; transfers go where they went.
#include <algorithm>
#include <new>
#include <utility>

#include "reduction/api/target_types.h"
#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/modes.h"
#include "replay_engine/backend_mpi/mpi_status.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Result;
using reduction::Status;

// Recorded bytes of a window, and room for transfers made larger.
Result<MPI_Aint> WindowBytes(const Event& e, const MpiState& state) {
  const double scale = state.options.bytes_scale;
  const double bytes =
      double(e.Get(Param::kSize)) * (scale > 1 ? 1 + scale : 1);
  if (bytes < 0 || bytes > 0x1p46) {
    return Status::BadInput("a window of " + std::to_string(bytes) + " bytes");
  }
  return static_cast<MPI_Aint>(bytes);
}

Result<std::unique_ptr<char[]>> Memory(MPI_Aint bytes) {
  // One byte more: an empty window needs an address, too.
  std::unique_ptr<char[]> memory(
      new (std::nothrow) char[static_cast<size_t>(bytes) + 1]);
  if (memory == nullptr) {
    return Status::Io("no memory for a window of " + std::to_string(bytes) +
                      " bytes");
  }
  return memory;
}

int MakeWindow(const Event& e, Arguments& a, MPI_Aint bytes,
               WindowEntry* window) {
  const int unit = std::max(1, a.Int(Param::kDispUnit));
  void* base = nullptr;
  switch (e.call()) {
    case Call::MPI_Win_create_:
      return MPI_Win_create(window->memory.get(), bytes, unit, MPI_INFO_NULL,
                            a.comm(), &window->handle);
    case Call::MPI_Win_allocate_:
      return MPI_Win_allocate(bytes, unit, MPI_INFO_NULL, a.comm(), &base,
                              &window->handle);
    case Call::MPI_Win_allocate_shared_:
      return MPI_Win_allocate_shared(bytes, unit, MPI_INFO_NULL, a.comm(),
                                     &base, &window->handle);
    default:
      return MPI_Win_create_dynamic(MPI_INFO_NULL, a.comm(), &window->handle);
  }
}

Status Create(const Operation& operation, Arguments& a, MpiState& state) {
  const Event& e = *operation.event;
  Result<MPI_Aint> bytes = WindowBytes(e, state);
  if (!bytes.ok()) return bytes.status();
  WindowEntry& window = state.windows.Add(operation.new_object);
  if (e.call() == Call::MPI_Win_create_) {
    Result<std::unique_ptr<char[]>> memory = Memory(*bytes);
    if (!memory.ok()) return memory.status();
    window.memory = std::move(*memory);
  }
  if (!a.ok()) return a.status();
  const int code = MakeWindow(e, a, *bytes, &window);
  if (code != MPI_SUCCESS) return FromMpi(code);
  PMPI_Win_set_errhandler(window.handle, MPI_ERRORS_RETURN);
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Win_get_group(window.handle, &group);
  window.members = state.comms.MembersOf(group);
  return Status::Ok();
}

// A transfer: this rank's side, the result's, and the target's.
struct Transfer {
  Payload origin, result, target;
  int peer = MPI_PROC_NULL;
  MPI_Aint place = 0;
  MPI_Op op = MPI_REPLACE;
  MPI_Win window = MPI_WIN_NULL;
};

int Single(Call call, const Transfer& t) {
  if (call == Call::MPI_Fetch_and_op_) {
    return MPI_Fetch_and_op(t.origin.buffer, t.result.buffer, t.origin.type,
                            t.peer, t.place, t.op, t.window);
  }
  return MPI_Compare_and_swap(t.origin.buffer, t.origin.buffer, t.result.buffer,
                              t.origin.type, t.peer, t.place, t.window);
}

int Blocking(Call call, const Transfer& t) {
  const Payload &o = t.origin, &r = t.result, &there = t.target;
  switch (call) {
    case Call::MPI_Put_:
      return MPI_Put(o.buffer, o.count, o.type, t.peer, t.place, there.count,
                     there.type, t.window);
    case Call::MPI_Get_:
      return MPI_Get(o.buffer, o.count, o.type, t.peer, t.place, there.count,
                     there.type, t.window);
    case Call::MPI_Accumulate_:
      return MPI_Accumulate(o.buffer, o.count, o.type, t.peer, t.place,
                            there.count, there.type, t.op, t.window);
    case Call::MPI_Get_accumulate_:
      return MPI_Get_accumulate(o.buffer, o.count, o.type, r.buffer, r.count,
                                r.type, t.peer, t.place, there.count,
                                there.type, t.op, t.window);
    default:
      return Single(call, t);
  }
}

int Requested(Call call, const Transfer& t, MPI_Request* request) {
  const Payload &o = t.origin, &r = t.result, &there = t.target;
  switch (call) {
    case Call::MPI_Rput_:
      return MPI_Rput(o.buffer, o.count, o.type, t.peer, t.place, there.count,
                      there.type, t.window, request);
    case Call::MPI_Rget_:
      return MPI_Rget(o.buffer, o.count, o.type, t.peer, t.place, there.count,
                      there.type, t.window, request);
    case Call::MPI_Raccumulate_:
      return MPI_Raccumulate(o.buffer, o.count, o.type, t.peer, t.place,
                             there.count, there.type, t.op, t.window, request);
    default:
      return MPI_Rget_accumulate(o.buffer, o.count, o.type, r.buffer, r.count,
                                 r.type, t.peer, t.place, there.count,
                                 there.type, t.op, t.window, request);
  }
}

Result<int> Target(const Event& e, WindowEntry& window, const MpiState& state) {
  const int64_t peer = e.Get(Param::kPeer);
  if (peer == reduction::kPeerNull) return MPI_PROC_NULL;
  return state.comms.RankIn(window.members, peer);
}

void MakeSides(Arguments& a, Transfer* t) {
  const Call call = a.call();
  const bool gets = call == Call::MPI_Get_ || call == Call::MPI_Rget_;
  const bool single =
      call == Call::MPI_Fetch_and_op_ || call == Call::MPI_Compare_and_swap_;
  t->origin = a.Make(Side::kSend, gets ? Area::kReceive : Area::kSend);
  t->result = a.Make(single ? Side::kSend : Side::kReceive, Area::kReceive);
  if (!single) t->target = a.MakeTarget();
}

void MakeReduced(const Event& e, Arguments& a, Transfer* t) {
  t->op = a.Op(true);
  const bool returns = e.Has(Param::kRecvCount);
  if (!reduction::MustBeBytes({.no_origin = t->op == MPI_NO_OP,
                               .origin = t->origin.predefined,
                               .result = !returns || t->result.predefined,
                               .target = t->target.predefined})) {
    return;
  }
  a.TakeBytes();
  MakeSides(a, t);
  if (t->op != MPI_NO_OP) t->op = MPI_REPLACE;
}

Status Move(const Event& e, Arguments& a, WindowEntry& window,
            MpiState& state) {
  const Call call = e.call();
  Transfer t;
  t.window = window.handle;
  MakeSides(a, &t);
  t.place = e.Get(Param::kOffset);
  if (e.Has(Param::kReduceOp)) MakeReduced(e, a, &t);
  Result<int> peer = Target(e, window, state);
  if (!peer.ok()) return peer.status();
  t.peer = *peer;
  if (!a.ok()) return a.status();
  if (!reduction::Info(call).makes_request) return FromMpi(Blocking(call, t));
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = Requested(call, t, &request);
  if (code == MPI_SUCCESS) a.MadeRequest(request);
  return FromMpi(code);
}

// Post and start: epochs with a group.
Status Open(const Event& e, int assertion, WindowEntry& window,
            MpiState& state) {
  const auto members = e.GetArray(Param::kMembers);
  Result<MPI_Group> group = state.comms.GroupOf(members.data(), members.size());
  if (!group.ok()) return group.status();
  const int code = e.call() == Call::MPI_Win_post_
                       ? MPI_Win_post(*group, assertion, window.handle)
                       : MPI_Win_start(*group, assertion, window.handle);
  if (*group != MPI_GROUP_EMPTY) PMPI_Group_free(&*group);
  return FromMpi(code);
}

// Synchronisation with one rank.
int SynchroniseWith(const Event& e, int peer, int assertion, MPI_Win window) {
  switch (e.call()) {
    case Call::MPI_Win_lock_:
      return MPI_Win_lock(
          e.Get(Param::kLockType) == 0 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE,
          peer, assertion, window);
    case Call::MPI_Win_unlock_:
      return MPI_Win_unlock(peer, window);
    case Call::MPI_Win_flush_:
      return MPI_Win_flush(peer, window);
    default:
      return MPI_Win_flush_local(peer, window);
  }
}

// Synchronisation with all.
int Synchronise(Call call, int assertion, MPI_Win window) {
  switch (call) {
    case Call::MPI_Win_fence_:
      return MPI_Win_fence(assertion, window);
    case Call::MPI_Win_complete_:
      return MPI_Win_complete(window);
    case Call::MPI_Win_wait_:
      return MPI_Win_wait(window);
    case Call::MPI_Win_test_: {
      int code = MPI_SUCCESS;
      for (int flag = 0; code == MPI_SUCCESS && !flag;) {
        code = MPI_Win_test(window, &flag);
      }
      return code;
    }
    case Call::MPI_Win_lock_all_:
      return MPI_Win_lock_all(assertion, window);
    case Call::MPI_Win_unlock_all_:
      return MPI_Win_unlock_all(window);
    case Call::MPI_Win_flush_all_:
      return MPI_Win_flush_all(window);
    case Call::MPI_Win_flush_local_all_:
      return MPI_Win_flush_local_all(window);
    case Call::MPI_Win_sync_:
      return MPI_Win_sync(window);
    default:
      return MPI_Win_set_info(window, MPI_INFO_NULL);
  }
}

Status Attach(const Event& e, WindowEntry& window, const MpiState& state) {
  Result<MPI_Aint> bytes = WindowBytes(e, state);
  if (!bytes.ok()) return bytes.status();
  Result<std::unique_ptr<char[]>> memory = Memory(*bytes);
  if (!memory.ok()) return memory.status();
  window.attached.push_back(std::move(*memory));
  return FromMpi(
      MPI_Win_attach(window.handle, window.attached.back().get(), *bytes));
}

// Which of several is not in the trace: the oldest.
Status Detach(WindowEntry& window) {
  if (window.attached.empty()) {
    return Status::BadInput("detaches what was never attached");
  }
  const int code = MPI_Win_detach(window.handle, window.attached.front().get());
  window.attached.pop_front();
  return FromMpi(code);
}

Status Free(int64_t number, WindowEntry& window, MpiState& state) {
  const int code = MPI_Win_free(&window.handle);
  if (code != MPI_SUCCESS) return FromMpi(code);
  CommTable::Forget(&window.members);
  state.windows.Remove(number);
  return Status::Ok();
}

}  // namespace

Status PerformOnWindow(const Operation& operation, MpiState& state) {
  const Event& e = *operation.event;
  Arguments a(operation, state);
  if (!a.ok()) return a.status();
  if (operation.new_object >= 0) return Create(operation, a, state);
  const int64_t number = e.Get(Param::kWindow);
  Result<WindowEntry*> window = state.windows.Find(number);
  if (!window.ok()) return window.status();
  // Calls that name a place in the window move data, all others do not.
  if (e.Has(Param::kOffset)) return Move(e, a, **window, state);
  const int assertion = ModeBits(ModeKind::kAssertion, e.Get(Param::kMode));
  switch (e.call()) {
    case Call::MPI_Win_free_:
      return Free(number, **window, state);
    case Call::MPI_Win_attach_:
      return Attach(e, **window, state);
    case Call::MPI_Win_detach_:
      return Detach(**window);
    case Call::MPI_Win_post_:
    case Call::MPI_Win_start_:
      return Open(e, assertion, **window, state);
    default:
      break;
  }
  const MPI_Win handle = (*window)->handle;
  if (!e.Has(Param::kPeer)) {
    return FromMpi(Synchronise(e.call(), assertion, handle));
  }
  Result<int> peer = Target(e, **window, state);
  if (!peer.ok()) return peer.status();
  return FromMpi(SynchroniseWith(e, *peer, assertion, handle));
}

}  // namespace ranksight::replay_engine
