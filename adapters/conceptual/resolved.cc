#include "adapters/conceptual/resolved.h"

#include <fmt/core.h>

#include <memory>
#include <unordered_map>
#include <utility>

#include "adapters/base/message_tags.h"
#include "adapters/conceptual/collectives.h"
#include "adapters/conceptual/rank_record.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::adapters::conceptual {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Node;
using reduction::Param;
using reduction::RankWalk;
using reduction::Request;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

Item TreeOf(const Node& node) {
  Item item;
  item.node = &node;
  item.trips = node.trips;
  for (const Node& child : node.children) {
    if (!child.trips.empty()) item.children.push_back(TreeOf(child));
  }
  return item;
}

using Records = std::unordered_map<const Node*, std::unique_ptr<Record>>;

void AddRecords(Item* item, Records* records) {
  if (item->node->is_event()) {
    records->emplace(item->node, std::make_unique<Record>(item));
  }
  for (Item& child : item->children) AddRecords(&child, records);
}

// One rank's walk.
class RankResolver {
 public:
  RankResolver(const reduction::Communicators& comms, const MessageTags* tags,
               int64_t rank, Records* records, std::set<std::string>* notes)
      : comms_(comms),
        tags_(tags),
        rank_(rank),
        records_(records),
        notes_(notes) {}

  Status Add(const RankWalk& walk) {
    const Event& e = walk.event();
    const reduction::CallInfo& info = reduction::Info(e.call());
    Record& record = *records_->at(&walk.node());
    record.Begin(after_);
    after_ = e.site;
    Status status = Classify(e, info, walk, &record);
    record.End();
    return status;
  }

  Status Finish() {
    if (!unmatched_.empty()) {
      return Status::No(
          "the trace does not hold what a receive from any source matched");
    }
    return Status::Ok();
  }

 private:
  struct RecordedHalf {
    Record* record;
    Record::HalfIndex at;
  };

  Status Classify(const Event& e, const reduction::CallInfo& info,
                  const RankWalk& walk, Record* record) {
    if (info.makes_comm || e.call() == Call::MPI_Comm_free_) {
      notes_->insert("making and freeing communicators is left out");
      return Status::Ok();
    }
    if (info.collective) return Collective(e, info, record);
    if (e.call() == Call::MPI_Finalize_) {
      record->SetAwaits(begun_ > 0);
      begun_ = 0;
      return Status::Ok();
    }
    if (info.makes_persistent) return Persistent(e);
    if (!walk.started().empty()) {
      for (const Request& r : walk.started()) Start(r, record);
      return Status::Ok();
    }
    if (info.completes || e.call() == Call::MPI_Test_) {
      return Complete(e, walk, record);
    }
    if (e.call() == Call::MPI_Request_free_) {
      for (const Request& r : walk.freed()) open_ -= Counts(r);
      return Status::Ok();
    }
    if (reduction::IsProbe(e.call())) {
      notes_->insert("probes are left out");
      return Status::Ok();
    }
    if (info.family == reduction::Family::kPointToPoint &&
        e.Has(Param::kPeer)) {
      return PointToPoint(e, info, walk, record);
    }
    if (info.family == reduction::Family::kLocal ||
        info.family == reduction::Family::kEnvironment ||
        e.call() == Call::MPI_Start_ || e.call() == Call::MPI_Startall_) {
      if (info.family == reduction::Family::kLocal) {
        notes_->insert(std::string(info.name) + " is left out");
      }
      return Status::Ok();
    }
    return Status::No(std::string(info.name) + " has no form in coNCePTuaL");
  }

  Status Collective(const Event& e, const reduction::CallInfo& info,
                    Record* record) {
    const reduction::Communicator* comm = comms_.Of(rank_, e.Get(Param::kComm));
    if (PatternOf(e.call()) == Pattern::kNone) {
      return Status::No(std::string(info.name) + " has no form in coNCePTuaL");
    }
    if (info.makes_request) {
      notes_->insert("collectives that do not block happen where they start");
    }
    if (comm == nullptr) {
      record->SetCollective(-1, rank_, 0);
      return Status::Ok();
    }
    const int64_t root = info.rooted ? e.Get(Param::kRoot) : 0;
    if (comm->is_inter) {
      return Status::No(std::string(info.name) +
                        " between two groups has no form in coNCePTuaL");
    }
    record->SetCollective(
        comm->id, root,
        AmountOf(e, comms_.Size(rank_, e.Get(Param::kComm)), root == rank_));
    return Status::Ok();
  }

  Status Persistent(const Event& e) {
    if (e.Get(Param::kPeer) == reduction::kPeerAny ||
        e.Get(Param::kTag) == reduction::kTagAny) {
      return Status::No(
          "a persistent receive from any source has no form in coNCePTuaL");
    }
    return Status::Ok();
  }

  void Start(const Request& r, Record* record) {
    const bool sends = r.kind == Request::Kind::kSend;
    const int64_t tag = tags_->Of(rank_, r.comm, r.tag);
    record->AddHalf(sends, false, r.peer, tag, r.bytes);
    Begun(r.peer);
    open_ += Counts(r);
  }

  void Begun(int64_t peer) {
    if (peer != reduction::kPeerNull) ++begun_;
  }

  // Nothing is waited for that the program did not wait for there.
  void Await(Record* record) {
    const bool all = open_ == 0 && begun_ > 0;
    record->SetAwaits(all);
    if (all) begun_ = 0;
  }

  Status Complete(const Event& e, const RankWalk& walk, Record* record) {
    const auto sources = e.GetArray(Param::kMatched);
    const auto tags = e.GetArray(Param::kMatchedTags);
    size_t next = 0;
    for (const Request& r : walk.completed()) {
      open_ -= Counts(r);
      const auto it = unmatched_.find(r.number);
      if (it == unmatched_.end()) continue;
      if (next >= sources.size() || next >= tags.size() ||
          sources[next] == reduction::kNone) {
        return Finish();
      }
      it->second.record->SetPeer(it->second.at, sources[next],
                                 tags_->Of(rank_, r.comm, tags[next]));
      unmatched_.erase(it);
      ++next;
    }
    if (begun_ > 0 && open_ > 0) {
      notes_->insert(
          "waits for some of several requests wait where all are complete");
    }
    Await(record);
    return Status::Ok();
  }

  // Whether a request stands for a message.
  static bool Counts(const Request& r) {
    if (r.kind == Request::Kind::kOther) return false;
    const bool received = r.peer != reduction::kPeerNull;
    return r.kind == Request::Kind::kBoth
               ? received || r.send_peer != reduction::kPeerNull
               : received;
  }

  Status PointToPoint(const Event& e, const reduction::CallInfo& info,
                      const RankWalk& walk, Record* record) {
    const auto tag_of = [&](int64_t tag) {
      return tags_->Of(rank_, e.Get(Param::kComm), tag);
    };
    const int64_t peer = e.Get(Param::kPeer), tag = tag_of(e.Get(Param::kTag));
    if (e.call() == Call::MPI_Recv_) {
      return Receive(ReceivedFrom(e), tag_of(ReceivedTag(e)), RecvBytes(e),
                     true, record);
    }
    const bool waits = !info.makes_request;
    if (e.Has(Param::kRecvPeer)) {
      record->AddHalf(true, false, peer, tag, SendBytes(e));
      Begun(peer);
      Status s = Receive(ReceivedFrom(e), tag_of(ReceivedTag(e)), RecvBytes(e),
                         waits, record);
      if (!s.ok()) return s;
      if (waits) {
        Await(record);
      } else {
        open_ += Counts(walk.made());
      }
      return Status::Ok();
    }
    if (waits) {
      record->AddHalf(true, true, peer, tag, SendBytes(e));
      return Status::Ok();
    }
    if (walk.made().kind == Request::Kind::kSend) {
      record->AddHalf(true, false, peer, tag, SendBytes(e));
    } else {
      const auto at = record->AddHalf(false, false, peer, tag, RecvBytes(e));
      if (peer == reduction::kPeerAny || tag == reduction::kTagAny) {
        unmatched_.insert({walk.made().number, {record, at}});
      }
    }
    Begun(peer);
    open_ += Counts(walk.made());
    return Status::Ok();
  }

  Status Receive(int64_t peer, int64_t tag, int64_t bytes, bool waits,
                 Record* record) {
    if (peer == reduction::kPeerAny ||
        (tag == reduction::kTagAny && peer != reduction::kPeerNull)) {
      return Status::No(
          "the trace does not hold what a receive from any source matched");
    }
    record->AddHalf(false, waits, peer, tag, bytes);
    if (!waits) Begun(peer);
    return Status::Ok();
  }

  const reduction::Communicators& comms_;
  const MessageTags* tags_;
  const int64_t rank_;
  Records* records_;
  std::set<std::string>* notes_;
  int64_t open_ = 0;   // requests that the program has not seen complete
  int64_t begun_ = 0;  // messages begun and not awaited
  reduction::Predecessor after_ = reduction::kNoPredecessor;
  std::unordered_map<int64_t, RecordedHalf> unmatched_;
};

}  // namespace

Result<Resolved> Resolve(const Trace& trace,
                         const reduction::Communicators& comms) {
  auto tags = MessageTags::Find(trace, comms);
  if (!tags.ok()) return tags.status();
  Resolved resolved;
  resolved.root = TreeOf(trace.root);
  Records records;
  AddRecords(&resolved.root, &records);
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto walk = RankWalk::Open(trace, rank);
    if (!walk.ok()) return walk.status();
    RankResolver resolver(comms, &*tags, rank, &records, &resolved.notes);
    while (walk->Next()) {
      if (Status s = resolver.Add(*walk); !s.ok()) return s;
    }
    if (!walk->status().ok()) return walk->status();
    if (Status s = resolver.Finish(); !s.ok()) return s;
    // Rank by rank, so that the values of no more than one are held as they
    // came.
    for (auto& [node, record] : records) record->Flush(rank);
  }
  return resolved;
}

}  // namespace ranksight::adapters::conceptual
