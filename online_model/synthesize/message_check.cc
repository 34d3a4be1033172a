#include "online_model/synthesize/message_check.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "reduction/api/rank_walk.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::RankWalk;
using reduction::Request;
using reduction::Status;
using reduction::Trace;

struct Messages {
  uint64_t count = 0;
  int64_t bytes = 0;
};
struct Channel {
  Messages sent, posted;
};
// By sender, receiver and tag.
using Channels = std::map<std::tuple<int64_t, int64_t, int64_t>, Channel>;

class Traffic {
 public:
  Status See(const Trace& trace) {
    takes_any_.resize(size_t(trace.meta.ranks));
    for (rank_ = 0; rank_ < trace.meta.ranks; ++rank_) {
      auto walk = RankWalk::Open(trace, rank_);
      if (!walk.ok()) return walk.status();
      while (walk->Next()) See(*walk);
      if (!walk->status().ok()) return walk->status();
    }
    std::erase_if(channels_, [this](const auto& channel) {
      const int64_t to = std::get<1>(channel.first);
      return to >= int64_t(takes_any_.size()) || takes_any_[size_t(to)];
    });
    return Status::Ok();
  }
  const Channels& channels() const { return channels_; }

 private:
  void See(const RankWalk& walk) {
    for (const Request& r : walk.started()) See(r);
    const Event& e = walk.event();
    const reduction::CallInfo& info = reduction::Info(e.call());
    if (info.family != reduction::Family::kPointToPoint ||
        info.makes_persistent) {
      return;
    }
    if (e.call() == Call::MPI_Mrecv_ || e.call() == Call::MPI_Imrecv_) {
      takes_any_[size_t(rank_)] = true;
    } else if (info.makes_request) {
      See(walk.made());
    } else {
      See(reduction::BlockingMessage(e));
    }
  }

  void See(const Request& r) {
    switch (r.kind) {
      case Request::Kind::kSend:
        return Send(r.peer, r.tag, r.bytes);
      case Request::Kind::kReceive:
        return Receive(r.peer, r.tag, r.bytes);
      case Request::Kind::kBoth:
        Send(r.send_peer, r.send_tag, r.send_bytes);
        return Receive(r.peer, r.tag, r.bytes);
      default:
        return;
    }
  }

  static void Add(int64_t bytes, Messages* to) {
    ++to->count;
    to->bytes += bytes;
  }
  void Send(int64_t to, int64_t tag, int64_t bytes) {
    if (to >= 0) Add(bytes, &channels_[{rank_, to, tag}].sent);
  }
  void Receive(int64_t from, int64_t tag, int64_t bytes) {
    if (from == reduction::kPeerAny || tag == reduction::kTagAny) {
      takes_any_[size_t(rank_)] = true;
    } else if (from >= 0) {
      Add(bytes, &channels_[{from, rank_, tag}].posted);
    }
  }

  Channels channels_;
  std::vector<bool> takes_any_;
  int64_t rank_ = 0;
};

bool DiffersInNumber(const Channel& c) {
  return c.sent.count != c.posted.count;
}
bool DiffersInLength(const Channel& c) {
  return !DiffersInNumber(c) && c.sent.bytes != c.posted.bytes;
}

template <class Differs>
const Channels::value_type* Find(const Channels& channels, Differs differs) {
  const auto at = std::find_if(
      channels.begin(), channels.end(),
      [&](const auto& channel) { return differs(channel.second); });
  return at == channels.end() ? nullptr : &*at;
}

std::string Text(const Messages& m) {
  return std::to_string(m.count) + " messages of " + std::to_string(m.bytes) +
         " bytes in all";
}

}  // namespace

Status CheckMessages(const Trace& trace, const Trace& recorded) {
  Traffic made, known;
  if (Status s = made.See(trace); !s.ok()) return s;
  for (const auto differs : {&DiffersInNumber, &DiffersInLength}) {
    const auto* channel = Find(made.channels(), differs);
    if (channel == nullptr) continue;
    if (known.channels().empty()) {
      if (Status s = known.See(recorded); !s.ok()) return s;
    }
    if (Find(known.channels(), differs) != nullptr) continue;
    const auto& [from, to, tag] = channel->first;
    return Status::No(
        "at " + std::to_string(trace.meta.ranks) +
        " ranks the laws contradict each other: rank " + std::to_string(from) +
        " sends rank " + std::to_string(to) + " " + Text(channel->second.sent) +
        " with tag " + std::to_string(tag) + ", which receives " +
        Text(channel->second.posted) + "; give more or larger inputs");
  }
  return Status::Ok();
}

}  // namespace ranksight::online_model
