#include "cli/look/traffic.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/look/occurrences.h"
#include "cli/look/rank_table.h"
#include "reduction/api/cursor.h"
#include "reduction/api/distribution.h"
#include "reduction/api/event.h"
#include "reduction/api/message_kind.h"

namespace ranksight::cli {
namespace {

using reduction::Call;
using reduction::CallInfo;
using reduction::Cursor;
using reduction::Event;
using reduction::MessageKind;
using reduction::Node;
using reduction::Param;
using reduction::Parameter;
using reduction::Result;
using reduction::Section;
using reduction::Trace;

// A message that a persistent request sends each time it is started.
struct Message {
  int64_t to = reduction::kPeerNull;
  uint64_t bytes = 0;
};

const Parameter* ParamOf(const Node& node, Param wanted) {
  const auto params = Info(node.call).params;
  const auto at = std::find(params.begin(), params.end(), wanted);
  return at == params.end() ? nullptr : &node.params[at - params.begin()];
}

// Receives, probes and one-sided calls name a peer, too, but no message goes
// there.
bool Sends(Call call) {
  const MessageKind kind = reduction::MessageKindOf(call);
  return kind == MessageKind::kSend || kind == MessageKind::kBoth;
}

class Sender {
 public:
  void See(const Event& event) {
    const CallInfo& info = Info(event.call());
    if (event.call() == Call::MPI_Start_ ||
        event.call() == Call::MPI_Startall_) {
      for (int64_t request : event.GetArray(Param::kRequests)) Start(request);
      return;
    }
    Message message;
    if (Sends(event.call())) {
      message.to = event.Get(Param::kPeer);
      message.bytes = static_cast<uint64_t>(SendBytes(event));
    }
    if (info.makes_persistent) {
      persistent_.push_back(message);
    } else {
      Send(message);
    }
  }
  std::map<int64_t, Traffic> Take() { return std::move(traffic_); }

 private:
  void Start(int64_t request) {
    if (request >= 0) return;
    const uint64_t number = -(static_cast<uint64_t>(request) + 1);
    if (number < persistent_.size()) Send(persistent_[number]);
  }
  void Send(const Message& message) {
    if (message.to < 0) return;
    Traffic& traffic = traffic_[message.to];
    ++traffic.messages;
    traffic.bytes += message.bytes;
  }

  std::vector<Message> persistent_;
  std::map<int64_t, Traffic> traffic_;
};

bool HasPersistent(const Node& node) {
  if (node.is_event() && Info(node.call).makes_persistent) return true;
  return std::any_of(node.children.begin(), node.children.end(), HasPersistent);
}

// What one rank sends where nothing is persistent: node by node, each from
// its compressed parameters where these are regular enough.
class NodeSends {
 public:
  explicit NodeSends(int64_t rank) : rank_(rank) {}

  void See(const Node& node) {
    for (const Node& child : node.children) See(child);
    if (!node.is_event() || !Sends(node.call)) return;
    const Parameter* peer = ParamOf(node, Param::kPeer);
    const Parameter* count = ParamOf(node, Param::kCount);
    if (peer == nullptr || count == nullptr || !peer->Has(rank_)) return;
    const Parameter* size = ParamOf(node, Param::kTypeSize);
    if (size == nullptr || ParamOf(node, Param::kPartitions) != nullptr) {
      return WalkNode(node);
    }
    const Section peers = peer->At(rank_);
    const Section counts = count->At(rank_), sizes = size->At(rank_);
    const auto calls = static_cast<uint64_t>(node.trips.At(rank_).Sum());
    if (peers.size() != calls || counts.size() != calls ||
        sizes.size() != calls) {
      contradicts_ = true;
    } else if (calls == 0) {
      return;
    } else if (!sizes.IsConstant()) {
      WalkNode(node);
    } else if (counts.IsConstant()) {
      const auto bytes = static_cast<uint64_t>(counts.At(0) * sizes.At(0));
      for (const auto& [to, times] : Histogram(peers)) {
        Send(to, times, bytes * times);
      }
    } else if (peers.IsConstant()) {
      Send(peers.At(0), peers.size(),
           static_cast<uint64_t>(counts.Sum() * sizes.At(0)));
    } else {
      WalkNode(node);
    }
  }
  // Whether a sequence was not as long as the trip counts say.
  bool contradicts() const { return contradicts_; }
  std::map<int64_t, Traffic> Take() { return std::move(traffic_); }

 private:
  void WalkNode(const Node& node) {
    Occurrences at(node, rank_);
    while (at.Next()) {
      Send(at.event().Get(Param::kPeer), 1,
           static_cast<uint64_t>(SendBytes(at.event())));
    }
  }
  void Send(int64_t to, uint64_t messages, uint64_t bytes) {
    if (to < 0) return;
    Traffic& traffic = traffic_[to];
    traffic.messages += messages;
    traffic.bytes += bytes;
  }

  const int64_t rank_;
  bool contradicts_ = false;
  std::map<int64_t, Traffic> traffic_;
};

// Persistent sends count where they are started, so the calls are walked.
Result<std::map<int64_t, Traffic>> WalkCalls(const Trace& trace, int64_t rank) {
  auto cursor = Cursor::Open(trace, rank);
  if (!cursor.ok()) return cursor.status();
  Sender sender;
  while (cursor->Next()) sender.See(cursor->event());
  if (!cursor->status().ok()) return cursor->status();
  return sender.Take();
}

}  // namespace

Result<std::map<int64_t, Traffic>> TrafficFrom(const Trace& trace,
                                               int64_t rank) {
  const reduction::Status exact = RequireValues(trace);
  if (!exact.ok()) return exact;
  if (HasPersistent(trace.root)) return WalkCalls(trace, rank);
  NodeSends sends(rank);
  sends.See(trace.root);
  // The walk says where.
  if (sends.contradicts()) return WalkCalls(trace, rank);
  return sends.Take();
}

}  // namespace ranksight::cli
