#include "adapters/dumpi/calls.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "adapters/dumpi/call_numbers.h"

namespace ranksight::adapters::dumpi {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Request;

int64_t NumberOf(const Request& r) {
  return r.number >= 0 ? kFirstRequest + r.number
                       : kFirstPersistent - 1 - r.number;
}

bool IsNobody(int64_t peer) {
  return peer == reduction::kPeerNull || peer == reduction::kNone;
}

int64_t Tag(int64_t tag) { return tag == reduction::kTagAny ? kAnyTag : tag; }

}  // namespace

// A split says who the members are, but has all of the parent's take part.
bool MakesHeld(Call call) {
  switch (call) {
    case Call::MPI_Comm_create_group_:
    case Call::MPI_Comm_create_from_group_:
    case Call::MPI_Intercomm_create_:
    case Call::MPI_Intercomm_create_from_groups_:
    case Call::MPI_Intercomm_merge_:
      return false;
    default:
      return reduction::Info(call).family != reduction::Family::kProcess;
  }
}

Calls::Calls(const reduction::Communicators& comms, const MessageTags* tags,
             bool all_comms, int64_t rank, RecordFile* file,
             Conversion* conversion)
    : comms_(comms),
      tags_(tags),
      all_comms_(all_comms),
      rank_(rank),
      file_(file),
      conversion_(conversion) {
  // Of the format's own types; pairs of a value and an int last.
  sizes_ = {0, 0,  1, 1, 1, 1, 4, 2, 2, 4,  4,  8, 8, 4,
            8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20};
}

int64_t Calls::Place(int64_t comm, int64_t world_rank) const {
  if (world_rank == reduction::kPeerAny) return kAnySource;
  if (world_rank == reduction::kPeerRoot) return kRoot;
  if (world_rank == reduction::kPeerNull) return kNoRank;
  if (comm == 0 || reduction::IsSpecial(world_rank)) return world_rank;
  const reduction::Communicator* known = comms_.Of(rank_, comm);
  if (known == nullptr) return 0;  // with itself
  const int64_t place = reduction::Communicators::PlaceIn(*known, world_rank);
  return known->id == 0 ? world_rank : place;
}

Calls::Envelope Calls::EnvelopeOf(int64_t comm, int64_t peer, int64_t tag) {
  if (HasComm(comm)) return {comm, Place(comm, peer), Tag(tag)};
  return {0, Place(0, peer), Tag(tags_->Of(rank_, comm, tag))};
}

bool Calls::IsVague(int64_t tag) const {
  return tag == reduction::kTagAny && !all_comms_;
}

int64_t Calls::ReceiveTag(const reduction::RankWalk& walk) {
  const Event& e = walk.event();
  const int64_t asked = e.Get(Param::kRecvTag, e.Get(Param::kTag));
  if (!IsVague(asked)) return asked;
  is_plain_ = false;  // the next one may match another
  return walk.made().kind != Request::Kind::kNone ? walk.made().tag
                                                  : ReceivedTag(e);
}

bool Calls::HasRequest(const Request& r) const {
  const bool receives = r.kind == Request::Kind::kReceive;
  return (r.kind == Request::Kind::kSend || receives) && !IsNobody(r.peer) &&
         !r.cancelled && !(receives && IsVague(r.tag));
}

int64_t Calls::Fit(int64_t amount) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (amount <= kMost) return amount;
  NotExpressed("counts and sizes above 2147483647 (written as that)");
  return kMost;
}

int64_t Calls::TypeOf(int64_t kind, int64_t size) {
  size = Fit(size);
  const int64_t number = NumberOfType(kind);
  if (number >= 0 && sizes_[size_t(number)] == size) return number;
  const auto [known, added] =
      type_of_size_.try_emplace(size, int64_t(sizes_.size()));
  if (added) sizes_.push_back(size);
  return known->second;
}

void Calls::Type(const Event& e, Side side) {
  const bool sends = side == Side::kSend || !e.Has(Param::kRecvTypeSize);
  const int64_t size =
      e.Get(sends ? Param::kTypeSize : Param::kRecvTypeSize, 0);
  const int64_t kind = e.Get(sends ? Param::kTypeKind : Param::kRecvTypeKind);
  file_->Short(size == 0 && kind == 0 ? kNoType : TypeOf(kind, size));
}

void Calls::Types(const Event& e, Side side) {
  const bool sends = side == Side::kSend;
  const auto kinds =
      e.GetArray(sends ? Param::kTypeKinds : Param::kRecvTypeKinds);
  const auto sizes =
      e.GetArray(sends ? Param::kTypeSizes : Param::kRecvTypeSizes);
  file_->Int(int64_t(sizes.size()));
  for (size_t i = 0; i < sizes.size(); ++i) {
    file_->Short(TypeOf(i < kinds.size() ? kinds[i] : 0, sizes[i]));
  }
}

void Calls::CountAndType(const Event& e, Side side) {
  const bool sends = side == Side::kSend || !e.Has(Param::kRecvCount);
  file_->Int(Fit(e.Get(sends ? Param::kCount : Param::kRecvCount)));
  Type(e, side);
}

// Without the request, which follows in some.
void Calls::Message(int number, const Event& e, Side side, int64_t peer,
                    int64_t tag) {
  Begin(number);
  CountAndType(e, side);
  const Envelope envelope = EnvelopeOf(e.Get(Param::kComm), peer, tag);
  file_->Int(envelope.peer);
  file_->Int(envelope.tag);
  Comm(envelope.comm);
}

void Calls::Probe(const reduction::RankWalk& walk) {
  const Event& e = walk.event();
  const int64_t tag = ReceiveTag(walk);
  if (IsVague(tag)) return NotExpressed("probes for any tag");
  const Envelope envelope =
      EnvelopeOf(e.Get(Param::kComm), e.Get(Param::kPeer), tag);
  Begin(kProbe);
  file_->Int(envelope.peer);
  file_->Int(envelope.tag);
  Comm(envelope.comm);
}

bool Calls::PointToPoint(const reduction::RankWalk& walk) {
  const Event& e = walk.event();
  const int number = dumpi::NumberOf(e.call());
  if (number < 0) return false;
  const int64_t peer = e.Get(Param::kPeer);
  if (peer == reduction::kPeerNull) return true;  // nothing goes anywhere
  if (peer == reduction::kNone) {
    NotExpressed("messages to processes outside the trace");
    return true;
  }
  const bool receives = walk.made().kind == Request::Kind::kReceive ||
                        BlockingMessage(e).kind == Request::Kind::kReceive;
  const int64_t tag = receives ? ReceiveTag(walk) : e.Get(Param::kTag);
  if (receives && IsVague(tag)) {
    NotExpressed("receives with any tag");
    return true;
  }
  Message(number, e, receives ? Side::kReceive : Side::kSend, peer, tag);
  if (walk.made().kind != Request::Kind::kNone) {
    file_->Int(NumberOf(walk.made()));
  }
  return true;
}

void Calls::SendAndReceive(const reduction::RankWalk& walk) {
  const Event& e = walk.event();
  const int64_t comm = e.Get(Param::kComm);
  const int64_t to = e.Get(Param::kPeer), from = e.Get(Param::kRecvPeer);
  const int64_t tag = e.Get(Param::kTag), rtag = ReceiveTag(walk);
  if (walk.made().kind != Request::Kind::kNone) {
    NotExpressed("MPI_Isendrecv (made blocking)");
  }
  const bool receives = !IsNobody(from) && !IsVague(rtag);
  if (IsVague(rtag)) NotExpressed("receives with any tag");
  if (from == reduction::kNone || to == reduction::kNone) {
    NotExpressed("messages to processes outside the trace");
  }
  // The format has no number for nobody: with nobody at one end what is left is
  // a plain message.
  if (!receives || IsNobody(to)) {
    if (!IsNobody(to)) Message(kSend, e, Side::kSend, to, tag);
    if (receives) Message(kRecv, e, Side::kReceive, from, rtag);
    return;
  }
  const bool replaces = !e.Has(Param::kRecvCount);
  Begin(replaces ? kSendrecvReplace : kSendrecv);
  const Envelope sent = EnvelopeOf(comm, to, tag);
  const Envelope received = EnvelopeOf(comm, from, rtag);
  CountAndType(e, Side::kSend);
  file_->Int(sent.peer);
  file_->Int(sent.tag);
  if (!replaces) CountAndType(e, Side::kReceive);
  file_->Int(received.peer);
  file_->Int(received.tag);
  Comm(sent.comm);
}

void Calls::Complete(const reduction::RankWalk& walk) {
  const Call call = walk.event().call();
  std::vector<int64_t>& done = requests_;
  done.clear();
  for (const Request& r : walk.completed()) {
    if (HasRequest(r)) done.push_back(NumberOf(r));
  }
  if (done.size() == 1 &&
      (call == Call::MPI_Wait_ || call == Call::MPI_Test_)) {
    Begin(kWait);
    file_->Int(done[0]);
    return;
  }
  // Calls that completed some of several are a wait for those: nothing else of
  // them lasts.
  Begin(kWaitall);
  file_->Int(int64_t(done.size()));
  file_->Ints(done);
}

// Of persistent requests only those under way: nobody waits for the others.
void Calls::Free(const reduction::RankWalk& walk) {
  for (const Request& r : walk.freed()) {
    if (!HasRequest(r)) continue;
    Begin(kRequestFree);
    file_->Int(NumberOf(r));
  }
}

void Calls::Start(const reduction::RankWalk& walk) {
  std::vector<int64_t> started;
  for (const Request& r : walk.started()) {
    if (r.cancelled) NotExpressed("cancelled receives");
    if (HasRequest(r)) started.push_back(NumberOf(r));
  }
  if (walk.event().call() == Call::MPI_Start_) {
    if (started.empty()) return;
    Begin(kStart);
    file_->Int(started[0]);
    return;
  }
  Begin(kStartall);
  file_->Int(int64_t(started.size()));
  file_->Ints(started);
}

// Each but a duplicate as a split, whose members are known.
void Calls::MakeComm(const reduction::RankWalk& walk) {
  const Event& e = walk.event();
  const int64_t parent = e.Get(Param::kComm), number = walk.new_comm();
  if (!MakesHeld(e.call()) || !HasComm(parent)) {
    if (number >= 0) absent_.insert(number);
    return NotExpressed("communicators that two groups or some members make");
  }
  if (e.call() == Call::MPI_Comm_dup_ || e.call() == Call::MPI_Comm_idup_ ||
      e.call() == Call::MPI_Comm_dup_with_info_) {
    Begin(kCommDup);
    Comm(parent);
    return Comm(number);
  }
  if (e.call() != Call::MPI_Comm_split_) {
    NotExpressed("communicators of several kinds (as splits)");
  }
  Begin(kCommSplit);
  Comm(parent);
  const reduction::Communicator* made =
      number < 0 ? nullptr : comms_.Of(rank_, number);
  const bool alone = number >= 0 && made == nullptr;
  const bool world = made != nullptr && made->id == 0;
  file_->Int(number < 0 ? kNoColour
                        : (alone ? rank_ : (world ? 0 : made->members[0])));
  file_->Int(number < 0 || alone ? 0 : Place(number, rank_));
  Comm(number < 0 ? kNullComm : number);
}

// The record of an event that was there before.
bool Calls::Again(const reduction::RankWalk& walk) {
  if (walk.form() >= records_.size() || records_[walk.form()].empty()) {
    return false;
  }
  file_->Repeat(records_[walk.form()], start_ns_, stop_ns_);
  if (walk.made().kind != Request::Kind::kNone) {
    file_->ReplaceLastInt(NumberOf(walk.made()));
  }
  return true;
}

void Calls::AddCommunication(const reduction::RankWalk& walk) {
  const Event& e = walk.event();
  const reduction::CallInfo& info = reduction::Info(e.call());
  bool held = false;
  if (info.collective) {
    held = Collective(e);
  } else if (e.Has(Param::kRecvPeer)) {
    SendAndReceive(walk);
    held = true;
  } else if (reduction::IsProbe(e.call())) {
    Probe(walk);
    held = true;
  } else if (info.family == reduction::Family::kPointToPoint) {
    held = PointToPoint(walk);
  }
  if (!held && info.family != reduction::Family::kEnvironment &&
      info.family != reduction::Family::kLocal) {
    NotExpressed("calls without a record");
  }
}

void Calls::Add(const reduction::RankWalk& walk) {
  ++conversion_->events;
  const Event& e = walk.event();
  const reduction::CallInfo& info = reduction::Info(e.call());
  if (!reduction::BeginsRun(e.call())) clock_ns_ += walk.compute_ns();
  start_ns_ = std::llround(clock_ns_);
  if (!reduction::BeginsRun(e.call())) clock_ns_ += walk.call_ns();
  stop_ns_ = std::llround(clock_ns_);
  if (walk.made().cancelled) return NotExpressed("cancelled receives");
  if (Again(walk)) return;
  if (e.call() == Call::MPI_Init_) {
    Begin(kInit);
    return file_->Int(0);  // no arguments
  }
  if (e.call() == Call::MPI_Finalize_) return Begin(kFinalize);
  if (e.call() == Call::MPI_Comm_free_) {
    if (!HasComm(e.Get(Param::kComm))) return;
    Begin(kCommFree);
    return Comm(e.Get(Param::kComm));
  }
  if (info.makes_comm) return MakeComm(walk);
  if (!walk.started().empty()) return Start(walk);
  if (info.completes) return Complete(walk);
  if (e.call() == Call::MPI_Request_free_) return Free(walk);
  begun_ = 0;
  is_plain_ = true;
  AddCommunication(walk);
  if (begun_ != 1 || !is_plain_ ||
      walk.form() == reduction::RankWalk::kNoForm) {
    return;
  }
  if (walk.form() >= records_.size()) records_.resize(walk.form() + 1);
  records_[walk.form()] = file_->record();
}

}  // namespace ranksight::adapters::dumpi
