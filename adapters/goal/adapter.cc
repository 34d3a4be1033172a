// GOAL, the group operation assembly language of LogGOPSim (text form, for
// its txt2bin): for each rank a graph of computations, sends and receives.
#include "adapters/api/adapter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "adapters/base/message_tags.h"
#include "adapters/base/output_file.h"
#include "reduction/api/communicators.h"
#include "reduction/api/message_kind.h"
#include "reduction/api/messages.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::adapters {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Status;
using reduction::Trace;

// Labels of messages under way, by the number of their request.
class OpenMessages {
 public:
  // farthest: requests back that a call may refer to.
  explicit OpenMessages(uint64_t farthest) : ring_(std::bit_ceil(farthest)) {}

  // second: 0 where the request stands for one message.
  void Begin(int64_t request, int64_t first, int64_t second = 0) {
    At(request) = {request, first, second};
  }
  void End(int64_t request, std::vector<int64_t>* labels) {
    Open& open = At(request);
    if (open.request != request || open.first == 0) return;
    labels->push_back(open.first);
    if (open.second != 0) labels->push_back(open.second);
    open = Open();
  }

 private:
  struct Open {
    int64_t request = 0, first = 0, second = 0;
  };
  Open& At(int64_t request) {
    if (request >= 0) return ring_[size_t(request) & (ring_.size() - 1)];
    const auto persistent = size_t(-1 - request);
    if (persistent >= persistent_.size()) persistent_.resize(persistent + 1);
    return persistent_[persistent];
  }
  std::vector<Open> ring_, persistent_;
};

class RankGraph {
 public:
  RankGraph(const reduction::Communicators& comms, MessageTags* tags,
            int64_t rank, uint64_t farthest_request, OutputFile* file,
            Conversion* conversion)
      : comms_(comms),
        tags_(tags),
        rank_(rank),
        file_(file),
        conversion_(conversion),
        open_(farthest_request) {}

  void Add(const reduction::RankWalk& walk) {
    ++conversion_->events;
    const Event& e = walk.event();
    const reduction::CallInfo& info = reduction::Info(e.call());
    if (const auto ns = int64_t(std::llround(walk.compute_ns())); ns > 0) {
      Behind(Vertex("calc ", ns));
    }
    if (info.makes_comm || e.call() == Call::MPI_Comm_free_) {
      ++conversion_->not_expressed["making and freeing communicators"];
      return;
    }
    if (info.collective) return Collective(e, walk);
    if (!walk.started().empty()) {
      for (const reduction::Request& r : walk.started()) Start(r);
      return;
    }
    if (info.completes) return Complete(walk);
    if (info.makes_persistent) return;
    if (e.Has(Param::kPeer) &&
        reduction::MessageKindOf(e.call()) != reduction::MessageKind::kNone) {
      return PointToPoint(e, walk);
    }
    LeftOut(info);
  }

 private:
  // Of calls that make neither messages nor computation here.
  void LeftOut(const reduction::CallInfo& info) {
    using reduction::Family;
    if (reduction::IsProbe(info.call)) {
      ++conversion_->not_expressed["probes"];
    } else if (info.call == Call::MPI_Mrecv_ ||
               info.call == Call::MPI_Imrecv_) {
      ++conversion_->not_expressed["matched receives"];
    } else if (info.family != Family::kEnvironment &&
               info.family != Family::kLocal &&
               info.call != Call::MPI_Request_free_) {
      ++conversion_->not_expressed["calls without a form"];
    }
  }
  int64_t Vertex(std::string_view what, int64_t amount) {
    const int64_t label = ++labels_;
    file_->Write('l');
    file_->WriteNumber(label);
    file_->Write(": ");
    file_->Write(what);
    file_->WriteNumber(amount);
    file_->Write('\n');
    return label;
  }
  int64_t Message(bool sends, int64_t peer, int64_t tag, int64_t bytes) {
    const int64_t label = ++labels_;
    file_->Write('l');
    file_->WriteNumber(label);
    file_->Write(sends ? ": send " : ": recv ");
    file_->WriteNumber(bytes);
    file_->Write(sends ? "b to " : "b from ");
    file_->WriteNumber(peer);
    file_->Write(" tag ");
    file_->WriteNumber(tag);
    file_->Write('\n');
    return label;
  }
  void Requires(int64_t label, int64_t before, bool started_only = false) {
    if (before == 0) return;
    file_->Write('l');
    file_->WriteNumber(label);
    file_->Write(started_only ? " irequires l" : " requires l");
    file_->WriteNumber(before);
    file_->Write('\n');
  }
  // Program order: behind what the rank did last.
  void Behind(int64_t label) {
    Requires(label, last_, last_is_started_);
    last_ = label;
    last_is_started_ = false;
  }
  // The rank goes on when this has started.
  void Started(int64_t label) {
    Behind(label);
    last_is_started_ = true;
  }
  // What goes to processes outside the trace is counted.
  bool IsNobody(int64_t peer) {
    if (peer == reduction::kNone) {
      ++conversion_->not_expressed["messages to processes outside the trace"];
    }
    return peer == reduction::kPeerNull || peer == reduction::kNone;
  }
  // Whether there is a receive to write; what is not known is counted.
  bool IsKnown(int64_t from, int64_t tag) {
    if (IsNobody(from)) return false;
    if (from == reduction::kPeerAny) {
      ++conversion_->not_expressed["receives from any source"];
    } else if (tag == reduction::kTagAny) {
      ++conversion_->not_expressed["receives with any tag"];
    }
    return from != reduction::kPeerAny && tag != reduction::kTagAny;
  }

  int64_t TagOn(const Event& e, int64_t tag) {
    return tags_->Of(rank_, e.Get(Param::kComm), tag);
  }

  void Start(const reduction::Request& r) {
    if (r.kind == reduction::Request::Kind::kOther) {
      ++conversion_->not_expressed["persistent collectives"];
    }
    if (r.cancelled) {
      ++conversion_->not_expressed["cancelled receives"];
      return;
    }
    const bool sends = r.kind == reduction::Request::Kind::kSend;
    if (sends ? IsNobody(r.peer) : !IsKnown(r.peer, r.tag)) return;
    const int64_t tag = tags_->Of(rank_, r.comm, r.tag);
    Started(Message(sends, r.peer, tag, r.bytes));
    open_.Begin(r.number, last_);
  }
  void SendAndReceive(const Event& e, const reduction::Request& made) {
    const bool starts = made.kind != reduction::Request::Kind::kNone;
    const int64_t to = e.Get(Param::kPeer);
    const int64_t from = starts ? made.peer : ReceivedFrom(e);
    const int64_t tag = starts ? made.tag : ReceivedTag(e);
    std::vector<int64_t>& both = labels_now_;
    both.clear();
    if (!IsNobody(to)) {
      Started(Message(true, to, TagOn(e, e.Get(Param::kTag)), SendBytes(e)));
      both.push_back(last_);
    }
    if (IsKnown(from, tag)) {
      Started(Message(false, from, TagOn(e, tag), RecvBytes(e)));
      both.push_back(last_);
    }
    if (!starts) return WaitFor(both);
    if (both.empty()) return;
    open_.Begin(made.number, both.front(), both.size() > 1 ? both.back() : 0);
  }
  void PointToPoint(const Event& e, const reduction::RankWalk& walk) {
    const reduction::Request& made = walk.made();
    if (e.Has(Param::kRecvPeer)) return SendAndReceive(e, made);
    if (made.kind != reduction::Request::Kind::kNone) return Start(made);
    if (e.call() == Call::MPI_Recv_) {
      const int64_t from = ReceivedFrom(e), tag = ReceivedTag(e);
      if (IsKnown(from, tag)) {
        Behind(Message(false, from, TagOn(e, tag), RecvBytes(e)));
      }
    } else if (!IsNobody(e.Get(Param::kPeer))) {
      const int64_t tag = TagOn(e, e.Get(Param::kTag));
      Behind(Message(true, e.Get(Param::kPeer), tag, SendBytes(e)));
    }
  }
  void WaitFor(const std::vector<int64_t>& labels) {
    if (labels.empty()) return;
    const int64_t wait = Vertex("calc ", 0);
    for (const int64_t label : labels) {
      if (label != last_ || last_is_started_) Requires(wait, label);
    }
    Behind(wait);
  }
  void Complete(const reduction::RankWalk& walk) {
    labels_now_.clear();
    for (const reduction::Request& r : walk.completed()) {
      open_.End(r.number, &labels_now_);
    }
    WaitFor(labels_now_);
  }
  void Collective(const Event& e, const reduction::RankWalk& walk) {
    const reduction::Communicator* comm = comms_.Of(rank_, e.Get(Param::kComm));
    if (comm == nullptr) return;
    if (comm->is_inter) {
      ++conversion_->not_expressed["collectives between two groups"];
      return;
    }
    const int64_t size = comms_.Size(rank_, e.Get(Param::kComm));
    const int64_t root =
        reduction::Communicators::PlaceIn(*comm, e.Get(Param::kRoot));
    if (!reduction::MessagesOf(e,
                               reduction::Communicators::PlaceIn(*comm, rank_),
                               size, root, &messages_)) {
      ++conversion_->not_expressed["collectives without a form"];
      return;
    }
    if (walk.made().kind != reduction::Request::Kind::kNone) {
      ++conversion_->not_expressed["non-blocking collectives (made blocking)"];
    }
    for (size_t begin = 0, end; begin < messages_.size(); begin = end) {
      std::vector<int64_t>& round = labels_now_;
      round.clear();
      for (end = begin; end < messages_.size() &&
                        messages_[end].round == messages_[begin].round;
           ++end) {
        const reduction::Message& m = messages_[end];
        const int64_t peer =
            comm->id == 0 ? m.peer : comm->members[size_t(m.peer)];
        Started(Message(m.sends, peer, tags_->OfCollective(*comm), m.bytes));
        round.push_back(last_);
      }
      WaitFor(round);
    }
  }

  const reduction::Communicators& comms_;
  MessageTags* tags_;
  const int64_t rank_;
  OutputFile* file_;
  Conversion* conversion_;
  int64_t labels_ = 0, last_ = 0;
  bool last_is_started_ = false;
  OpenMessages open_;
  std::vector<int64_t> labels_now_;  // of the event at hand
  std::vector<reduction::Message> messages_;
};

Status WriteGoal(std::span<const Trace> traces, const std::string& out,
                 Conversion* conversion) {
  const Trace& trace = traces[0];
  auto comms = reduction::Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  auto tags = MessageTags::Find(trace, *comms);
  if (!tags.ok()) return tags.status();
  const uint64_t farthest = reduction::FarthestRequest(trace);
  OutputFile file(out);
  file.Write("num_ranks " + std::to_string(trace.meta.ranks) + "\n");
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    file.Write("\nrank " + std::to_string(rank) + " {\n");
    auto walk = reduction::RankWalk::OpenAhead(trace, rank);
    if (!walk.ok()) return walk.status();
    RankGraph graph(*comms, &*tags, rank, farthest, &file, conversion);
    while (walk->Next()) graph.Add(*walk);
    if (!walk->status().ok()) return walk->status();
    file.Write("}\n");
  }
  conversion->files = 1;
  return file.Commit();
}

}  // namespace

const Adapter& GoalAdapter() {
  static const Adapter adapter = {
      .name = "goal",
      .what = "GOAL text for LogGOPSim's txt2bin and ATLAHS",
      .cannot =
          "Collectives and communicators: collectives become messages in "
          "textbook algorithms, with tags from 10000000 on, as have messages "
          "outside the world where theirs are in use already. Receives from "
          "any source or with any tag are left out unless the trace holds "
          "what they matched. Non-blocking collectives block. Probes, "
          "matched receives, persistent collectives, one-sided calls and "
          "files are left out, as are receives that were cancelled. "
          "Computation has its mean, the same on every rank.",
      .write = &WriteGoal};
  return adapter;
}

}  // namespace ranksight::adapters
