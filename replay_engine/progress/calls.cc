// What each call starts, and what it waits for.
#include <algorithm>

#include "replay_engine/progress/walker.h"

namespace ranksight::replay_engine {

using reduction::Call;
using reduction::Event;
using reduction::MessageKind;
using reduction::Param;
using reduction::Result;
using reduction::SendMode;
using reduction::Status;

namespace {

// Probes whose message no other receive can get.
bool TakesOut(Call call) {
  return call == Call::MPI_Mprobe_ || call == Call::MPI_Improbe_;
}

// Partitioned messages match among themselves.
constexpr int64_t kPartitionedComms = int64_t{1} << 40;

}  // namespace

Status Walker::CheckPeer(const Rank& rank, int64_t peer) const {
  if (reduction::IsSpecial(peer)) return Status::Ok();
  if (peer < 0 || peer >= trace_.meta.ranks) {
    return Status::BadInput("there is no rank " + std::to_string(peer));
  }
  const Event& e = *rank.operation.event;
  const auto* comm = comms_.Of(rank.number, e.Get(Param::kComm));
  if (comm != nullptr && comm->is_inter) comm = comm->remote;
  if (comm == nullptr || comm->id == 0) return Status::Ok();
  const bool is_in = shared_.is_ascending[size_t(comm->id)]
                         ? std::ranges::binary_search(comm->members, peer)
                         : reduction::Communicators::PlaceIn(*comm, peer) >= 0;
  if (is_in) return Status::Ok();
  return Status::BadInput("rank " + std::to_string(peer) +
                          " is not in the communicator");
}

Walker::Message Walker::SendOf(const Rank& rank, int64_t comm) const {
  const Event& e = *rank.operation.event;
  Message m;
  m.mode = reduction::SendModeOf(e.call());
  m.peer = e.Get(Param::kPeer, reduction::kPeerNull);
  m.tag = e.Get(Param::kTag);
  m.comm = comm;
  m.bytes = static_cast<int64_t>(options_.bytes_scale *
                                 static_cast<double>(reduction::SendBytes(e)));
  return m;
}

Walker::Message Walker::ReceiveOf(const Rank& rank, int64_t comm) const {
  Message m;
  m.sends = false;
  m.peer = rank.operation.source;
  m.tag = rank.operation.tag;
  m.comm = comm;
  return m;
}

Status Walker::PointToPoint(Rank& rank) {
  const Event& e = *rank.operation.event;
  if (e.call() == Call::MPI_Mrecv_ || e.call() == Call::MPI_Imrecv_) {
    ReceiveMatched(rank);
    return Status::Ok();
  }
  if (reduction::IsProbe(e.call())) return Probe(rank);
  const MessageKind kind = reduction::MessageKindOf(e.call());
  if (kind == MessageKind::kNone) return Status::Ok();
  if (kind != MessageKind::kSend) {
    const Status s = CheckPeer(rank, rank.operation.source);
    if (!s.ok()) return s;
  }
  if (kind != MessageKind::kReceive) {
    const Status s = CheckPeer(rank, e.Get(Param::kPeer, reduction::kPeerNull));
    if (!s.ok()) return s;
  }
  const Result<int64_t> known = CommOf(rank);
  if (!known.ok()) return known.status();
  const reduction::CallInfo& info = reduction::Info(e.call());
  // Partitioned messages meet only one another.
  const int64_t comm = info.family == reduction::Family::kPartitioned
                           ? *known + kPartitionedComms
                           : *known;
  if (info.makes_persistent) {
    rank.persistent[rank.operation.new_request] =
        kind == MessageKind::kSend ? SendOf(rank, comm) : ReceiveOf(rank, comm);
    return Status::Ok();
  }
  // The receive begins first, as that of a call that does both must not wait
  // for its own send.
  Begun::Tasks begun = Begun::kNoTasks;
  if (kind != MessageKind::kSend) {
    Message receive = ReceiveOf(rank, comm);
    receive.open = IsOpen(rank.operation);
    receive.was_matched = rank.was_matched;
    begun[0] = Begin(rank, receive);
  }
  if (kind != MessageKind::kReceive) begun[1] = Begin(rank, SendOf(rank, comm));
  if (info.makes_request) {
    if (begun != Begun::kNoTasks) {
      rank.requests.Put(rank.operation.new_request, begun);
    }
  } else {
    for (const Id id : begun) WaitFor(rank, id);
  }
  return Status::Ok();
}

Walker::Id Walker::Begin(Rank& rank, const Message& message) {
  const bool any = !message.sends && message.peer == reduction::kPeerAny;
  if (!any && reduction::IsSpecial(message.peer)) return kNobody;
  return message.sends ? Send(rank, message) : Receive(rank, message);
}

Walker::Id Walker::Send(Rank& rank, const Message& message) {
  const Id id = NewTask(Task::Kind::kSend, rank.number, message.peer);
  TaskAt(id).tag = message.tag;
  TaskAt(id).done = message.mode == SendMode::kBuffered ||
                    (message.mode == SendMode::kStandard &&
                     message.bytes <= options_.buffered_bytes);
  const Envelope envelope = {message.comm, rank.number, message.tag};
  const size_t part = shared_.PartOf(message.peer);
  if (part == part_) {
    Deliver(message.peer, envelope, id);
  } else {
    out_[part].push_back({message.peer, id, envelope});
  }
  return id;
}

void Walker::Deliver(int64_t to, const Envelope& envelope, Id send) {
  Mailbox& mailbox = MailboxOf(to);
  if (const auto receive = mailbox.Arrive(envelope, send)) {
    NoteMatch(*receive, send);
    Finish(*receive);
    Finish(send);
    return;
  }
  // No receive waits for it: a probe may, which goes on now and leaves the
  // message unless it takes it out.
  Rank& there = RankAt(to);
  const auto probed =
      there.probing ? mailbox.First(*there.probing) : std::nullopt;
  if (!probed) return;
  NoteProbed(there, *probed);
  ready_.push_back(to);
  if (TakesOut(there.operation.event->call())) {
    there.matched.push_back(mailbox.Take(*there.probing));
  }
  there.probing.reset();
}

Walker::Id Walker::Receive(Rank& rank, const Message& message) {
  const Envelope envelope = {message.comm, message.peer, message.tag};
  if (IsOpen(envelope)) AskOrder();
  const Id id = NewTask(Task::Kind::kReceive, rank.number, message.peer);
  Task& task = TaskAt(id);
  task.comm = message.comm;
  task.tag = message.tag;
  task.open = message.open;
  task.was_matched = message.was_matched;
  // The place of its match is taken now: they are told in the order in which
  // receives begin.
  if (message.open) {
    auto& matches = matches_[size_t(rank.number - first_)];
    task.number = matches.size();
    matches.emplace_back();
  }
  if (const auto send = MailboxOf(rank.number).Post(envelope, id)) {
    NoteMatch(id, *send);
    Finish(*send);
    Finish(id);
  }
  return id;
}

void Walker::NoteMatch(Id receive, Id send) {
  const Task& task = TaskAt(receive);
  // Where there are several parts, the walk is of no use from there on.
  if (!task.open || PartOf(send) != part_) return;
  matches_[size_t(task.rank - first_)][task.number] = {TaskAt(send).rank,
                                                       TaskAt(send).tag};
}

void Walker::NoteProbed(const Rank& rank, Id send) {
  if (!IsOpen(rank.operation) || PartOf(send) != part_) return;
  matches_[size_t(rank.number - first_)].push_back(
      {TaskAt(send).rank, TaskAt(send).tag});
}

Status Walker::Probe(Rank& rank) {
  const Result<int64_t> comm = CommOf(rank);
  if (!comm.ok()) return comm.status();
  const Envelope envelope = {*comm, rank.operation.source, rank.operation.tag};
  if (envelope.source == reduction::kPeerNull) return Status::Ok();
  if (Status s = CheckPeer(rank, envelope.source); !s.ok()) return s;
  if (IsOpen(envelope)) AskOrder();
  Mailbox& mailbox = MailboxOf(rank.number);
  const Call call = rank.operation.event->call();
  const auto first = mailbox.First(envelope);
  if (!first) {
    // Deliver wakes it.
    rank.probing = envelope;
    return Status::Ok();
  }
  NoteProbed(rank, *first);
  if (TakesOut(call)) rank.matched.push_back(mailbox.Take(envelope));
  return Status::Ok();
}

// The oldest message probed, as the replay takes it.
void Walker::ReceiveMatched(Rank& rank) {
  if (rank.matched.empty()) return;
  Finish(rank.matched.front());
  rank.matched.erase(rank.matched.begin());
}

// All who take part: both groups of an intercommunicator.
int64_t Walker::SizeOfBoth(int64_t rank, int64_t number) const {
  const reduction::Communicator* comm = comms_.Of(rank, number);
  const bool has_other = comm != nullptr && comm->remote != nullptr;
  const auto others =
      static_cast<int64_t>(has_other ? comm->remote->members.size() : 0);
  return comms_.Size(rank, number) + others;
}

// Nothing between two groups, of which each has lists of the other.
Amounts Walker::AmountsIn(const Rank& rank, int64_t size) const {
  const Event& e = *rank.operation.event;
  const auto* comm = comms_.Of(rank.number, e.Get(Param::kComm));
  if (comm != nullptr && comm->is_inter) return {};
  // Found as long as lists take, which alone ask for it.
  const bool has_lists = e.Has(Param::kCounts) || e.Has(Param::kRecvCounts);
  const int64_t place =
      has_lists && comm != nullptr
          ? reduction::Communicators::PlaceIn(*comm, rank.number)
          : rank.number;
  return AmountsOf(e, e.Get(Param::kRoot, reduction::kNone) == rank.number,
                   place, size);
}

Status Walker::Collective(Rank& rank) {
  const Event& e = *rank.operation.event;
  // Over some of the members only, in no order that all know.
  if (e.call() == Call::MPI_Comm_create_group_ ||
      e.call() == Call::MPI_Intercomm_create_ || !e.Has(Param::kComm)) {
    return Status::Ok();
  }
  const Result<int64_t> comm = CommOf(rank);
  if (!comm.ok()) return comm.status();
  if (*comm < 0) return Status::Ok();  // alone
  const int64_t size = SizeOfBoth(rank.number, e.Get(Param::kComm));
  const Amounts amounts = AmountsIn(rank, size);
  const Id id = NewTask(Task::Kind::kMeeting, rank.number, 0);
  TaskAt(id).comm = *comm;
  done_.clear();
  {
    const std::lock_guard lock(shared_.meeting);
    TaskAt(id).number = shared_.meetings.MadeBy(rank.number, *comm);
    shared_.meetings.Arrive({*comm, size, rank.number, id, amounts}, e, &done_);
  }
  for (const Id done : done_) Finish(done);
  if (reduction::Info(e.call()).makes_request) {
    rank.requests.Put(rank.operation.new_request, {id, kNobody});
  } else {
    WaitFor(rank, id);
  }
  return Status::Ok();
}

}  // namespace ranksight::replay_engine
