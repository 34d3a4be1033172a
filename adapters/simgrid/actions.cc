#include "adapters/simgrid/actions.h"

#include <cmath>
#include <string>

#include "reduction/api/contract.h"
#include "reduction/api/message_kind.h"

namespace ranksight::adapters::simgrid {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;

// <smpi/smpi.h>
constexpr int64_t kAnySource = -555;
constexpr int64_t kAnyTag = -444;

int64_t Peer(int64_t peer) {
  return peer == reduction::kPeerAny ? kAnySource : peer;
}
int64_t Tag(int64_t tag) { return tag == reduction::kTagAny ? kAnyTag : tag; }

// Collectives of the world that the format has.
bool HasAction(Call call) {
  switch (reduction::BlockingForm(call)) {
    case Call::MPI_Barrier_:
    case Call::MPI_Bcast_:
    case Call::MPI_Reduce_:
    case Call::MPI_Allreduce_:
    case Call::MPI_Gather_:
    case Call::MPI_Allgather_:
    case Call::MPI_Alltoall_:
    case Call::MPI_Alltoallv_:
      return true;
    default:
      return false;
  }
}

bool IsNobody(int64_t peer) {
  return peer == reduction::kPeerNull || peer == reduction::kNone;
}

bool IsPersistent(const Event& e) {
  return reduction::Info(e.call()).makes_persistent;
}

}  // namespace

bool MakesMessages(const reduction::Trace& trace,
                   const reduction::Communicators& comms) {
  bool makes = comms.all().size() > 1;
  ForEachEvent(trace.root, [&](const reduction::Node& node) {
    makes |= reduction::Info(node.call).collective && !HasAction(node.call);
  });
  return makes;
}

void Actions::Line(std::string_view action,
                   std::initializer_list<int64_t> arguments) {
  Begin(action);
  for (const int64_t a : arguments) Argument(a);
  file_->Write('\n');
}

void Actions::Begin(std::string_view action) {
  file_->WriteNumber(rank_);
  file_->Write(' ');
  file_->Write(action);
}

void Actions::Argument(int64_t value) {
  file_->Write(' ');
  file_->WriteNumber(value);
}

void Actions::Message(std::string_view action, int64_t peer, int64_t tag,
                      int64_t bytes) {
  if (peer == reduction::kPeerNull) return;
  if (peer == reduction::kNone) {
    return NotExpressed("messages to processes outside the trace");
  }
  Line(action, {Peer(peer), Tag(tag), bytes});
}

void Actions::Send(std::string_view action, int64_t comm, int64_t peer,
                   int64_t tag, int64_t bytes) {
  Message(action, peer, tags_->Of(rank_, comm, tag), bytes);
}

bool Actions::IsTold(int64_t peer, int64_t tag) const {
  return IsNobody(peer) || tag != reduction::kTagAny || any_tag_;
}

void Actions::Receive(std::string_view action, int64_t comm, int64_t peer,
                      int64_t tag, int64_t bytes) {
  if (!IsTold(peer, tag)) {
    return NotExpressed(
        "receives with any tag on one of several communicators");
  }
  Message(action, peer, tags_->Of(rank_, comm, tag), bytes);
}

// A wait names its request by source, destination and tag.
void Actions::WaitForSend(int64_t comm, int64_t peer, int64_t tag) {
  if (IsNobody(peer)) return;
  Line("wait", {rank_, peer, tags_->Of(rank_, comm, tag)});
}

void Actions::WaitForReceive(int64_t comm, int64_t peer, int64_t tag) {
  if (IsNobody(peer) || !IsTold(peer, tag)) return;
  Line("wait", {Peer(peer), rank_, Tag(tags_->Of(rank_, comm, tag))});
}

void Actions::Wait(const reduction::Request& r) {
  using Kind = reduction::Request::Kind;
  if (r.cancelled) return;
  if (r.kind == Kind::kReceive || r.kind == Kind::kBoth) {
    WaitForReceive(r.comm, r.peer, r.tag);
  }
  if (r.kind == Kind::kSend) WaitForSend(r.comm, r.peer, r.tag);
  if (r.kind == Kind::kBoth) WaitForSend(r.comm, r.send_peer, r.send_tag);
}

void Actions::Start(const reduction::Request& r) {
  if (r.cancelled) return NotExpressed("cancelled receives");
  if (r.kind == reduction::Request::Kind::kSend) {
    Send("isend", r.comm, r.peer, r.tag, r.bytes);
  } else if (r.kind == reduction::Request::Kind::kReceive) {
    Receive("irecv", r.comm, r.peer, r.tag, r.bytes);
  } else {
    NotExpressed("persistent collectives");
  }
}

void Actions::SendAndReceive(const Event& e, const reduction::Request& made) {
  const bool starts = made.kind != reduction::Request::Kind::kNone;
  const int64_t comm = e.Get(Param::kComm);
  const int64_t to = e.Get(Param::kPeer), tag = e.Get(Param::kTag);
  const int64_t from = starts ? made.peer : ReceivedFrom(e);
  const int64_t from_tag = starts ? made.tag : ReceivedTag(e);
  Send("isend", comm, to, tag, SendBytes(e));
  Receive("irecv", comm, from, from_tag, RecvBytes(e));
  if (starts) return;
  WaitForReceive(comm, from, from_tag);
  WaitForSend(comm, to, tag);
}

void Actions::PointToPoint(const Event& e, const reduction::Request& made) {
  if (e.Has(Param::kRecvPeer)) return SendAndReceive(e, made);
  if (made.kind != reduction::Request::Kind::kNone) return Start(made);
  const int64_t comm = e.Get(Param::kComm);
  if (e.call() == Call::MPI_Recv_) {
    Receive("recv", comm, ReceivedFrom(e), ReceivedTag(e), RecvBytes(e));
  } else {
    Send("send", comm, e.Get(Param::kPeer), e.Get(Param::kTag), SendBytes(e));
  }
}

// In place as much is sent as received.
void Actions::Alltoallv(const Event& e) {
  const bool in_place = e.Get(Param::kInPlace) != 0;
  Begin("alltoallv");
  for (const bool sends : {true, false}) {
    const bool own = sends && !in_place;
    const int64_t size = e.Get(own ? Param::kTypeSize : Param::kRecvTypeSize);
    const auto counts = e.GetArray(own ? Param::kCounts : Param::kRecvCounts);
    int64_t all = 0;
    for (const int64_t n : counts) all += n * size;
    Argument(all);
    for (const int64_t n : counts) Argument(n * size);
  }
  file_->Write('\n');
}

void Actions::WorldCollective(const Event& e) {
  RANKSIGHT_REQUIRE(HasAction(e.call()));
  const int64_t sent = SendBytes(e), received = RecvBytes(e);
  const int64_t root = e.Get(Param::kRoot);
  switch (reduction::BlockingForm(e.call())) {
    case Call::MPI_Barrier_:
      Line("barrier", {});
      return;
    case Call::MPI_Bcast_:
      Line("bcast", {sent, root});
      return;
    case Call::MPI_Reduce_:
      Line("reduce", {sent, 0, root});
      return;
    case Call::MPI_Allreduce_:
      Line("allreduce", {sent, 0});
      return;
    case Call::MPI_Gather_:
      Line("gather", {sent > 0 ? sent : received, received, root});
      return;
    case Call::MPI_Allgather_:
      Line("allgather", {sent > 0 ? sent : received, received});
      return;
    case Call::MPI_Alltoall_:
      Line("alltoall", {sent > 0 ? sent : received, received});
      return;
    case Call::MPI_Alltoallv_:
      Alltoallv(e);
      return;
    default:
      return;
  }
}

void Actions::ByMessages(const Event& e, const reduction::Communicator& comm) {
  const bool world = comm.id == 0;
  const int64_t size = comms_.Size(rank_, e.Get(Param::kComm));
  const int64_t place = reduction::Communicators::PlaceIn(comm, rank_);
  const int64_t root =
      reduction::Communicators::PlaceIn(comm, e.Get(Param::kRoot));
  if (!reduction::MessagesOf(e, place, size, root, &messages_)) {
    return NotExpressed("collectives without a form");
  }
  const int64_t tag = tags_->OfCollective(comm);
  const auto peer = [&](const reduction::Message& m) {
    return world ? m.peer : comm.members[size_t(m.peer)];
  };
  for (size_t begin = 0, end; begin < messages_.size(); begin = end) {
    end = begin;
    while (end < messages_.size() &&
           messages_[end].round == messages_[begin].round) {
      const reduction::Message& m = messages_[end++];
      Message(m.sends ? "isend" : "irecv", peer(m), tag, m.bytes);
    }
    // Of one round all are begun before any is waited for: in turn they would
    // wait for one another.
    for (size_t i = begin; i < end; ++i) {
      const reduction::Message& m = messages_[i];
      if (m.sends) {
        Line("wait", {rank_, peer(m), tag});
      } else {
        Line("wait", {peer(m), rank_, tag});
      }
    }
  }
}

void Actions::Collective(const Event& e) {
  const reduction::Communicator* comm = comms_.Of(rank_, e.Get(Param::kComm));
  if (comm == nullptr) return;  // MPI_COMM_SELF: nobody else
  if (comm->is_inter) return NotExpressed("collectives between two groups");
  bool all = comm->id == 0;
  if (!all && int64_t(comm->members.size()) == comms_.ranks()) {
    all = true;
    for (size_t i = 0; all && i < comm->members.size(); ++i) {
      all = comm->members[i] == int64_t(i);
    }
  }
  if (reduction::Info(e.call()).makes_request) {
    NotExpressed("non-blocking collectives (made blocking)");
  }
  if (all && HasAction(e.call())) return WorldCollective(e);
  NotExpressed(all ? "collectives without an action (as messages)"
                   : "collectives of part of the ranks (as messages)");
  ByMessages(e, *comm);
}

void Actions::Add(const reduction::RankWalk& walk) {
  ++conversion_->events;
  const Event& e = walk.event();
  const reduction::CallInfo& info = reduction::Info(e.call());
  if (e.call() == Call::MPI_Init_) return Line("init", {});
  if (const auto flops = int64_t(std::llround(walk.compute_ns())); flops > 0) {
    Line("compute", {flops});
  }
  if (e.call() == Call::MPI_Finalize_) return Line("finalize", {});
  if (info.makes_comm || e.call() == Call::MPI_Comm_free_) {
    return NotExpressed("making and freeing communicators");
  }
  if (info.collective) return Collective(e);
  if (IsPersistent(e)) return NotExpressed("persistent requests (as started)");
  if (!walk.started().empty()) {
    for (const reduction::Request& r : walk.started()) Start(r);
    return;
  }
  if (info.completes) {
    for (const reduction::Request& r : walk.completed()) Wait(r);
    return;
  }
  // One-sided calls name a peer, too, which makes no call for it.
  const bool messages =
      reduction::MessageKindOf(e.call()) != reduction::MessageKind::kNone;
  if (e.Has(Param::kPeer) && messages) return PointToPoint(e, walk.made());
  if (e.call() == Call::MPI_Mrecv_ || e.call() == Call::MPI_Imrecv_) {
    return NotExpressed("matched receives");
  }
  NotExpressed(reduction::IsProbe(e.call()) ? "probes"
                                            : "calls without a form");
}

}  // namespace ranksight::adapters::simgrid
