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

int Color(const reduction::Event& e, Param p) {
  const int64_t color = e.Get(p);
  return color == reduction::kColorUndefined ? MPI_UNDEFINED
                                             : static_cast<int>(color);
}

// MPI_Comm_create and its forms that only the group takes part in.
Status CreateFromGroup(const reduction::Event& e, Arguments& a, MpiState& state,
                       MPI_Comm* made) {
  const auto members = e.GetArray(Param::kMembers);
  Result<MPI_Group> group = state.comms.GroupOf(members.data(), members.size());
  if (!group.ok()) return group.status();
  int code = MPI_ERR_UNSUPPORTED_OPERATION;
  if (a.call() == Call::MPI_Comm_create_) {
    code = MPI_Comm_create(a.comm(), *group, made);
  } else if (a.call() == Call::MPI_Comm_create_group_) {
    code = MPI_Comm_create_group(a.comm(), *group, a.Tag(Param::kTag), made);
  }
#if MPI_VERSION >= 4
  if (a.call() == Call::MPI_Comm_create_from_group_) {
    code = MPI_Comm_create_from_group(*group, "ranksight", MPI_INFO_NULL,
                                      MPI_ERRORS_RETURN, made);
  }
#endif
  if (*group != MPI_GROUP_EMPTY) PMPI_Group_free(&*group);
  return FromMpi(code);
}

// Whether those who share a host here are those who were together, on all ranks
// of comm. Those of one color are as many as the size says, so as many of one
// color are all of them.
bool HostsAreAsRecorded(const reduction::Event& e, MPI_Comm comm, int key) {
  const int64_t size = e.Get(Param::kCommSize);
  MPI_Comm part = MPI_COMM_NULL;
  PMPI_Comm_split_type(comm, size == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED,
                       key, MPI_INFO_NULL, &part);
  int alike = 1;
  if (part != MPI_COMM_NULL) {
    int here = 0;
    PMPI_Comm_size(part, &here);
    // The least color, and the greatest with its sign changed.
    const int64_t color = e.Get(Param::kFirstMember);
    const int64_t mine[] = {color, -color};
    int64_t least[] = {0, 0};
    PMPI_Allreduce(mine, least, 2, MPI_INT64_T, MPI_MIN, part);
    alike = here == size && least[0] == -least[1] ? 1 : 0;
    PMPI_Comm_free(&part);
  }
  int all_alike = 0;
  PMPI_Allreduce(&alike, &all_alike, 1, MPI_INT, MPI_MIN, comm);
  return all_alike != 0;
}

// Codes of types are the recording MPI's own: all split by host, where that
// leaves together who was together, and otherwise by who was.
Status SplitByHost(const reduction::Event& e, Arguments& a, MPI_Comm* made) {
  const int key = a.Int(Param::kKey);
  const bool none = e.Get(Param::kCommSize) == 0;
  if (!a.ok()) return a.status();
  if (HostsAreAsRecorded(e, a.comm(), key)) {
    return FromMpi(MPI_Comm_split_type(
        a.comm(), none ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, key,
        MPI_INFO_NULL, made));
  }
  const int color = none ? MPI_UNDEFINED : Color(e, Param::kFirstMember);
  return FromMpi(MPI_Comm_split(a.comm(), color, key, made));
}

// The other group's leader and the communicator to it count at the leader.
Status CreateIntercomm(const reduction::Event& e, Arguments& a, MpiState& state,
                       MPI_Comm* made) {
  const int leader = a.Peer(Param::kLeader), tag = a.Tag(Param::kTag);
  int rank = MPI_PROC_NULL, other = 0;
  MPI_Comm peers = MPI_COMM_NULL;
  PMPI_Comm_rank(a.comm(), &rank);
  if (a.ok() && rank == leader) {
    Result<CommEntry*> found = state.comms.Find(e.Get(Param::kPeerComm));
    if (!found.ok()) return found.status();
    Result<int> in_peers =
        state.comms.RankIn((*found)->members, e.Get(Param::kPeer));
    if (!in_peers.ok()) return in_peers.status();
    peers = (*found)->handle;
    other = *in_peers;
  }
  if (!a.ok()) return a.status();
  return FromMpi(
      MPI_Intercomm_create(a.comm(), leader, peers, other, tag, made));
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
#if MPI_VERSION >= 4
    case Call::MPI_Comm_idup_with_info_: {
      MPI_Request request = MPI_REQUEST_NULL;
      const int code =
          MPI_Comm_idup_with_info(a.comm(), MPI_INFO_NULL, made, &request);
      if (code == MPI_SUCCESS) a.MadeRequest(request);
      return FromMpi(code);
    }
#endif
    case Call::MPI_Comm_split_:
      return FromMpi(MPI_Comm_split(a.comm(), Color(e, Param::kColor),
                                    a.Int(Param::kKey), made));
    case Call::MPI_Comm_split_type_:
      return SplitByHost(e, a, made);
    case Call::MPI_Comm_create_:
    case Call::MPI_Comm_create_group_:
    case Call::MPI_Comm_create_from_group_:
      return CreateFromGroup(e, a, state, made);
    case Call::MPI_Intercomm_create_:
      return CreateIntercomm(e, a, state, made);
    case Call::MPI_Intercomm_merge_:
      return FromMpi(MPI_Intercomm_merge(a.comm(), a.Int(Param::kMode), made));
    default:
      return MakeTopology(e, a, made);
  }
}

Status Free(Arguments& a, int64_t number, MpiState& state) {
  if (number < 2) return Status::BadInput("a predefined communicator");
  a.FreeExchangeComm();
  if (!a.ok()) return a.status();
  MPI_Comm handle = a.comm();
  const int code = a.call() == Call::MPI_Comm_free_
                       ? MPI_Comm_free(&handle)
                       : MPI_Comm_disconnect(&handle);
  if (code == MPI_SUCCESS) state.comms.Remove(number);
  return FromMpi(code);
}

}  // namespace

bool AskLeader(const Operation& operation, MpiState& state, bool mine) {
  Arguments a(operation, state);
  const int leader = a.Peer(Param::kLeader);
  int says = mine ? 1 : 0;
  // Where it cannot be asked the call itself says why.
  if (a.ok()) PMPI_Bcast(&says, 1, MPI_INT, leader, a.comm());
  return says != 0;
}

Status PerformOnCommunicator(const Operation& operation, MpiState& state) {
  const reduction::Event& e = *operation.event;
  Arguments a(operation, state);
  if (!a.ok()) return a.status();
  if (a.call() == Call::MPI_Comm_free_ ||
      a.call() == Call::MPI_Comm_disconnect_) {
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
  if (!expected || reduction::Info(a.call()).makes_request) {
    return Status::Ok();
  }
  const Result<CommEntry*> found = state.comms.Find(operation.new_comm);
  if (found.ok() && operation.edges != nullptr) {
    CommTable::RecogniseSources(*operation.edges, *found);
  }
  return found.status();
}

}  // namespace ranksight::replay_engine
