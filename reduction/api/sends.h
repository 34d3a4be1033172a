// Which calls send messages to a peer, and when persistent requests send
// theirs. Thread-safety: one object, one thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/amounts.h"
#include "reduction/api/event.h"
#include "reduction/api/message_kind.h"
#include "reduction/api/status.h"

namespace ranksight::reduction {

// Of the call itself, or of the persistent request that it makes.
inline bool Sends(Call call) {
  const MessageKind kind = MessageKindOf(call);
  return kind == MessageKind::kSend || kind == MessageKind::kBoth;
}
inline bool SendsAtOnce(Call call) {
  return Sends(call) && !Info(call).makes_persistent;
}
inline bool SendsWhenStarted(Call call) {
  return Sends(call) && Info(call).makes_persistent;
}

// kBadInput where a rank sends to one that does not exist.
inline Status CheckPeer(int64_t rank, int64_t peer, int64_t ranks) {
  if (peer >= 0 && peer < ranks) return Status::Ok();
  return Status::BadInput("rank " + std::to_string(rank) + " sends to rank " +
                          std::to_string(peer) + ", which does not exist");
}

// One rank's persistent requests; shown all its calls in order.
class StartedSends {
 public:
  // send(peer, bytes) for every message that the call starts; peer may be
  // special.
  template <class F>
  void See(const Event& event, F send) {
    if (Info(event.call()).makes_persistent) {
      const bool sends = SendsWhenStarted(event.call());
      messages_.emplace_back(sends ? event.Get(Param::kPeer) : kPeerNull,
                             sends ? SentBy(event) : 0);
    }
    if (event.call() != Call::MPI_Start_ &&
        event.call() != Call::MPI_Startall_) {
      return;
    }
    for (const int64_t request : event.GetArray(Param::kRequests)) {
      if (request >= 0) continue;
      const uint64_t number = -(static_cast<uint64_t>(request) + 1);
      if (number >= messages_.size()) continue;
      const auto& [peer, bytes] = messages_[number];
      send(peer, bytes);
    }
  }

 private:
  std::vector<std::pair<int64_t, uint64_t>> messages_;  // by number: to, bytes
};

}  // namespace ranksight::reduction
