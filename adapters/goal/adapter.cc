// GOAL, the group operation assembly language of LogGOPSim (text form, for
// its txt2bin): for each rank a graph of computations, sends and receives.
#include "adapters/api/adapter.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "adapters/base/output_file.h"
#include "reduction/api/communicators.h"
#include "reduction/api/messages.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::adapters {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Status;
using reduction::Trace;

// Tags of messages that stand for collectives lie above those of programs.
constexpr int64_t kCollectiveTags = 10000000;

class RankGraph {
 public:
  RankGraph(const reduction::Communicators& comms, int64_t rank,
            OutputFile* file, Conversion* conversion)
      : comms_(comms), rank_(rank), file_(file), conversion_(conversion) {}

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
    if (info.makes_persistent || !e.Has(Param::kPeer)) {
      return;
    }
    if (IsProbe(e.call())) {
      ++conversion_->not_expressed["probes"];
      return;
    }
    PointToPoint(e, walk);
  }

 private:
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
  bool Exists(int64_t peer) const { return !reduction::IsSpecial(peer); }

  void Start(const reduction::Request& r) {
    if (!Exists(r.peer)) return Skip(r.peer);
    const bool sends = r.kind == reduction::Request::Kind::kSend;
    Started(Message(sends, r.peer, r.tag, r.bytes));
    open_[r.number].push_back(last_);
  }
  void Skip(int64_t peer) {
    if (peer != reduction::kPeerNull) {
      ++conversion_->not_expressed["receives from any source"];
    }
  }
  void PointToPoint(const Event& e, const reduction::RankWalk& walk) {
    const reduction::Request& made = walk.made();
    if (e.Has(Param::kRecvPeer)) {
      const int64_t to = e.Get(Param::kPeer), from = e.Get(Param::kRecvPeer);
      std::vector<int64_t> both;
      if (Exists(to)) {
        Started(Message(true, to, e.Get(Param::kTag), SendBytes(e)));
        both.push_back(last_);
      }
      if (Exists(from)) {
        Started(Message(false, from, e.Get(Param::kRecvTag), RecvBytes(e)));
        both.push_back(last_);
      } else {
        Skip(from);
      }
      if (made.kind != reduction::Request::Kind::kNone) {
        open_[made.number] = std::move(both);
      } else {
        WaitFor(both);
      }
      return;
    }
    if (made.kind != reduction::Request::Kind::kNone) return Start(made);
    const bool receives = e.call() == Call::MPI_Recv_;
    const int64_t peer = e.Get(Param::kPeer);
    if (!Exists(peer)) {
      const int64_t matched = receives ? ReceivedFrom(e) : peer;
      if (!Exists(matched)) return Skip(peer);
      Behind(Message(false, matched, ReceivedTag(e), RecvBytes(e)));
      return;
    }
    Behind(Message(!receives, peer, e.Get(Param::kTag),
                   receives ? RecvBytes(e) : SendBytes(e)));
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
    std::vector<int64_t> labels;
    for (const reduction::Request& r : walk.completed()) {
      const auto it = open_.find(r.number);
      if (it == open_.end()) continue;
      labels.insert(labels.end(), it->second.begin(), it->second.end());
      open_.erase(it);
    }
    WaitFor(labels);
  }
  void Collective(const Event& e, const reduction::RankWalk& walk) {
    const reduction::Communicator* comm = comms_.Of(rank_, e.Get(Param::kComm));
    if (comm == nullptr) return;
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
      std::vector<int64_t> round;
      for (end = begin; end < messages_.size() &&
                        messages_[end].round == messages_[begin].round;
           ++end) {
        const reduction::Message& m = messages_[end];
        const int64_t peer =
            comm->id == 0 ? m.peer : comm->members[size_t(m.peer)];
        Started(Message(m.sends, peer, kCollectiveTags + comm->id, m.bytes));
        round.push_back(last_);
      }
      WaitFor(round);
    }
  }

  const reduction::Communicators& comms_;
  const int64_t rank_;
  OutputFile* file_;
  Conversion* conversion_;
  int64_t labels_ = 0, last_ = 0;
  bool last_is_started_ = false;
  std::unordered_map<int64_t, std::vector<int64_t>> open_;
  std::vector<reduction::Message> messages_;
};

Status Write(std::span<const Trace> traces, const std::string& out,
             Conversion* conversion) {
  const Trace& trace = traces[0];
  auto comms = reduction::Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  OutputFile file(out);
  file.Write("num_ranks " + std::to_string(trace.meta.ranks) + "\n");
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    file.Write("\nrank " + std::to_string(rank) + " {\n");
    auto walk = reduction::RankWalk::Open(trace, rank);
    if (!walk.ok()) return walk.status();
    RankGraph graph(*comms, rank, &file, conversion);
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
          "Collectives and communicators: they become messages in textbook "
          "algorithms, tags above 10000000. Receives from any source are left "
          "out unless the trace holds what they matched. Non-blocking "
          "collectives block. Probes and cancels are left out. Computation "
          "has its mean, the same on every rank.",
      .write = &Write};
  return adapter;
}

}  // namespace ranksight::adapters
