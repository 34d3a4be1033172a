#include "online_model/walk/program.h"

#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "online_model/walk/rooted.h"
#include "reduction/api/communicators.h"
#include "reduction/api/fnv.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Communicators;
using reduction::Event;
using reduction::Family;
using reduction::Param;
using reduction::RankWalk;
using reduction::Request;
using reduction::Result;
using reduction::Status;

struct Form {
  Call call;
  CollectiveForm form;
};
constexpr Form kForms[] = {
    {Call::MPI_Barrier_, CollectiveForm::kTree},
    {Call::MPI_Allreduce_, CollectiveForm::kTree},
    {Call::MPI_Scan_, CollectiveForm::kTree},
    {Call::MPI_Exscan_, CollectiveForm::kTree},
    {Call::MPI_Bcast_, CollectiveForm::kTreeDown},
    {Call::MPI_Reduce_, CollectiveForm::kTreeUp},
    {Call::MPI_Allgather_, CollectiveForm::kAllgather},
    {Call::MPI_Allgatherv_, CollectiveForm::kAllgather},
    {Call::MPI_Alltoall_, CollectiveForm::kAlltoall},
    {Call::MPI_Alltoallv_, CollectiveForm::kAlltoall},
    {Call::MPI_Alltoallw_, CollectiveForm::kAlltoall},
    {Call::MPI_Reduce_scatter_, CollectiveForm::kAlltoall},
    {Call::MPI_Reduce_scatter_block_, CollectiveForm::kAlltoall},
    {Call::MPI_Scatter_, CollectiveForm::kFanOut},
    {Call::MPI_Scatterv_, CollectiveForm::kFanOut},
    {Call::MPI_Gather_, CollectiveForm::kFanIn},
    {Call::MPI_Gatherv_, CollectiveForm::kFanIn},
};

// Whether the call is a collective that waits; its form then in *form.
bool FormOf(const reduction::CallInfo& info, CollectiveForm* form) {
  if (info.call == Call::MPI_Comm_create_group_) return false;
  if (info.makes_comm) {
    *form = CollectiveForm::kMakesComm;
    return true;
  }
  if (!info.collective) return false;
  const Call blocking = reduction::BlockingForm(info.call);
  for (const Form& f : kForms) {
    if (f.call == blocking) {
      *form = f.form;
      return true;
    }
  }
  return false;
}

// Bytes that one member moves altogether.
double BytesOf(const Event& e, CollectiveForm form, int64_t size) {
  const double sent = double(ShareBytes(e)), received = double(RecvBytes(e));
  const double members = double(size);
  switch (form) {
    case CollectiveForm::kAllgather:
      return e.Has(Param::kRecvCounts) ? received : received * members;
    case CollectiveForm::kAlltoall:
      // Lists are sums already; one count is for each member.
      if (e.Has(Param::kCounts)) return sent > 0 ? sent : received;
      return (sent > 0 ? sent : received) * members;
    case CollectiveForm::kFanOut:
    case CollectiveForm::kFanIn:
      if (e.Has(Param::kCounts)) return sent > 0 ? sent : received * members;
      if (e.Has(Param::kRecvCounts)) {
        return received > 0 ? received : sent * members;
      }
      return std::max(sent, received) * members;
    case CollectiveForm::kMakesComm:
      return 0;
    default:
      return sent;
  }
}

uint64_t HashOf(const Event& e) {
  reduction::Fnv hash;
  for (const int64_t v : e.values()) hash.Add(uint64_t(v));
  return hash.value();
}

// One rank's calls to operations.
class Compiler {
 public:
  Compiler(const reduction::Trace& trace, const Communicators& comms,
           const std::function<uint32_t(const reduction::Node&)>& event_of,
           ContextTable* contexts, Program* out)
      : comms_(comms), event_of_(event_of), contexts_(contexts), out_(out) {
    for (const auto& c : comms.all()) {
      const size_t others =
          c->remote == nullptr ? 0 : c->remote->members.size();
      out_->comm_size.push_back(int64_t(c->members.size() + others));
    }
    out_->comm_size[0] = trace.meta.ranks;
    out_->comm_members.resize(comms.all().size());
    out_->comm_places.resize(comms.all().size());
    out_->channels_to.resize(size_t(trace.meta.ranks));
  }

  Status Add(RankWalk& walk, const CountedRank& counted) {
    rank_ = counted.rank;
    stands_for_ = counted.stands_for;
    Actor actor;
    actor.begin = out_->operations.size();
    actor.rank = uint32_t(rank_);
    actor.stands_for = stands_for_;
    slots_ = 0;
    free_.clear();
    open_.clear();
    after_ = Operation::kAny;
    while (walk.Next()) {
      if (out_->operations.size() > kMostOperations) {
        return Status::No("the trace has too many events to walk");
      }
      Locate(walk);
      if (walk.event().call() == Call::MPI_Finalize_) {
        Op(walk, Operation::Kind::kLocal);
        break;
      }
      if (Status s = One(walk); !s.ok()) return s;
    }
    actor.end = out_->operations.size();
    actor.slots = slots_;
    out_->actors.push_back(actor);
    return walk.status();
  }

 private:
  Operation& Op(const RankWalk& walk, Operation::Kind kind) {
    Operation op;
    op.kind = kind;
    op.leads = leads_;
    op.first = walk.occurrence() == 0;
    op.event = event_;
    op.context = context_;
    leads_ = false;
    return out_->operations.emplace_back(op);
  }

  // The event and the context of what comes now.
  void Locate(const RankWalk& walk) {
    if (&walk.node() != node_) {
      node_ = &walk.node();
      event_ = event_of_(*node_);
    }
    const uint64_t arguments = HashOf(walk.event());
    if (walk.occurrence() == 0) first_[node_] = arguments;
    context_ = contexts_->NumberOf(
        {event_, after_, walk.round() == 0, arguments == first_[node_],
         walk.event().Get(Param::kRoot, -1) == rank_});
    for (std::vector<double>& occurrences : out_->occurrences) {
      if (occurrences.size() <= context_) occurrences.resize(context_ + 1);
    }
    out_->occurrences[walk.occurrence() > 0 ? kLater : kFirst][context_] +=
        stands_for_;
    after_ = event_;
    leads_ = true;
  }

  Status One(const RankWalk& walk) {
    const Event& e = walk.event();
    const reduction::CallInfo& info = reduction::Info(e.call());
    waits_.clear();
    CollectiveForm form;
    if (FormOf(info, &form)) {
      if (Status s = Collective(walk, form); !s.ok()) return s;
    } else if (info.family == Family::kPointToPoint) {
      PointToPoint(walk, info);
    }
    for (const Request& r : walk.started()) Start(walk, r, r.number);
    Complete(walk, info);
    if (leads_) Op(walk, Operation::Kind::kLocal);
    return Status::Ok();
  }

  void PointToPoint(const RankWalk& walk, const reduction::CallInfo& info) {
    if (info.makes_persistent) return;
    if (info.makes_request) return Start(walk, walk.made(), walk.made().number);
    AddMessages(walk, reduction::BlockingMessage(walk.event()), &waits_);
  }

  void Start(const RankWalk& walk, const Request& r, int64_t number) {
    std::vector<uint32_t>& slots = open_[number];
    slots.clear();
    AddMessages(walk, r, &slots);
  }

  // What a request stands for, receives first.
  void AddMessages(const RankWalk& walk, const Request& r,
                   std::vector<uint32_t>* slots) {
    using Kind = Request::Kind;
    if (r.kind == Kind::kReceive || r.kind == Kind::kBoth) {
      slots->push_back(Message(walk, false, r, double(r.bytes)));
    }
    if (r.kind == Kind::kBoth) {
      Request to = r;
      to.peer = r.send_peer;
      to.tag = r.send_tag;
      slots->push_back(Message(walk, true, to, double(r.send_bytes)));
    } else if (r.kind == Kind::kSend) {
      slots->push_back(Message(walk, true, r, double(r.bytes)));
    }
  }

  uint32_t Slot() {
    if (free_.empty()) return slots_++;
    const uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  // kAny where there is nothing to wait for.
  uint32_t Message(const RankWalk& walk, bool sends, const Request& r,
                   double bytes) {
    if (r.peer < 0 && r.peer != reduction::kPeerAny) return Operation::kAny;
    const uint32_t slot = Slot();
    Operation& op =
        Op(walk, sends ? Operation::Kind::kSend : Operation::Kind::kReceive);
    op.slot = slot;
    op.bytes = bytes;
    const uint32_t tag = r.tag == reduction::kTagAny ? 0 : uint32_t(r.tag) + 1;
    if (!sends && (r.peer == reduction::kPeerAny || tag == 0)) {
      op.wild = true;
      op.tag = tag;
      op.place =
          r.peer == reduction::kPeerAny ? Operation::kAny : uint32_t(r.peer);
      return slot;
    }
    op.place = sends ? ChannelOf(rank_, r.peer, tag, CommOf(r.comm))
                     : ChannelOf(r.peer, rank_, tag, CommOf(r.comm));
    return slot;
  }

  int64_t CommOf(int64_t number) const {
    if (number == 0) return 0;
    const reduction::Communicator* c = comms_.Of(rank_, number);
    return c == nullptr ? -1 : c->common_id();
  }

  uint32_t ChannelOf(int64_t from, int64_t to, uint32_t tag, int64_t comm) {
    const auto [it, fresh] = channels_.try_emplace(
        std::make_tuple(from, to, tag, comm), uint32_t(out_->channels.size()));
    if (fresh) {
      out_->channels.push_back({uint32_t(from), uint32_t(to), tag, comm});
      if (to >= 0 && to < int64_t(out_->channels_to.size())) {
        out_->channels_to[size_t(to)].push_back(it->second);
      }
    }
    return it->second;
  }

  Status Collective(const RankWalk& walk, CollectiveForm form) {
    const Event& e = walk.event();
    const int64_t number = e.Get(Param::kComm);
    const int64_t id = CommOf(number);
    if (id < 0 && number != 1) {
      return Status::No("the members of a communicator are not known");
    }
    if (number == 1 || out_->comm_size[size_t(id)] <= 1) return Status::Ok();
    const uint32_t slot = Slot();
    Operation& op = Op(walk, Operation::Kind::kCollective);
    op.form = form;
    op.place = uint32_t(id);
    op.slot = slot;
    op.bytes = BytesOf(e, form, out_->comm_size[size_t(id)]);
    const int64_t root = e.Get(Param::kRoot, -1);
    op.is_root = root == rank_ || root == reduction::kPeerRoot;
    if (reduction::Info(e.call()).makes_request) {
      open_[walk.made().number] = {slot};
      return Status::Ok();
    }
    waits_.push_back(slot);
    if (IsDown(form) || IsUp(form)) SetMembers(uint32_t(id), root, &op);
    return Status::Ok();
  }

  void SetMembers(uint32_t id, int64_t root, Operation* op) {
    if (root < 0 || root >= out_->ranks) return;
    if (id != 0) {
      const reduction::Communicator& c = *comms_.all()[id];
      if (c.is_inter) return;
      auto& places = out_->comm_places[id];
      if (places.empty()) {
        for (const int64_t member : c.members) {
          places.emplace(uint32_t(member), uint32_t(places.size()));
        }
        out_->comm_members[id].assign(c.members.begin(), c.members.end());
      }
      if (!places.contains(uint32_t(root)) ||
          !places.contains(uint32_t(rank_))) {
        return;
      }
    }
    op->by_members = true;
    op->root = out_->PlaceIn(id, uint32_t(root));
  }

  // Blocking calls wait for their own slots, completions for their requests'.
  void Complete(const RankWalk& walk, const reduction::CallInfo& info) {
    if (info.completes) {
      for (const Request& r : walk.completed()) {
        const auto it = open_.find(r.number);
        if (it == open_.end()) continue;
        waits_.insert(waits_.end(), it->second.begin(), it->second.end());
        open_.erase(it);
      }
    }
    std::erase(waits_, Operation::kAny);
    if (waits_.empty()) return;
    Operation& op = Op(walk, Operation::Kind::kWait);
    op.first_slot = uint32_t(out_->lists.size());
    op.count = uint32_t(waits_.size());
    out_->lists.insert(out_->lists.end(), waits_.begin(), waits_.end());
    free_.insert(free_.end(), waits_.begin(), waits_.end());
  }

  const Communicators& comms_;
  const std::function<uint32_t(const reduction::Node&)>& event_of_;
  ContextTable* contexts_;
  Program* out_;
  using ChannelKey = std::tuple<int64_t, int64_t, uint32_t, int64_t>;
  struct HashOfKey {
    size_t operator()(const ChannelKey& key) const {
      reduction::Fnv hash;
      std::apply([&](auto... part) { (hash.Add(uint64_t(part)), ...); }, key);
      return size_t(hash.value());
    }
  };
  std::unordered_map<ChannelKey, uint32_t, HashOfKey> channels_;
  int64_t rank_ = 0;
  double stands_for_ = 1;
  const reduction::Node* node_ = nullptr;
  uint32_t event_ = 0, context_ = 0, after_ = 0;
  std::unordered_map<const reduction::Node*, uint64_t> first_;
  bool leads_ = true;
  uint32_t slots_ = 0;
  std::vector<uint32_t> free_, waits_;
  std::unordered_map<int64_t, std::vector<uint32_t>> open_;  // by request
};

}  // namespace

uint32_t ContextTable::NumberOf(const Context& context) {
  const auto [it, fresh] =
      numbers_.try_emplace(context, uint32_t(contexts_.size()));
  if (fresh) contexts_.push_back(context);
  return it->second;
}

Result<Program> Compile(
    const reduction::Trace& trace, uint32_t events,
    const std::function<uint32_t(const reduction::Node&)>& event_of,
    ContextTable* contexts) {
  std::vector<CountedRank> all;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    all.push_back({rank, 1});
  }
  return CompileRanks(trace, events, event_of, all, contexts);
}

Result<Program> CompileRanks(
    const reduction::Trace& trace, uint32_t events,
    const std::function<uint32_t(const reduction::Node&)>& event_of,
    const std::vector<CountedRank>& ranks, ContextTable* contexts) {
  const Result<Communicators> comms = Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  Program program;
  program.ranks = trace.meta.ranks;
  program.events = events;
  Compiler compiler(trace, *comms, event_of, contexts, &program);
  for (const CountedRank& counted : ranks) {
    auto walk = RankWalk::Open(trace, counted.rank);
    if (!walk.ok()) return walk.status();
    if (Status s = compiler.Add(*walk, counted); !s.ok()) return s;
  }
  return program;
}

}  // namespace ranksight::online_model
