#include "adapters/base/operation_graph.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "reduction/api/contract.h"
#include "reduction/api/message_kind.h"

namespace ranksight::adapters {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Request;

OperationGraph::Open::Open(uint64_t farthest)
    : ring_(std::bit_ceil(farthest)) {}

void OperationGraph::Open::Begin(int64_t request, int64_t first,
                                 int64_t second) {
  RANKSIGHT_REQUIRE(first > 0);
  At(request) = {request, first, second};
}

void OperationGraph::Open::End(int64_t request,
                               std::vector<int64_t>* operations) {
  Slot& slot = At(request);
  if (slot.request != request || slot.first == 0) return;
  operations->push_back(slot.first);
  if (slot.second != 0) operations->push_back(slot.second);
  slot = Slot();
}

OperationGraph::Open::Slot& OperationGraph::Open::At(int64_t request) {
  if (request >= 0) return ring_[size_t(request) & (ring_.size() - 1)];
  const auto persistent = size_t(-1 - request);
  if (persistent >= persistent_.size()) persistent_.resize(persistent + 1);
  return persistent_[persistent];
}

OperationGraph::OperationGraph(const reduction::Communicators& comms,
                               const MessageTags& tags, int64_t rank,
                               uint64_t farthest_request, OperationSink* sink,
                               SizeOfReceive sizes, Conversion* conversion)
    : comms_(comms),
      tags_(tags),
      rank_(rank),
      sink_(sink),
      sizes_(std::move(sizes)),
      conversion_(conversion),
      open_(farthest_request) {}

// Of calls that make neither messages nor computation here.
void OperationGraph::LeftOut(const reduction::CallInfo& info) {
  using reduction::Family;
  if (reduction::IsProbe(info.call)) {
    NotExpressed("probes");
  } else if (info.call == Call::MPI_Mrecv_ || info.call == Call::MPI_Imrecv_) {
    NotExpressed("matched receives");
  } else if (info.family != Family::kEnvironment &&
             info.family != Family::kLocal &&
             info.call != Call::MPI_Request_free_) {
    NotExpressed("calls without a form");
  }
}

// Program order: behind what the rank did last.
void OperationGraph::Behind(const Operation& operation) {
  sink_->Add(operation, {&last_, last_.on == 0 ? size_t(0) : size_t(1)});
  last_ = {++added_, false};
}

// The rank goes on when this has started.
void OperationGraph::Started(const Operation& operation) {
  Behind(operation);
  last_.started_only = true;
}

void OperationGraph::WaitFor(const std::vector<int64_t>& operations) {
  if (operations.empty()) return;
  behind_.clear();
  for (const int64_t on : operations) behind_.push_back({on, false});
  // Whatever ended has also started.
  if (std::ranges::find(operations, last_.on) == operations.end()) {
    behind_.push_back(last_);
  }
  sink_->Add({.kind = Operation::Kind::kJoin, .call = call_, .site = site_},
             behind_);
  last_ = {++added_, false};
}

void OperationGraph::Compute(double ns) {
  RANKSIGHT_REQUIRE(sink_->unit_ns() > 0);
  spare_ns_ += int64_t(std::llround(ns));
  const int64_t units = spare_ns_ / sink_->unit_ns();
  if (units <= 0) return;
  spare_ns_ -= units * sink_->unit_ns();
  Behind({.kind = Operation::Kind::kCompute,
          .call = call_,
          .site = site_,
          .amount = units});
}

Operation OperationGraph::Message(bool sends, int64_t peer, int64_t tag,
                                  int64_t bytes) const {
  return {.kind = sends ? Operation::Kind::kSend : Operation::Kind::kReceive,
          .call = call_,
          .site = site_,
          .amount = bytes,
          .peer = peer,
          .tag = tag};
}

Operation OperationGraph::Receive(int64_t from, int64_t tag,
                                  int64_t asked) const {
  return Message(false, from, tag, sizes_ ? sizes_(from, tag, asked) : asked);
}

// What goes to processes outside the trace is counted.
bool OperationGraph::IsNobody(int64_t peer) {
  if (peer == reduction::kNone) {
    NotExpressed("messages to processes outside the trace");
  }
  return peer == reduction::kPeerNull || peer == reduction::kNone;
}

// Whether there is a receive to write; what is not known is counted.
bool OperationGraph::IsKnown(int64_t from, int64_t tag) {
  if (IsNobody(from)) return false;
  if (from == reduction::kPeerAny) {
    NotExpressed("receives from any source");
  } else if (tag == reduction::kTagAny) {
    NotExpressed("receives with any tag");
  }
  return from != reduction::kPeerAny && tag != reduction::kTagAny;
}

int64_t OperationGraph::TagOn(const Event& e, int64_t tag) const {
  return tags_.Of(rank_, e.Get(Param::kComm), tag);
}

void OperationGraph::Start(const Request& r) {
  if (r.kind == Request::Kind::kOther) {
    return NotExpressed("persistent collectives");
  }
  if (r.cancelled) return NotExpressed("cancelled receives");
  const bool sends = r.kind == Request::Kind::kSend;
  if (sends ? IsNobody(r.peer) : !IsKnown(r.peer, r.tag)) return;
  const int64_t tag = tags_.Of(rank_, r.comm, r.tag);
  Started(sends ? Message(true, r.peer, tag, r.bytes)
                : Receive(r.peer, tag, r.bytes));
  open_.Begin(r.number, last_.on);
}

void OperationGraph::SendAndReceive(const Event& e, const Request& made) {
  const bool starts = made.kind != Request::Kind::kNone;
  const int64_t to = e.Get(Param::kPeer);
  const int64_t from = starts ? made.peer : ReceivedFrom(e);
  const int64_t tag = starts ? made.tag : ReceivedTag(e);
  // Both are started before either is waited for: ranks that exchange would
  // wait for each other.
  std::vector<int64_t>& both = operations_;
  both.clear();
  if (!IsNobody(to)) {
    Started(Message(true, to, TagOn(e, e.Get(Param::kTag)), SendBytes(e)));
    both.push_back(last_.on);
  }
  if (IsKnown(from, tag)) {
    Started(Receive(from, TagOn(e, tag), RecvBytes(e)));
    both.push_back(last_.on);
  }
  if (!starts) return WaitFor(both);
  if (both.empty()) return;
  open_.Begin(made.number, both.front(), both.size() > 1 ? both.back() : 0);
}

void OperationGraph::PointToPoint(const Event& e, const Request& made) {
  if (e.Has(Param::kRecvPeer)) return SendAndReceive(e, made);
  if (made.kind != Request::Kind::kNone) return Start(made);
  if (e.call() == Call::MPI_Recv_) {
    const int64_t from = ReceivedFrom(e), tag = ReceivedTag(e);
    if (IsKnown(from, tag)) {
      Behind(Receive(from, TagOn(e, tag), RecvBytes(e)));
    }
  } else if (!IsNobody(e.Get(Param::kPeer))) {
    const int64_t tag = TagOn(e, e.Get(Param::kTag));
    Behind(Message(true, e.Get(Param::kPeer), tag, SendBytes(e)));
  }
}

void OperationGraph::Complete(const reduction::RankWalk& walk) {
  operations_.clear();
  for (const Request& r : walk.completed()) open_.End(r.number, &operations_);
  WaitFor(operations_);
}

// Round by round: what belongs to one happens at once.
void OperationGraph::ByMessages(const reduction::Communicator& comm) {
  const int64_t tag = tags_.OfCollective(comm);
  for (size_t begin = 0, end; begin < messages_.size(); begin = end) {
    operations_.clear();
    for (end = begin; end < messages_.size() &&
                      messages_[end].round == messages_[begin].round;
         ++end) {
      const reduction::Message& m = messages_[end];
      const int64_t peer = comm.id == 0 ? m.peer : comm.members[size_t(m.peer)];
      Started(Message(m.sends, peer, tag, m.bytes));
      operations_.push_back(last_.on);
    }
    WaitFor(operations_);
  }
}

void OperationGraph::Collective(const Event& e, const Request& made) {
  const reduction::Communicator* comm = comms_.Of(rank_, e.Get(Param::kComm));
  if (comm == nullptr) return;  // MPI_COMM_SELF: nobody else
  if (comm->is_inter) return NotExpressed("collectives between two groups");
  const int64_t size = comms_.Size(rank_, e.Get(Param::kComm));
  const bool starts = made.kind != Request::Kind::kNone;
  if (const auto bytes = sink_->Whole(e, size)) {
    const Operation whole = {.kind = Operation::Kind::kCollective,
                             .call = call_,
                             .site = site_,
                             .amount = *bytes,
                             .comm = comm};
    if (!starts) return Behind(whole);
    Started(whole);
    return open_.Begin(made.number, last_.on);
  }
  const int64_t root =
      reduction::Communicators::PlaceIn(*comm, e.Get(Param::kRoot));
  const int64_t place = reduction::Communicators::PlaceIn(*comm, rank_);
  if (!reduction::MessagesOf(e, place, size, root, &messages_)) {
    return NotExpressed("collectives without a form");
  }
  if (starts) NotExpressed("non-blocking collectives (made blocking)");
  ByMessages(*comm);
}

void OperationGraph::Add(const reduction::RankWalk& walk) {
  ++conversion_->events;
  const Event& e = walk.event();
  const reduction::CallInfo& info = reduction::Info(e.call());
  call_ = e.call();
  site_ = e.site;
  Compute(walk.compute_ns());
  if (info.makes_comm || e.call() == Call::MPI_Comm_free_) {
    return NotExpressed("making and freeing communicators");
  }
  if (info.collective) return Collective(e, walk.made());
  if (!walk.started().empty()) {
    for (const Request& r : walk.started()) Start(r);
    return;
  }
  if (info.completes) return Complete(walk);
  if (info.makes_persistent) return;
  if (e.Has(Param::kPeer) &&
      reduction::MessageKindOf(e.call()) != reduction::MessageKind::kNone) {
    return PointToPoint(e, walk.made());
  }
  LeftOut(info);
}

}  // namespace ranksight::adapters
