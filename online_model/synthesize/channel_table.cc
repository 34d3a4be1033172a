#include "online_model/synthesize/channel_table.h"

#include <algorithm>
#include <string>
#include <utility>

#include "reduction/api/distribution.h"
#include "reduction/api/message_kind.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Node;
using reduction::RankWalk;
using reduction::Request;
using reduction::Section;
using reduction::SectionCursor;
using reduction::Status;
using reduction::Trace;

bool IsPointToPoint(Call call) {
  return reduction::Info(call).family == reduction::Family::kPointToPoint;
}

// Sends, receives, or both; messages of other calls are those of the requests
// that they complete or start.
bool HasMessages(Call call) {
  return IsPointToPoint(call) &&
         reduction::MessageKindOf(call) != reduction::MessageKind::kNone;
}

bool UsesPersistent(const Trace& trace) {
  bool uses = false;
  ForEachEvent(trace.root, [&uses](const Node& n) {
    uses = uses || reduction::Info(n.call).makes_persistent;
  });
  return uses;
}

Status EndsEarly(const Node& node, int64_t rank) {
  return Status::BadInput(std::string(reduction::Info(node.call).name) +
                          ": a parameter ends early on rank " +
                          std::to_string(rank));
}

// A parameter's values on one rank, equal ones in a row as one.
struct Runs {
  explicit Runs(const Section* values) : cursor(values) {}
  void Load() {
    if (left == 0) value = cursor.NextRun(&left);
  }

  SectionCursor cursor;
  int64_t value = 0;
  uint64_t left = 0;
};

void Add(int64_t bytes, uint64_t times, Messages* to) {
  to->count += times;
  to->bytes += bytes * int64_t(times);
}

constexpr uint32_t kFree = UINT32_MAX;
constexpr size_t kFirstChannels = 64;  // a power of two

size_t HashOfChannel(const ChannelKey& key) {
  // Golden ratio and its like: neighbours come to lie far apart.
  uint64_t h = uint64_t(key.from) * 0x9E3779B97F4A7C15u;
  h = (h ^ (h >> 32) ^ uint64_t(key.to)) * 0xD6E8FEB86659FD93u;
  h = (h ^ (h >> 32) ^ uint64_t(key.tag)) * 0xD6E8FEB86659FD93u;
  return size_t(h ^ (h >> 32));
}

}  // namespace

Channel& ChannelList::At(const ChannelKey& key) {
  if (2 * all_.size() >= slots_.size()) {
    MakeSlots(std::max(kFirstChannels, 2 * slots_.size()));
  }
  size_t slot = HashOfChannel(key) & (slots_.size() - 1);
  while (slots_[slot] != kFree && all_[slots_[slot]].first != key) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  if (slots_[slot] == kFree) {
    slots_[slot] = uint32_t(all_.size());
    all_.emplace_back(key, Channel());
  }
  return all_[slots_[slot]].second;
}

void ChannelList::MakeSlots(size_t count) {
  slots_.assign(count, kFree);
  for (size_t place = 0; place < all_.size(); ++place) {
    size_t slot = HashOfChannel(all_[place].first) & (count - 1);
    while (slots_[slot] != kFree) slot = (slot + 1) & (count - 1);
    slots_[slot] = uint32_t(place);
  }
}

Status ChannelTable::See(const Trace& trace) {
  Status s = reduction::RequireValues(trace);
  if (!s.ok()) return s;
  takes_any_.resize(size_t(trace.meta.ranks));
  if (UsesPersistent(trace)) return WalkRanks(trace);
  ForEachEvent(trace.root, [&](const Node& node) {
    if (s.ok() && HasMessages(node.call)) s = SeeNode(node);
  });
  return s;
}

Status ChannelTable::WalkRanks(const Trace& trace) {
  for (rank_ = 0; rank_ < trace.meta.ranks; ++rank_) {
    auto walk = RankWalk::Open(trace, rank_);
    if (!walk.ok()) return walk.status();
    while (walk->Next()) {
      for (const Request& r : walk->started()) See(r, 1);
      if (IsPointToPoint(walk->event().call())) See(walk->event(), 1);
    }
    if (!walk->status().ok()) return walk->status();
  }
  return Status::Ok();
}

Status ChannelTable::SeeNode(const Node& node) {
  const auto roles = reduction::Info(node.call).params;
  std::vector<std::vector<std::pair<int64_t, Section>>> params;
  for (size_t i = 0; i < roles.size(); ++i) {
    // Arrays say what was matched, and come last.
    if (reduction::IsArray(roles[i])) break;
    params.push_back(node.params[i].ByRank());
  }
  std::vector<const Section*> on_rank(params.size());
  for (size_t at = 0; at < params[0].size(); ++at) {
    rank_ = params[0][at].first;
    for (size_t i = 0; i < params.size(); ++i) {
      if (at >= params[i].size() || params[i][at].first != rank_) {
        return EndsEarly(node, rank_);
      }
      on_rank[i] = &params[i][at].second;
      if (on_rank[i]->size() != on_rank[0]->size()) {
        return EndsEarly(node, rank_);
      }
    }
    SeeRuns(node.call, on_rank);
  }
  return Status::Ok();
}

void ChannelTable::SeeRuns(Call call,
                           const std::vector<const Section*>& params) {
  std::vector<Runs> runs(params.begin(), params.end());
  for (uint64_t left = params[0]->size(); left > 0;) {
    uint64_t same = left;
    event_.Reset(call);
    for (Runs& r : runs) {
      r.Load();
      event_.Add(r.value);
      same = std::min(same, r.left);
    }
    See(event_, same);
    for (Runs& r : runs) r.left -= same;
    left -= same;
  }
}

void ChannelTable::See(const Event& e, uint64_t times) {
  if (e.call() == Call::MPI_Mrecv_ || e.call() == Call::MPI_Imrecv_) {
    takes_any_[size_t(rank_)] = true;
  } else {
    See(reduction::MessageOf(e), times);
  }
}

void ChannelTable::See(const Request& r, uint64_t times) {
  switch (r.kind) {
    case Request::Kind::kSend:
      return Send(r.peer, r.tag, r.bytes, times);
    case Request::Kind::kReceive:
      return Receive(r.peer, r.tag, r.bytes, times);
    case Request::Kind::kBoth:
      Send(r.send_peer, r.send_tag, r.send_bytes, times);
      return Receive(r.peer, r.tag, r.bytes, times);
    default:
      return;
  }
}

void ChannelTable::Send(int64_t to, int64_t tag, int64_t bytes,
                        uint64_t times) {
  if (!reduction::IsSpecial(to)) {
    Add(bytes, times, &channels_.At({rank_, to, tag}).sent);
  }
}

void ChannelTable::Receive(int64_t from, int64_t tag, int64_t bytes,
                           uint64_t times) {
  if (from == reduction::kPeerAny || tag == reduction::kTagAny) {
    takes_any_[size_t(rank_)] = true;
  } else if (!reduction::IsSpecial(from)) {
    Add(bytes, times, &channels_.At({from, rank_, tag}).posted);
  }
}

}  // namespace ranksight::online_model
