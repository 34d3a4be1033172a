#include "replay_engine/schedule/resolver.h"

#include <algorithm>
#include <span>
#include <string>

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Status;

// No program passes more; keeps a damaged file from taking memory.
constexpr int64_t kMostRequests = 1 << 22;

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
  // Numbers are given in the order in which the rank obtains things, as while
  // it was recorded; MPI_COMM_NULL takes none.
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
  operation->requests.clear();
  Status status = Status::Ok();
  const auto resolve = [&](int64_t ref) {
    if (ref == reduction::kRequestNull || reduction::IsSpecial(ref)) {
      operation->requests.push_back(kNoRequest);
      return;
    }
    const int64_t number =
        ref > 0 ? requests_made_ - ref : kPersistentBase - 1 - ref;
    if (number < 0 || number >= kPersistentBase + persistent_made_) {
      status = NeverMade(ref);
    }
    operation->requests.push_back(number);
  };
  if (reduction::Info(event.call()).completes) {
    reduction::ForEachCompleted(event, resolve);
    // The rest of what was passed was no request, or is not completed.
    const int64_t passed = event.Get(Param::kRequestCount);
    if (passed > kMostRequests) {
      return Status::BadInput("completes one of " + std::to_string(passed) +
                              " requests");
    }
    const size_t kept = std::max(operation->requests.size(),
                                 size_t(std::max<int64_t>(passed, 0)));
    operation->requests.resize(kept, kNoRequest);
  } else {
    for (const int64_t ref : event.GetArray(Param::kRequests)) resolve(ref);
  }
  return status;
}

}  // namespace ranksight::replay_engine
