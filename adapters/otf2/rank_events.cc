#include "adapters/otf2/rank_events.h"

#include <algorithm>
#include <string_view>

#include "adapters/otf2/collective_sizes.h"
#include "adapters/otf2/definitions.h"
#include "adapters/otf2/fields.h"
#include "adapters/text/read_line.h"
#include "reduction/api/canonical.h"
#include "reduction/api/message_kind.h"

namespace ranksight::adapters::otf2 {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;

// Of an intercommunicator the archive has the own group alone.
constexpr const char* kBetweenGroups = "records between two groups";

uint32_t Tag(int64_t tag) {
  return reduction::IsSpecial(tag) ? OTF2_UNDEFINED_UINT32 : uint32_t(tag);
}

OTF2_CollectiveOp OpOf(Call call) {
  switch (call) {
    case Call::MPI_Barrier_:
      return OTF2_COLLECTIVE_OP_BARRIER;
    case Call::MPI_Bcast_:
      return OTF2_COLLECTIVE_OP_BCAST;
    case Call::MPI_Gather_:
      return OTF2_COLLECTIVE_OP_GATHER;
    case Call::MPI_Gatherv_:
      return OTF2_COLLECTIVE_OP_GATHERV;
    case Call::MPI_Scatter_:
      return OTF2_COLLECTIVE_OP_SCATTER;
    case Call::MPI_Scatterv_:
      return OTF2_COLLECTIVE_OP_SCATTERV;
    case Call::MPI_Allgather_:
      return OTF2_COLLECTIVE_OP_ALLGATHER;
    case Call::MPI_Allgatherv_:
      return OTF2_COLLECTIVE_OP_ALLGATHERV;
    case Call::MPI_Alltoall_:
      return OTF2_COLLECTIVE_OP_ALLTOALL;
    case Call::MPI_Alltoallv_:
      return OTF2_COLLECTIVE_OP_ALLTOALLV;
    case Call::MPI_Alltoallw_:
      return OTF2_COLLECTIVE_OP_ALLTOALLW;
    case Call::MPI_Allreduce_:
      return OTF2_COLLECTIVE_OP_ALLREDUCE;
    case Call::MPI_Reduce_:
      return OTF2_COLLECTIVE_OP_REDUCE;
    case Call::MPI_Reduce_scatter_:
      return OTF2_COLLECTIVE_OP_REDUCE_SCATTER;
    case Call::MPI_Reduce_scatter_block_:
      return OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK;
    case Call::MPI_Scan_:
      return OTF2_COLLECTIVE_OP_SCAN;
    case Call::MPI_Exscan_:
      return OTF2_COLLECTIVE_OP_EXSCAN;
    default:
      return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
  }
}

uint64_t IdOf(const reduction::Request& r) { return uint64_t(r.number); }

}  // namespace

RankEvents::RankEvents(const reduction::Communicators& comms, int64_t rank,
                       OTF2_EvtWriter* writer, Conversion* conversion)
    : comms_(comms),
      rank_(rank),
      writer_(writer),
      conversion_(conversion),
      attributes_(OTF2_AttributeList_New()) {}

// The canonical text is taken apart, so that the two cannot disagree.
void RankEvents::ReadAttributes(const Event& e,
                                std::vector<Attribute>* attributes) {
  attributes->clear();
  text_.clear();
  AppendCanonicalText(e, &text_);
  size_t at = text_.find(' ');
  while (at < text_.size()) {
    const size_t end = std::min(text_.find(' ', at + 1), text_.size());
    const size_t equals = text_.find('=', at);
    const std::string_view name =
        std::string_view(text_).substr(at + 1, equals - at - 1);
    const auto field = std::find(kFields.begin(), kFields.end(), name);
    const std::string_view text =
        std::string_view(text_).substr(equals + 1, end - equals - 1);
    const bool tag = name == "tag" || name == "rtag";
    int64_t value = 0;
    // As many bytes as nobody knows; too large a number is for the reader to
    // say.
    if (!ReadValue(text, tag, &value) && text == "?") value = reduction::kNone;
    attributes->push_back({OTF2_AttributeRef(field - kFields.begin()), value});
    at = end;
  }
}

const std::vector<RankEvents::Attribute>& RankEvents::AttributesOf(
    const reduction::RankWalk& walk) {
  if (walk.form() == reduction::RankWalk::kNoForm) {
    ReadAttributes(walk.event(), &attributes_now_);
    return attributes_now_;
  }
  if (walk.form() >= attributes_of_form_.size()) {
    attributes_of_form_.resize(walk.form() + 1);
  }
  std::vector<Attribute>& known = attributes_of_form_[walk.form()];
  if (known.empty()) ReadAttributes(walk.event(), &known);
  return known;
}

void RankEvents::SetAttributes(const reduction::RankWalk& walk) {
  for (const auto& [field, value] : AttributesOf(walk)) {
    Check(OTF2_AttributeList_AddInt64(attributes_.get(), field, value));
  }
}

OTF2_CommRef RankEvents::CommOf(int64_t number) const {
  const reduction::Communicator* c = comms_.Of(rank_, number);
  return OTF2_CommRef(c == nullptr ? int64_t(comms_.all().size()) : c->id);
}

int64_t RankEvents::FindPlace(int64_t comm, int64_t rank) const {
  if (reduction::IsSpecial(comm) || reduction::IsSpecial(rank)) return -1;
  const reduction::Communicator* c = comms_.Of(rank_, comm);
  return c == nullptr ? 0 : reduction::Communicators::PlaceIn(*c, rank);
}

bool RankEvents::PlaceOf(int64_t comm, int64_t peer, uint32_t* place) {
  if (peer == reduction::kPeerNull) return false;
  const int64_t found = FindPlace(comm, peer);
  *place = uint32_t(found);
  if (found >= 0) return true;
  Omit(comm, reduction::IsSpecial(peer) ? "records of receives from any source"
                                        : kBetweenGroups);
  return false;
}

// A record on a communicator without a number is omitted for that.
void RankEvents::Omit(int64_t comm, const char* otherwise) {
  ++conversion_->not_expressed[reduction::IsSpecial(comm)
                                   ? "records on communicators that nobody "
                                     "saw being made"
                                   : otherwise];
}

bool RankEvents::RootOf(const Event& e, uint32_t* root) const {
  *root = OTF2_COLLECTIVE_ROOT_NONE;
  if (reduction::IsSpecial(e.Get(Param::kComm))) return false;
  if (!e.Has(Param::kRoot)) return true;
  const int64_t place = FindPlace(e.Get(Param::kComm), e.Get(Param::kRoot));
  *root = uint32_t(place);
  return place >= 0;
}

void RankEvents::Send(int64_t comm, int64_t to, int64_t tag, int64_t bytes) {
  uint32_t place;
  if (!PlaceOf(comm, to, &place)) return;
  Check(OTF2_EvtWriter_MpiSend(writer_, nullptr, now_ns(), place, CommOf(comm),
                               Tag(tag), uint64_t(bytes)));
}

void RankEvents::Receive(int64_t comm, int64_t from, int64_t tag,
                         int64_t bytes) {
  uint32_t place;
  if (!PlaceOf(comm, from, &place)) return;
  Check(OTF2_EvtWriter_MpiRecv(writer_, nullptr, now_ns(), place, CommOf(comm),
                               Tag(tag), uint64_t(bytes)));
}

void RankEvents::Started(const reduction::Request& r) {
  uint32_t place;
  const bool sends = r.kind == reduction::Request::Kind::kSend;
  const bool both = r.kind == reduction::Request::Kind::kBoth;
  if (sends || both) {
    if (PlaceOf(r.comm, both ? r.send_peer : r.peer, &place)) {
      // The send half of both has no request of its own in OTF2.
      const int64_t tag = both ? r.send_tag : r.tag;
      const int64_t bytes = both ? r.send_bytes : r.bytes;
      Check(both ? OTF2_EvtWriter_MpiSend(writer_, nullptr, now_ns(), place,
                                          CommOf(r.comm), Tag(tag),
                                          uint64_t(bytes))
                 : OTF2_EvtWriter_MpiIsend(writer_, nullptr, now_ns(), place,
                                           CommOf(r.comm), Tag(tag),
                                           uint64_t(bytes), IdOf(r)));
    }
  }
  if ((r.kind == reduction::Request::Kind::kReceive || both) &&
      r.peer != reduction::kPeerNull) {
    Check(OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, now_ns(), IdOf(r)));
  }
}

void RankEvents::Completed(const reduction::Request& r) {
  uint32_t place;
  if (r.kind == reduction::Request::Kind::kSend &&
      r.peer != reduction::kPeerNull) {
    Check(OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, now_ns(), IdOf(r)));
  } else if (r.cancelled) {
    Check(OTF2_EvtWriter_MpiRequestCancelled(writer_, nullptr, now_ns(),
                                             IdOf(r)));
  } else if (r.kind == reduction::Request::Kind::kReceive ||
             r.kind == reduction::Request::Kind::kBoth) {
    if (!PlaceOf(r.comm, r.peer, &place)) return;
    Check(OTF2_EvtWriter_MpiIrecv(writer_, nullptr, now_ns(), place,
                                  CommOf(r.comm), Tag(r.tag), uint64_t(r.bytes),
                                  IdOf(r)));
  }
}

void RankEvents::Collective(const Event& e) {
  const int64_t comm = e.Get(Param::kComm);
  uint32_t root;
  if (!RootOf(e, &root)) return;
  const reduction::Communicator* c = comms_.Of(rank_, comm);
  const int64_t place =
      c == nullptr ? 0 : reduction::Communicators::PlaceIn(*c, rank_);
  const CollectiveSizes sizes =
      RecordedSizes(e, comms_.Size(rank_, comm), place,
                    e.Has(Param::kRoot) && e.Get(Param::kRoot) == rank_);
  Check(OTF2_EvtWriter_MpiCollectiveEnd(
      writer_, nullptr, now_ns(), OpOf(e.call()), CommOf(comm), root,
      uint64_t(sizes.sent), uint64_t(sizes.received)));
}

void RankEvents::Begin(const reduction::RankWalk& walk) {
  const Event& e = walk.event();
  const reduction::CallInfo& info = reduction::Info(e.call());
  if (info.collective && !info.makes_request) {
    // Between two groups the archive cannot name the root at the end, and a
    // beginning alone would be wrong.
    uint32_t root;
    if (RootOf(e, &root)) {
      Check(OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, now_ns()));
    } else {
      Omit(e.Get(Param::kComm), kBetweenGroups);
    }
    return;
  }
  if (info.makes_request &&
      walk.made().kind != reduction::Request::Kind::kOther) {
    Started(walk.made());
  }
  for (const reduction::Request& r : walk.started()) Started(r);
  if (info.family == reduction::Family::kOneSided) {
    ++conversion_->not_expressed["records of one-sided calls"];
  }
  const reduction::MessageKind kind = reduction::MessageKindOf(e.call());
  const bool sends = kind == reduction::MessageKind::kSend ||
                     kind == reduction::MessageKind::kBoth;
  if (sends && !info.makes_request && !info.makes_persistent) {
    Send(e.Get(Param::kComm), e.Get(Param::kPeer), e.Get(Param::kTag),
         SendBytes(e));
  }
}

void RankEvents::End(const reduction::RankWalk& walk) {
  const Event& e = walk.event();
  const reduction::CallInfo& info = reduction::Info(e.call());
  if (info.makes_request || info.makes_persistent) return;
  if (info.collective) return Collective(e);
  for (const reduction::Request& r : walk.completed()) Completed(r);
  if (e.Has(Param::kRecvPeer)) {
    Receive(e.Get(Param::kComm), ReceivedFrom(e), ReceivedTag(e), RecvBytes(e));
  } else if (e.call() == Call::MPI_Recv_) {
    Receive(e.Get(Param::kComm), ReceivedFrom(e), ReceivedTag(e), RecvBytes(e));
  }
}

void RankEvents::Add(const reduction::RankWalk& walk) {
  ++conversion_->events;
  const OTF2_RegionRef region = RegionOf(walk.event().call());
  now_ns_ += walk.compute_ns();
  SetAttributes(walk);
  Check(OTF2_EvtWriter_Enter(writer_, attributes_.get(), now_ns(), region));
  Begin(walk);
  now_ns_ += walk.call_ns();
  End(walk);
  Check(OTF2_EvtWriter_Leave(writer_, nullptr, now_ns(), region));
}

}  // namespace ranksight::adapters::otf2
