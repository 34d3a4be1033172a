#include "cli/look/traffic.h"

#include <string_view>
#include <vector>

#include "reduction/api/cursor.h"
#include "reduction/api/event.h"

namespace ranksight::cli {
namespace {

using reduction::Call;
using reduction::CallInfo;
using reduction::Cursor;
using reduction::Event;
using reduction::Param;
using reduction::Result;
using reduction::Trace;

// A message that a persistent request sends each time it is started.
struct Message {
  int64_t to = reduction::kPeerNull;
  uint64_t bytes = 0;
};

// Probes and receives name a peer, too, but nothing goes there.
bool Receives(std::string_view name) {
  return name.find("ecv") != name.npos && name.find("endrecv") == name.npos;
}

bool NamesDestination(const CallInfo& info) {
  return info.name.find("robe") == info.name.npos && !Receives(info.name);
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
    if (event.Has(Param::kPeer) && event.Has(Param::kCount) &&
        NamesDestination(info)) {
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

}  // namespace

Result<std::map<int64_t, Traffic>> TrafficFrom(const Trace& trace,
                                               int64_t rank) {
  auto cursor = Cursor::Open(trace, rank);
  if (!cursor.ok()) return cursor.status();
  Sender sender;
  while (cursor->Next()) sender.See(cursor->event());
  if (!cursor->status().ok()) return cursor->status();
  return sender.Take();
}

}  // namespace ranksight::cli
