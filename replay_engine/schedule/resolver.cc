#include "replay_engine/schedule/resolver.h"

#include <span>
#include <string>

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Status;

bool CompletesSome(Call call) {
  return call == Call::MPI_Waitany_ || call == Call::MPI_Waitsome_ ||
         call == Call::MPI_Testany_ || call == Call::MPI_Testsome_;
}

Status NeverMade(int64_t ref) {
  return Status::BadInput("request reference " + std::to_string(ref) +
                          " points before the first request");
}

}  // namespace

Status Resolver::Resolve(const Event& event, Operation* operation) {
  operation->event = &event;
  operation->new_comm = -1;
  operation->new_object = -1;
  operation->new_request = kNoRequest;
  operation->source = event.Get(Param::kRecvPeer,
                                event.Get(Param::kPeer, reduction::kPeerNull));
  operation->tag = event.Get(Param::kRecvTag, event.Get(Param::kTag));
  const Status status = ResolveRequests(event, operation);
  if (!status.ok()) return status;
  const reduction::CallInfo& info = reduction::Info(event.call());
  if (info.makes_comm && event.Get(Param::kCommSize) > 0) {
    operation->new_comm = next_comm_++;
  }
  if (info.makes_request) operation->new_request = requests_made_++;
  if (info.makes_persistent) {
    operation->new_request = kPersistentBase + persistent_made_++;
  }
  operation->new_object = NewObject(event.call());
  return Status::Ok();
}

int64_t Resolver::NewObject(Call call) {
  switch (call) {
    case Call::MPI_Win_create_:
    case Call::MPI_Win_allocate_:
    case Call::MPI_Win_allocate_shared_:
    case Call::MPI_Win_create_dynamic_:
      return windows_made_++;
    case Call::MPI_File_open_:
      return files_made_++;
    case Call::MPI_Session_init_:
      return sessions_made_++;
    default:
      return -1;
  }
}

Status Resolver::ResolveRequests(const Event& event,
                                 Operation* operation) const {
  const std::span<const int64_t> refs = event.GetArray(Param::kRequests);
  operation->requests.assign(refs.size(), kNoRequest);
  const auto resolve = [&](size_t i) {
    const int64_t ref = refs[i];
    if (ref == reduction::kRequestNull || reduction::IsSpecial(ref)) {
      return true;
    }
    const int64_t number =
        ref > 0 ? requests_made_ - ref : kPersistentBase - 1 - ref;
    if (number < 0 || number >= kPersistentBase + persistent_made_) {
      return false;
    }
    operation->requests[i] = number;
    return true;
  };
  if (!CompletesSome(event.call())) {
    for (size_t i = 0; i < refs.size(); ++i) {
      if (!resolve(i)) return NeverMade(refs[i]);
    }
    return Status::Ok();
  }
  for (const int64_t index : event.GetArray(Param::kDone)) {
    if (index < 0 || static_cast<size_t>(index) >= refs.size()) {
      return Status::BadInput("completed index " + std::to_string(index) +
                              " of " + std::to_string(refs.size()));
    }
    const auto i = static_cast<size_t>(index);
    if (!resolve(i)) return NeverMade(refs[i]);
  }
  return Status::Ok();
}

}  // namespace ranksight::replay_engine
