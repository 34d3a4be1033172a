#include "adapters/dimemas/records.h"

#include <charconv>
#include <cmath>

#include "reduction/api/message_kind.h"

namespace ranksight::adapters::dimemas {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Request;

// Kinds of records.
constexpr int64_t kBurst = 1, kSend = 2, kReceive = 3, kGlobal = 10;
constexpr int64_t kAnySource = -1;
constexpr int64_t kWorld = 1;
// Messages between processes, not threads, name this one.
constexpr int64_t kProcess = -1;
// Of a send: bit 0, it waits for its receive; bit 1, it returns at once.
constexpr int64_t kSynchronous = 1, kImmediate = 2;
// Of a collective: every member waits.
constexpr int64_t kAllWait = 1;

struct GlobalOperation {
  Call call;
  int64_t number;
};

constexpr GlobalOperation kOperations[] = {
    {Call::MPI_Barrier_, 0},         {Call::MPI_Bcast_, 1},
    {Call::MPI_Gather_, 2},          {Call::MPI_Gatherv_, 3},
    {Call::MPI_Scatter_, 4},         {Call::MPI_Scatterv_, 5},
    {Call::MPI_Allgather_, 6},       {Call::MPI_Allgatherv_, 7},
    {Call::MPI_Alltoall_, 8},        {Call::MPI_Alltoallv_, 9},
    {Call::MPI_Reduce_, 10},         {Call::MPI_Allreduce_, 11},
    {Call::MPI_Reduce_scatter_, 12}, {Call::MPI_Reduce_scatter_block_, 13},
    {Call::MPI_Scan_, 14},           {Call::MPI_Exscan_, 14},
    {Call::MPI_Alltoallw_, 15},
};

char* Digits(int64_t value, char* at) {
  return std::to_chars(at, at + ByteWriter::kDigits, value).ptr;
}

const GlobalOperation* OperationOf(Call call) {
  const Call blocking = reduction::BlockingForm(call);
  for (const GlobalOperation& o : kOperations) {
    if (o.call == blocking) return &o;
  }
  return nullptr;
}

}  // namespace

// "KIND:RANK:0", of which the last is the thread.
char* Records::Head(int64_t kind, size_t more) {
  char* at = file_->Room(2 * ByteWriter::kDigits + more);
  at = Digits(kind, at);
  *at++ = ':';
  at = Digits(rank_, at);
  *at++ = ':';
  *at++ = '0';
  return at;
}

void Records::Record(int64_t kind, std::initializer_list<int64_t> fields) {
  char* at = Head(kind, (fields.size() + 1) * ByteWriter::kDigits);
  for (const int64_t field : fields) {
    *at++ = ':';
    at = Digits(field, at);
  }
  *at++ = '\n';
  file_->WroteUntil(at);
}

// In seconds, with nine digits behind the point.
void Records::Burst(double ns) {
  constexpr int64_t kSecond = 1'000'000'000;
  const auto whole = int64_t(std::llround(ns));
  if (whole <= 0) return;
  char* at = Head(kBurst, 2 * ByteWriter::kDigits);
  *at++ = ':';
  at = Digits(whole / kSecond, at);
  *at++ = '.';
  int64_t rest = whole % kSecond;
  for (int64_t unit = kSecond / 10; unit > 0; unit /= 10) {
    *at++ = char('0' + rest / unit);
    rest %= unit;
  }
  *at++ = '\n';
  file_->WroteUntil(at);
}

Records::Envelope Records::EnvelopeOf(int64_t comm, int64_t tag) {
  const reduction::Communicator* known = comms_.Of(rank_, comm);
  if (known != nullptr) return {known->common_id() + 1, tag};
  // A rank's own MPI_COMM_SELF is none of the file's.
  return {kWorld, tags_->Of(rank_, comm, tag)};
}

bool Records::IsNobody(int64_t peer) {
  if (peer == reduction::kNone) {
    NotExpressed("messages to processes outside the trace");
  }
  return peer == reduction::kPeerNull || peer == reduction::kNone;
}

void Records::Send(int64_t peer, int64_t tag, int64_t bytes, int64_t comm,
                   bool waits, bool synchronous) {
  if (IsNobody(peer)) return;
  const Envelope envelope = EnvelopeOf(comm, tag);
  Record(kSend, {peer, kProcess, bytes, envelope.tag, envelope.comm,
                 (waits ? 0 : kImmediate) | (synchronous ? kSynchronous : 0)});
}

void Records::Receives(int64_t peer, int64_t tag, int64_t bytes, int64_t comm,
                       Receive how) {
  if (IsNobody(peer)) return;
  if (tag == reduction::kTagAny) {
    if (how != Receive::kWait) NotExpressed("receives with any tag");
    return;
  }
  const Envelope envelope = EnvelopeOf(comm, tag);
  Record(kReceive, {peer == reduction::kPeerAny ? kAnySource : peer, kProcess,
                    bytes, envelope.tag, envelope.comm, int64_t(how)});
}

void Records::PointToPoint(const Event& e, const Request& made) {
  if (made.cancelled) return NotExpressed("cancelled receives");
  const int64_t comm = e.Get(Param::kComm);
  const bool starts = made.kind != Request::Kind::kNone;
  const bool both = e.Has(Param::kRecvPeer);
  const bool receives =
      reduction::MessageKindOf(e.call()) == reduction::MessageKind::kReceive;
  if (!receives) {
    Send(e.Get(Param::kPeer), e.Get(Param::kTag), SendBytes(e), comm,
         !starts && !both,
         reduction::SendModeOf(e.call()) == reduction::SendMode::kSynchronous);
  }
  if (receives || both) {
    Receives(starts ? made.peer : ReceivedFrom(e),
             starts ? made.tag : ReceivedTag(e), RecvBytes(e), comm,
             starts ? Receive::kStarts : Receive::kBlocking);
  }
}

void Records::Start(const Request& r) {
  if (r.cancelled) return NotExpressed("cancelled receives");
  if (r.kind == Request::Kind::kSend) {
    Send(r.peer, r.tag, r.bytes, r.comm, false, false);
  } else if (r.kind == Request::Kind::kReceive) {
    Receives(r.peer, r.tag, r.bytes, r.comm, Receive::kStarts);
  } else {
    NotExpressed("persistent collectives");
  }
}

// Nothing waits for a send in this format.
void Records::Complete(const reduction::RankWalk& walk) {
  for (const Request& r : walk.completed()) {
    if (r.cancelled) continue;
    if (r.kind == Request::Kind::kReceive || r.kind == Request::Kind::kBoth) {
      Receives(r.peer, r.tag, r.bytes, r.comm, Receive::kWait);
    } else if (r.kind == Request::Kind::kSend &&
               r.peer != reduction::kPeerNull) {
      NotExpressed("waits for sends");
    }
  }
}

void Records::Collective(const Event& e) {
  const GlobalOperation* operation = OperationOf(e.call());
  if (operation == nullptr) return NotExpressed("collectives without a form");
  const reduction::Communicator* comm = comms_.Of(rank_, e.Get(Param::kComm));
  if (comm == nullptr) return;  // MPI_COMM_SELF: nobody else
  if (comm->is_inter) return NotExpressed("collectives between two groups");
  if (operation->call != e.call()) {
    NotExpressed("non-blocking collectives (made blocking)");
  }
  int64_t root = 0;
  if (reduction::Info(e.call()).rooted) {
    const int64_t world = e.Get(Param::kRoot);
    // A reduction names its root, others say whether it is this one.
    root = operation->number == 10 ? world : (world == rank_ ? 1 : 0);
  }
  Record(kGlobal, {operation->number, comm->id + 1, root, 0, SendBytes(e),
                   RecvBytes(e), kAllWait});
}

void Records::Add(const reduction::RankWalk& walk) {
  ++conversion_->events;
  const Event& e = walk.event();
  const reduction::CallInfo& info = reduction::Info(e.call());
  Burst(walk.compute_ns());
  if (info.makes_comm || e.call() == Call::MPI_Comm_free_) {
    return NotExpressed("making and freeing communicators");
  }
  if (info.collective) return Collective(e);
  if (info.makes_persistent) {
    return NotExpressed("persistent requests (as started)");
  }
  if (!walk.started().empty()) {
    for (const Request& r : walk.started()) Start(r);
    return;
  }
  if (info.completes) return Complete(walk);
  if (info.family == reduction::Family::kEnvironment) return;
  // Probes name a peer, too, and send nothing.
  const bool probes = reduction::IsProbe(e.call());
  const bool sends = info.family == reduction::Family::kPointToPoint &&
                     e.Has(Param::kPeer) && !probes;
  if (sends) return PointToPoint(e, walk.made());
  if (e.call() == Call::MPI_Mrecv_ || e.call() == Call::MPI_Imrecv_) {
    return NotExpressed("matched receives");
  }
  NotExpressed(probes ? "probes" : "calls without a form");
}

}  // namespace ranksight::adapters::dimemas
